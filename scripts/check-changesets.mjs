// A published package whose code changed since its last release must be named by a changeset, or its users get no
// release and no word of it. A release is the commit that last wrote the package's CHANGELOG.md.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" });

/** Packages that the changesets at hand would release. */
function announced() {
  const dir = mkdtempSync(join(tmpdir(), "while-changesets-"));
  try {
    const file = join(dir, "status.json");
    const { status, stderr } = spawnSync("changeset", ["status", "--output", relative(root, file)], {
      cwd: root,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    return new Set(JSON.parse(readFileSync(file, "utf8")).releases.map(({ name }) => name));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function changedSinceRelease(dir) {
  const release = git("log", "-1", "--format=%H", "--", `${dir}/CHANGELOG.md`).stdout.trim();
  const paths = ["src", "bin", "package.json"].map((path) => `${dir}/${path}`);
  if (release === "") return git("ls-files", "--", ...paths).stdout !== "";
  return git("diff", "--quiet", release, "--", ...paths, ":(exclude)*.test.ts").status !== 0;
}

const names = announced();
const missing = [...readdirSync(join(root, "packages")).map((name) => `packages/${name}`), "apps/server"]
  .filter(changedSinceRelease)
  .map((dir) => JSON.parse(readFileSync(join(root, dir, "package.json"), "utf8")).name)
  .filter((name) => !names.has(name));

for (const name of missing) console.error(`${name} changed since its last release and no changeset names it.`);
if (missing.length > 0) console.error("fix: node_modules/.bin/changeset");
process.exitCode = missing.length > 0 ? 1 : 0;

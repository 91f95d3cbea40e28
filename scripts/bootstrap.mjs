// Installs with the pinned pnpm when the lock or a manifest changed, builds what changed, then does what was asked.
// Needs Node, npm and a package registry; nothing global.
// Usage: node scripts/bootstrap.mjs install|build|start|test [arguments]
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [verb = "install", ...rest] = process.argv.slice(2);
const bin = join(root, "node_modules", ".bin");
const stampFile = join(root, "node_modules", ".bootstrap");
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const windows = process.platform === "win32";
const env = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH}`,
  TURBO_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
  NO_UPDATE_NOTIFIER: "1",
};

function run(command, args, cwd = root) {
  const { status, error } = spawnSync(command, args, { cwd, env, stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** What an installation depends on: the lock, every manifest, and the machine it was made for. */
function installStamp() {
  const hash = createHash("sha256").update(process.version.split(".")[0]).update(process.platform).update(process.arch);
  const foldersIn = (dir) =>
    readdirSync(join(root, dir), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
      .map((entry) => join(dir, entry.name));
  // Recipes lie in chapters; the first one is a chapter of its own.
  const recipes = foldersIn("recipes");
  const manifests = [...foldersIn("packages"), ...foldersIn("apps"), ...recipes, ...recipes.flatMap(foldersIn)].map(
    (folder) => join(folder, "package.json"),
  );
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json", ...manifests.sort()]) {
    if (existsSync(join(root, file))) hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

function install() {
  const wanted = installStamp();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === wanted) return;
  console.error(`Installing with ${packageManager} …`);
  const caller = process.env.npm_execpath ?? "";
  const flags = ["install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=warn"];
  if (/pnpm/.test(caller)) run(process.execPath, [caller, ...flags]);
  else if (/\.c?js$/.test(caller)) {
    run(process.execPath, [caller, "exec", "--yes", "--package", packageManager, "--", "pnpm", ...flags]);
  } else run(windows ? "npx.cmd" : "npx", ["--yes", packageManager, ...flags]);
  writeFileSync(stampFile, wanted);
}

/** Quiet unless it fails: what a reader came for is below it. */
function build() {
  const turbo = join(bin, windows ? "turbo.cmd" : "turbo");
  const built = spawnSync(turbo, ["run", "bundle", "pages", "--output-logs=errors-only"], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  if (built.error) throw built.error;
  if (built.status === 0) return;
  process.stderr.write(built.stdout + built.stderr);
  process.exit(built.status ?? 1);
}

install();
if (verb === "install") process.exit(0);
build();
if (verb === "test") {
  // The server is tested on both of its databases; without PostgreSQL its tests say that they ran on SQLite only.
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  run(process.execPath, [join(root, "scripts", "with-postgres.mjs"), process.execPath, vitest, "run", ...rest]);
}
if (verb === "start") {
  const recipe = join(root, "recipes", "00-quickstart");
  run(process.execPath, ["--import", "tsx", "recipe.ts", ...rest], recipe);
}

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

/** Three people who never saw this repository: each has an empty folder, npm, and the tarballs we would publish. */

const root = fileURLToPath(new URL("../../..", import.meta.url));
const CHROMIUM = "/usr/bin/chromium";
let dir: string;
let tarballs: Map<string, string>;

const ROLLOUTS = [
  { task_id: "t1", prompt: "Refund order 42.", final_text: "Done.", reward: 1 },
  { task_id: "t1", prompt: "Refund order 42.", final_text: "I cannot do that.", reward: 0 },
  { task_id: "t2", prompt: "Where is order 7?", final_text: "It shipped.", reward: 1 },
  { task_id: "t2", prompt: "Where is order 7?", final_text: "No idea.", reward: 0 },
];

function run(cwd: string, command: string, ...args: string[]): string {
  // The caller's npm settings describe this repository, not the stranger's folder; and a stranger sits at a desk, where an
  // eval without a baseline records one.
  const callers = /^(npm_|NODE_|VITEST|CI$)/i;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !callers.test(name)));
  return execFileSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 500_000,
  });
}

/** An empty folder with the tarballs of these packages installed by npm, each from a file and none from a registry. */
function install(name: string, packages: readonly string[]): string {
  const folder = mkdtempSync(join(dir, `${name}-`));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true, type: "module" }));
  const files = packages.map((name) => tarballs.get(name)!);
  // A connection that stalls is tried again after 20 seconds and not, as npm would, after five minutes.
  const patience = ["--fetch-timeout=20000", "--fetch-retries=4"];
  run(
    folder,
    "npm",
    "install",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--prefer-offline",
    ...patience,
    ...files,
  );
  writeFileSync(join(folder, "rollouts.jsonl"), ROLLOUTS.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return folder;
}

function installed(folder: string): string[] {
  const modules = join(folder, "node_modules");
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : name,
    )
    .sort();
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "while-consumers-"));
  const pnpm = join(root, "node_modules/.bin/pnpm");
  const published = ["--filter", "./packages/*", "--filter", "@while/server"];
  run(root, pnpm, "-r", ...published, "pack", "--pack-destination", dir);
  tarballs = new Map(
    readdirSync(dir)
      .filter((file) => file.endsWith(".tgz"))
      .map((file) => [file.replace(/^while-(.+)-\d.*$/, "@while/$1"), join(dir, file)]),
  );
}, 600_000);

afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("a trainer who installs only @while/export gets schema and stats with it, and nothing of the other rooms", () => {
  const folder = install("trainer", ["@while/export", "@while/stats", "@while/schema"]);
  const packages = installed(folder);
  console.log(`a trainer's node_modules: ${packages.join(", ")}`);
  expect(packages.filter((name) => name.startsWith("@while/"))).toEqual([
    "@while/export",
    "@while/schema",
    "@while/stats",
  ]);

  writeFileSync(
    join(folder, "convert.js"),
    `import { exportDataset } from "@while/export/files";
     const report = await exportDataset("rollouts.jsonl", { format: "trl", maskMode: "final", output: "sft.jsonl" });
     console.log(report.nWritten);`,
  );
  expect(run(folder, "node", "convert.js").trim()).toBe("4");
  const lines = readFileSync(join(folder, "sft.jsonl"), "utf8").trimEnd().split("\n");
  expect(JSON.parse(lines[0]!)).toMatchObject({
    prompt: [{ role: "user", content: "Refund order 42." }],
    completion: [{ role: "assistant", content: "Done." }],
  });
}, 600_000);

test("an engineer who installs @while/cli runs the whole loop, and the platform", async () => {
  const folder = install("engineer", [...tarballs.keys()]);
  const page = run(folder, join("node_modules", ".bin", "wai"), "run", "rollouts.jsonl", "-o", "out", "--no-gate");
  expect(page).toContain("pass@1 0.50");
  expect(readdirSync(join(folder, "out"))).toContain("report.html");
  const { url, first_key } = await started(folder);
  const answer = await fetch(`${url}/me`, { headers: { "x-api-key": first_key } });
  expect(await answer.json()).toMatchObject({ tier: "full" });
}, 600_000);

test("who has no eval has one from npx wai init-evals, and a worse agent turns its test red", () => {
  const folder = install("newcomer", [...tarballs.keys()]);
  const said = run(folder, "npx", "--no-install", "wai", "init-evals");
  expect(said).toMatch(/^an eval of an example.*, for node --test\n/);
  // Everything that it needs is installed, so the test is all there is to type.
  const [, next = ""] = said.trimEnd().split("\nnext\n  ");
  const [command = "", ...argv] = next.split(" ");
  expect(run(folder, command, ...argv)).toContain("# pass 1");
  const agent = join(folder, "evals", "example-agent.mjs");
  writeFileSync(agent, readFileSync(agent, "utf8").replace("order.days > 30", "order.days > 300"));
  expect(() => run(folder, command, ...argv)).toThrow("Command failed");
}, 600_000);

/** The installed `wai platform` in a folder of its own; it ends with the tests. */
function started(folder: string): Promise<{ url: string; first_key: string }> {
  const child = spawn(
    join(folder, "node_modules", ".bin", "wai"),
    ["platform", "--port", "0", "--data", "data", "--json"],
    { cwd: folder },
  );
  onTestFinished(() => void child.kill());
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (text) => {
      said += text;
    });
    child.stdout.once("data", (line) => resolve(JSON.parse(String(line))));
    child.on("close", (code) => reject(new Error(`wai platform ended with ${code}: ${said}`)));
  });
}

test("a page bundles @while/schema and @while/stats without one Node built-in", async () => {
  const folder = install("page", ["@while/schema", "@while/stats"]);
  writeFileSync(
    join(folder, "page.js"),
    `import { readRows } from "@while/schema";
     import { formatPassAt, passAt } from "@while/stats";
     const { rows } = await readRows(${JSON.stringify(ROLLOUTS.map((row) => JSON.stringify(row)).join("\n"))});
     document.body.textContent = formatPassAt(passAt(rows));`,
  );
  const { metafile, outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ["page.js"],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const node = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));
  const imported = Object.values(metafile.inputs).flatMap((input) => input.imports.map(({ path }) => path));
  expect(imported.filter((path) => node.has(path))).toEqual([]);
  writeFileSync(join(folder, "bundle.js"), outputFiles[0]!.text);
  expect(outputFiles[0]!.text.length).toBeGreaterThan(1000);
}, 600_000);

test.skipIf(!existsSync(CHROMIUM))(
  "the bundle prints a pass rate in a real browser",
  async () => {
    const folder = readdirSync(dir).find((name) => name.startsWith("page-"))!;
    const bundle = readFileSync(join(dir, folder, "bundle.js"), "utf8").replaceAll("</script", "<\\/script");
    const page = join(dir, folder, "page.html");
    writeFileSync(page, `<!doctype html><meta charset="utf-8"><body><script type="module">${bundle}</script>`);
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
    const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
    const profile = `--user-data-dir=${join(dir, "profile")}`;
    const dom = run(
      dir,
      CHROMIUM,
      ...flags,
      ...quiet,
      profile,
      "--virtual-time-budget=5000",
      "--dump-dom",
      `file://${page}`,
    );
    expect(dom).toContain("pass@1 0.50");
  },
  600_000,
);

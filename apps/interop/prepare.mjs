// Installs the tools whose own logs the tests in test/tools read: each in an environment of its own, under .python and
// .node-tools, made again when its pinned versions change. What cannot be installed is said and left out; the tests of
// that tool are then skipped.
// Usage: node apps/interop/prepare.mjs [TOOL …]
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const windows = process.platform === "win32";
/** No tool takes longer unless its connection stalls. */
const TIMEOUT_MS = 10 * 60_000;
/** Two cores are enough to unpack one while another is fetched. */
const AT_ONCE = 2;

const python = ["python3", "python"].find((name) => spawnSync(name, ["--version"]).status === 0);
const pythonVersion = python === undefined ? "" : spawnSync(python, ["--version"], { encoding: "utf8" }).stdout.trim();

/** Tools whose list of versions is whole, so that nothing else may come along, and what is run after they are there. */
const WHOLE_LISTS = new Map([["trl", "cpu_torch.py"]]);

/** What is to be installed, and how: a list of commands, run one after the other in the tool's folder. */
function tools() {
  const listed = (folder, ending) => readdirSync(join(here, folder)).filter((file) => file.endsWith(ending));
  const inPython = listed("python", ".txt").map((file) => {
    const name = parse(file).name;
    const pip = windows ? join("Scripts", "python.exe") : join("bin", "python");
    const after = WHOLE_LISTS.get(name);
    const quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--no-compile", "--timeout=30"];
    return {
      name,
      folder: join(here, ".python", name),
      versions: join(here, "python", file),
      machine: pythonVersion,
      missing: python === undefined ? "there is no Python on the path" : null,
      commands: [
        [python, "-m", "venv", "."],
        [pip, "-m", "pip", "install", ...quiet, ...(after ? ["--no-deps"] : []), "-r", join(here, "python", file)],
        ...(after ? [[pip, join(here, "python", after)]] : []),
      ],
    };
  });
  const inNode = listed("node", ".json").map((file) => {
    const patience = ["--fetch-timeout=20000", "--fetch-retries=4"];
    const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--loglevel=error"];
    return {
      name: parse(file).name,
      folder: join(here, ".node-tools", parse(file).name),
      versions: join(here, "node", file),
      machine: process.version.split(".")[0],
      missing: null,
      commands: [[windows ? "npm.cmd" : "npm", "install", ...quiet, ...patience]],
    };
  });
  return [...inPython, ...inNode];
}

function stampOf({ versions, machine }) {
  return createHash("sha256").update(readFileSync(versions)).update(machine).update(process.platform).digest("hex");
}

/** Resolves to null when it went well, otherwise to what was said. */
function run([command, ...args], folder) {
  // The caller's npm settings describe this repository, not the tool's folder.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|VITEST)/i.test(name)));
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: folder, env, timeout: TIMEOUT_MS, shell: windows });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? null : said.trim() || `it ended with ${signal ?? code}`));
  });
}

async function prepare(tool) {
  const stamp = join(tool.folder, ".prepared");
  const wanted = tool.missing === null ? stampOf(tool) : null;
  if (wanted !== null && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return { ...tool, took: null };
  const began = Date.now();
  let failure = tool.missing;
  if (failure === null) {
    rmSync(tool.folder, { recursive: true, force: true });
    mkdirSync(tool.folder, { recursive: true });
    if (tool.versions.endsWith(".json")) copyFileSync(tool.versions, join(tool.folder, "package.json"));
    for (const command of tool.commands) failure ??= await run(command.map(String), tool.folder);
  }
  if (failure === null) writeFileSync(stamp, wanted);
  return { ...tool, failure, took: (Date.now() - began) / 1000 };
}

const asked = process.argv.slice(2);
const known = tools();
const unknown = asked.filter((name) => !known.some((tool) => tool.name === name));
if (unknown.length > 0) {
  console.error(`There is no tool ${unknown.join(", ")}. There are ${known.map(({ name }) => name).join(", ")}.`);
  process.exit(3);
}
const queue = known.filter(({ name }) => asked.length === 0 || asked.includes(name));
const nAsked = queue.length;
const began = Date.now();
let nMissing = 0;
async function worker() {
  for (let tool = queue.shift(); tool !== undefined; tool = queue.shift()) {
    const { name, took, failure = null } = await prepare(tool);
    if (failure !== null) {
      nMissing++;
      console.log(`${name.padEnd(12)} not installed, its tests will be skipped: ${failure.split("\n").at(-1)}`);
    } else console.log(`${name.padEnd(12)} ${took === null ? "is there" : `installed in ${took.toFixed(0)} s`}`);
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, worker));
const seconds = ((Date.now() - began) / 1000).toFixed(0);
console.log(`${nAsked - nMissing} of ${nAsked} tools in ${seconds} s${python ? `, ${pythonVersion}` : ""}`);

// Everything that holds the house together besides its tests: types, lint and format, who imports whom, unused code,
// packages that install, and a changeset for each change. Runs all of them, then exits with the worst.
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}${delimiter}${process.env.PATH}` };

const checks = [
  ["types", process.execPath, "scripts/typecheck.mjs"],
  ["lint and format", "biome", "ci", "--max-diagnostics=50", "."],
  ["who imports whom", "depcruise", "packages", "apps", "recipes"],
  ["unused code", "knip"],
  ["packages", process.execPath, "scripts/check-packages.mjs"],
  ["changesets", process.execPath, "scripts/check-changesets.mjs"],
];

const failed = checks.filter(([name, command, ...args]) => {
  console.log(`--- ${name}`);
  return spawnSync(command, args, { cwd: root, env, stdio: "inherit" }).status !== 0;
});
console.log(failed.length === 0 ? "all checks hold" : `failed: ${failed.map(([name]) => name).join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

// Everything that holds the house together besides its tests. Runs all of them, then exits with the worst.
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}${delimiter}${process.env.PATH}` };

/** Scripts of the root package.json, in the order in which a failure is cheapest to find. */
const CHECKS = ["types", "lint", "boundaries", "unused", "packages", "changesets"];

const failed = CHECKS.filter((name) => {
  console.log(`--- ${name}`);
  return spawnSync("pnpm", ["--silent", "run", name], { cwd: root, env, stdio: "inherit" }).status !== 0;
});
console.log(failed.length === 0 ? "all checks hold" : `failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

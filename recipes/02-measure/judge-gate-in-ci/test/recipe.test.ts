import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const recipe = fileURLToPath(new URL("..", import.meta.url));

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const argv = ["--conditions", "@while/source", "--import", "tsx", "recipe.ts", ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: recipe }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

test("the recipe prints what expected.txt says", async () => {
  const { code, stdout, stderr } = await run();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toBe(readFileSync(join(recipe, "expected.txt"), "utf8"));
}, 300_000);

test.each([
  ["a judge that reads the reply is green", ["careful"], 0, /^PASS: /],
  ["one that pays for length is red, and named for it", ["wordy"], 1, /! the judge pays for length/],
  [
    "ten labels cannot tell, and say how many could",
    ["careful", "10"],
    2,
    /^INCONCLUSIVE: .*\n(.*\n)*? {2}label budget: \d+ rows/,
  ],
  ["no labels measure nothing", ["careful", "0"], 2, /^NOT MEASURED: /],
])(
  "%s",
  async (_, args, code, said) => {
    const outcome = await run(...args);
    expect(outcome).toMatchObject({ code, stderr: "" });
    expect(outcome.stdout).toMatch(said);
  },
  300_000,
);

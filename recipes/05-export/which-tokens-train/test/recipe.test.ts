import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const recipe = fileURLToPath(new URL("..", import.meta.url));

test("the recipe prints what expected.txt says, also the second time", async () => {
  const expected = readFileSync(join(recipe, "expected.txt"), "utf8");
  for (let time = 1; time <= 2; time += 1) {
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(expected);
  }
}, 300_000);

function run(): Promise<{ code: number; stdout: string; stderr: string }> {
  const argv = ["--conditions", "@while/source", "--import", "tsx", "recipe.ts"];
  const env = { ...process.env, INIT_CWD: recipe };
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: recipe, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

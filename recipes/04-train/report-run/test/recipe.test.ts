import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startPlatform } from "@while/server";
import { expect, test } from "vitest";

const recipe = fileURLToPath(new URL("..", import.meta.url));

test("the recipe prints what expected.txt says", async () => {
  const argv = ["--conditions", "@while/source", "--import", "tsx", "recipe.ts"];
  expect(await run(process.execPath, argv)).toEqual({
    code: 0,
    stderr: "",
    stdout: readFileSync(join(recipe, "expected.txt"), "utf8"),
  });
}, 300_000);

const python = ["python3", "python"].find((name) => spawnSync(name, ["--version"]).status === 0);

test.skipIf(python === undefined)(
  `the same over plain HTTP${python === undefined ? " (skipped: there is no Python)" : ""}`,
  async () => {
    const data = mkdtempSync(join(tmpdir(), "while-report-run-"));
    const platform = await startPlatform({ settings: { data, port: 0 }, log: { info() {}, error() {} } });
    const { code, stdout, stderr } = await run(python as string, ["report_run.py"], {
      WHILEAI_API_URL: platform.url,
      WHILEAI_API_KEY: platform.firstKey as string,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^tiny regression: done, 60 points, loss 0\.0\d+\nline-fitter sgd-60: [\d.]+ of 100 on 60, \d+ of 60 rows passed\n$/,
    );
    await platform.stop();
    rmSync(data, { recursive: true, force: true });
  },
  300_000,
);

function run(
  command: string,
  argv: readonly string[],
  more: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { WHILEAI_API_URL: _url, WHILEAI_API_KEY: _key, ...own } = process.env;
  return new Promise((resolve) => {
    execFile(command, argv, { cwd: recipe, env: { ...own, ...more } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

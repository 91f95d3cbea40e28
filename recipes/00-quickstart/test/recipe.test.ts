import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const recipe = fileURLToPath(new URL("..", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The recipe as `npm start` runs it, for a reader who stands in `from`. */
function run(from: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const argv = ["--conditions", "@while/source", "--import", "tsx", "recipe.ts", ...args];
  const env = { ...process.env, INIT_CWD: from };
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: recipe, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "quickstart-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test("npm start prints what expected.txt says, also the second time", async () => {
  const expected = readFileSync(join(recipe, "expected.txt"), "utf8");
  for (let time = 1; time <= 2; time += 1) {
    const { code, stdout, stderr } = await run(root.replace(/\/$/, ""));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(expected);
  }
}, 300_000);

test("a reader's own file goes through the same loop, named from where they stand", async () => {
  const dir = folder();
  const rows = [1, 0, 1, 0, 1, 1, 0, 0].map((reward, i) => ({
    task_id: `t${i % 2}`,
    prompt: `Refund order ${i % 2}.`,
    final_text: `Reply number ${i} is done.`,
    reward,
  }));
  writeFileSync(join(dir, "mine.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const { code, stdout } = await run(dir, "mine.jsonl");
  expect(code).toBe(0);
  expect(stdout).toContain("# What is in mine.jsonl?\n\n8 rows of 2 tasks");
  expect(stdout).toMatch(/npx wai run mine\.jsonl -o report\n$/);
}, 300_000);

test("ungraded rows give a census and reasons, and no training file", async () => {
  const dir = folder();
  writeFileSync(join(dir, "mine.jsonl"), `{"task_id":"t","prompt":"x","final_text":"Done."}\n`);
  const { code, stdout, stderr } = await run(dir, "mine.jsonl");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("grade the rows first");
  expect(stdout).not.toContain("What does the trainer read?");
}, 300_000);

test("a file that is not there is a sentence and its fix", async () => {
  const { code, stdout, stderr } = await run(folder(), "nothing.jsonl");
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toMatch(/^error: There is no file .+\nfix: .+\n$/);
}, 300_000);

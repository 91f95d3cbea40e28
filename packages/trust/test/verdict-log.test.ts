import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openVerdictLog } from "../src/files.ts";
import { type Judge, type NormalizedResult, runJudge } from "../src/index.ts";

const OK: NormalizedResult = { reward: 1, reason: "ünïcode\n\u2028", judge_status: "ok", judge_meta: { a: [1] } };

function file(): string {
  const dir = mkdtempSync(join(tmpdir(), "verdicts-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, "deep", "verdicts.jsonl");
}

test("what was set is there when the file is opened again, in the order of setting", async () => {
  const path = file();
  const log = await openVerdictLog(path);
  await Promise.all(["a", "b", "c"].map((key) => log.set(key, { ...OK, reason: key.repeat(1e5) })));
  await log.set("d", OK);
  await log.close();
  const again = await openVerdictLog(path);
  expect([again.size, again.get("c")?.reason.length, again.get("d"), again.get("e")]).toEqual([4, 1e5, OK, undefined]);
  await again.set("e", OK);
  await again.close();
  expect(
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).key),
  ).toEqual([..."abcde"]);
});

test("a last line that was cut off is dropped, and the next one stands on a line of its own", async () => {
  const path = file();
  const log = await openVerdictLog(path);
  await log.set("a", OK);
  await log.close();
  appendFileSync(path, '{"key":"b","rew');
  const again = await openVerdictLog(path);
  expect(again.size).toBe(1);
  await again.set("c", OK);
  await again.close();
  expect((await openVerdictLog(path)).size).toBe(2);
});

test.each(["{}\n", "rows\n", '{"key":"a","reward":"1","judge_status":"ok","judge_meta":{}}\n'])(
  "a file that holds something else is refused: %j",
  async (content) => {
    const path = file();
    (await openVerdictLog(path)).close();
    writeFileSync(path, content);
    await expect(openVerdictLog(path)).rejects.toThrow(/line 1 is no verdict/);
    expect(readFileSync(path, "utf8")).toBe(content);
  },
);

test("a folder is refused", async () => {
  await expect(openVerdictLog(tmpdir())).rejects.toMatchObject({ name: "TrustError", code: "bad_file" });
});

test("a grading that broke off goes on where it stopped", async () => {
  const path = file();
  const rows = Array.from({ length: 10 }, (_, i) => ({ rollout_id: `r${i}` }));
  let calls = 0;
  const judge: Judge = Object.assign(
    () => {
      if (++calls === 7) throw Object.assign(new Error("down"), { status: 503 });
      return 1;
    },
    { version: "v1" },
  );
  const first = await openVerdictLog(path);
  expect(await runJudge(rows, judge, { verdicts: first, concurrency: 1, breakAfter: 1 })).toMatchObject({ nGraded: 6 });
  await first.close();
  const second = await openVerdictLog(path);
  const scored = await runJudge(rows, judge, { verdicts: second, concurrency: 1 });
  expect(scored).toMatchObject({ nGraded: 10, nReused: 6, nCalls: 4 });
  await second.close();
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadEvalIndex, saveEvalIndex } from "../src/files.ts";
import { buildEvalIndex, decontaminateSync } from "../src/index.ts";

const AGAINST = [
  { task_id: "a", prompt: "A farmer has twelve cows and sells 3 of them on Friday – 今天.", answer: "nine" },
  { scenario_id: "b", prompt: "cancel order 9911", privileged: { reference: "say that it is gone" } },
];
const ROWS = [
  { prompt: "Cancel order 9911!" },
  { prompt: "a farmer has twelve cows and sells 8 of them on friday 今天" },
];

function path(): string {
  const dir = mkdtempSync(join(tmpdir(), "wdx-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, "eval.wdx");
}

test.each([{}, { rules: "v1" as const }, { numbersAs: "0" as const, n: 5 }])(
  "an index of %j comes back as it was",
  async (options) => {
    const index = await buildEvalIndex(AGAINST, options);
    const file = path();
    await saveEvalIndex(file, index);
    const loaded = await loadEvalIndex(file);
    expect(loaded).toEqual(index);
    expect(decontaminateSync(ROWS, loaded, options)).toEqual(decontaminateSync(ROWS, AGAINST, options));
    const again = path();
    await saveEvalIndex(again, loaded);
    expect(readFileSync(again).equals(readFileSync(file))).toBe(true);
  },
);

test.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
  ["another file", () => Buffer.from("{}"), /is no index\. Build it again/],
  [
    "another version",
    (bytes) => Buffer.concat([bytes.subarray(0, 4), Buffer.from([2, 0, 0, 0]), bytes.subarray(8)]),
    /of version 2, and this reads version 1/,
  ],
  [
    "a byte that changed",
    (bytes) => Buffer.from(bytes.map((byte, i) => (i === 200 ? byte ^ 1 : byte))),
    /is not as it was written/,
  ],
  ["a file cut short", (bytes) => bytes.subarray(0, -40), /is not as it was written/],
])("refuses %s", async (_, changed, said) => {
  const file = path();
  await saveEvalIndex(file, await buildEvalIndex(AGAINST));
  writeFileSync(file, changed(readFileSync(file)));
  await expect(loadEvalIndex(file)).rejects.toThrow(said);
});

test("refuses an index of other rules where it is used", async () => {
  const file = path();
  await saveEvalIndex(file, await buildEvalIndex(AGAINST, { rules: "v1" }));
  const index = await loadEvalIndex(file);
  expect(() => decontaminateSync(ROWS, index)).toThrow("The index was built with rules v1, and v2 is asked for.");
});

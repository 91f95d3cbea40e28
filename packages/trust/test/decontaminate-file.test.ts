import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row } from "@while/schema";
import { describe, expect, onTestFinished, test } from "vitest";
import { decontaminateFile } from "../src/files.ts";
import {
  type DecontaminateOptions,
  type DecontaminationReport,
  decontaminate,
  decontaminateStream,
  decontaminateSync,
} from "../src/index.ts";

function folder(): (name: string, content?: string) => string {
  const dir = mkdtempSync(join(tmpdir(), "decontaminate-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return (name, content) => {
    if (content !== undefined) writeFileSync(join(dir, name), content);
    return join(dir, name);
  };
}

const THINGS = "ducks bakery muffins trains bridge garden candles violin lantern carpet".split(" ");
const ask = (i: number): string =>
  `A ${THINGS[i % 10]} shop sells ${i + 3} ${THINGS[(i * 7 + 1) % 10]} each day for $${i + 1}. How much does it take in week ${i}?`;
const AGAINST: Row[] = Array.from({ length: 40 }, (_, i) => ({ task_id: `e${i}`, prompt: ask(i), answer: String(i) }));

/** Every kind of row: clean, by id, verbatim, near, inside, reworded, unreadable, in another script, and blank lines. */
function lineOf(i: number): string {
  const near = ask(i % 40);
  const prompts = [
    `Please write a poem about ${THINGS[i % 10]} and the sea, verse ${i}.`,
    near.toUpperCase(),
    `${near} Say it.`,
    `Here is what I want you to do for me today, and do take your time with it: ${near} Then write a song of it, with a refrain that a child can sing.`,
    `In week ${i % 40}, what does the ${THINGS[(i % 40) % 10]} shop earn by selling ${(i % 40) + 3} ${THINGS[((i % 40) * 7 + 1) % 10]} daily at $${(i % 40) + 1}?`,
    "?!",
    `请写一首关于大海的诗，第${i}节。`,
  ];
  const row = { ...(i % 11 === 0 ? { task_id: `e${i % 60}` } : {}), prompt: prompts[i % 7], n: i, x: "é\u2028" };
  return i % 13 === 0 ? `  ${JSON.stringify(row)} ` : JSON.stringify(row).replaceAll("é", "\\u00e9");
}
const LINES = Array.from({ length: 240 }, (_, i) => lineOf(i));

describe("the result depends on nothing but rows and rules", () => {
  const expected = decontaminateSync(
    LINES.map((line) => JSON.parse(line)),
    AGAINST,
  );
  const clean = LINES.filter((line) => expected.rows.some((row) => row.n === (JSON.parse(line) as Row).n));

  test("the rows are of every kind", () => {
    const { nSameTask, nExact, nNear, nContains, nRelated, nUnreadable } = expected.report;
    for (const count of [nSameTask, nExact, nNear, nContains, nRelated, nUnreadable]) expect(count).toBeGreaterThan(0);
  });

  test.each([1, 2, 7].flatMap((workers) => [1, 17, 2 ** 20].map((blockBytes) => [workers, blockBytes] as const)))(
    "%i workers, blocks of %i bytes",
    async (workers, blockBytes) => {
      const path = folder();
      const file = path("train.jsonl", `${LINES.join("\n")}\n`);
      const output = path("clean.jsonl");
      const report = await decontaminateFile(file, AGAINST, { workers, blockBytes, output });
      expect(report).toEqual(expected.report);
      expect(readFileSync(output, "utf8")).toBe(`${clean.join("\n")}\n`);
    },
  );

  test.each<[DecontaminateOptions, (report: DecontaminationReport) => number]>([
    [{ jaccard: 0.6, jaccardAction: "drop", overlap: 1, containsAction: "off" }, (report) => report.nNearDuplicate],
    [{ profile: "llama2", n: 5 }, (report) => report.evalMarks!.dirty],
    [{ code: true }, (report) => report.nNear],
    [{ shingles: "chars" }, (report) => report.nNear],
    [{ longestMatch: true, skip: 2 }, (report) => report.examples.find(({ rule }) => rule === "near")!.longestMatch!],
    [
      { knownClean: LINES.slice(0, 20).map((line) => JSON.parse(line)) },
      (report) => report.falseAlarms.knownClean!.length,
    ],
  ])("with %o too, on two threads as in memory", async (options, counted) => {
    const rows = LINES.map((line) => JSON.parse(line) as Row);
    const inMemory = decontaminateSync(rows, AGAINST, options).report;
    expect(counted(inMemory)).toBeGreaterThan(0);
    const file = folder()("train.jsonl", LINES.join("\n"));
    expect(await decontaminateFile(file, AGAINST, { ...options, workers: 2, blockBytes: 4000 })).toEqual(inMemory);
  });

  test("in a stream too", async () => {
    const stream = decontaminateStream(
      LINES.map((line) => JSON.parse(line) as Row),
      AGAINST,
    );
    expect(() => stream.report()).toThrow("The rows are not through yet.");
    const kept: unknown[] = [];
    for await (const { row, hit } of stream) if (hit === null) kept.push(row.n);
    expect(kept).toEqual(expected.rows.map((row) => row.n));
    expect(stream.report()).toEqual(expected.report);
  });

  test("what half of the rows have is left out of the counting, in memory and in files", async () => {
    const file = folder()("train.jsonl", LINES.join("\n"));
    const options = { rowBackground: 0.01, n: 4 };
    const rows = LINES.map((line) => JSON.parse(line) as Row);
    const inMemory = decontaminateSync(rows, AGAINST, options).report;
    expect(inMemory.nNear).toBeLessThan(decontaminateSync(rows, AGAINST, { n: 4 }).report.nNear);
    for (const workers of [1, 2])
      expect(await decontaminateFile(file, AGAINST, { ...options, workers })).toEqual(inMemory);
    await expect(async () => decontaminateStream([], [], options as object)).rejects.toThrow(
      "rowBackground counts the rows",
    );
  });
});

test("a byte-order mark, CRLF, blank lines and a last line without an end", async () => {
  const path = folder();
  const file = path("a.jsonl", `\ufeff{"prompt":"one"}\r\n\r\n{"prompt":"two"}\r\n7\n{"prompt":"three"}`);
  const report = await decontaminateFile(file, [{ prompt: "Two" }], { output: path("b.jsonl") });
  expect(report).toMatchObject({ n: 3, nExact: 1 });
  expect(readFileSync(path("b.jsonl"), "utf8")).toBe(`\ufeff{"prompt":"one"}\r\n\r\n{"prompt":"three"}`);
});

test("an empty file is no rows", async () => {
  const path = folder();
  expect(await decontaminateFile(path("a.jsonl", ""), AGAINST, { output: path("b.jsonl") })).toMatchObject({
    n: 0,
    nKept: 0,
  });
  expect(readFileSync(path("b.jsonl"), "utf8")).toBe("");
});

test.each([1, 2])("a line that is no JSON is named, and nothing is left behind (%i workers)", async (workers) => {
  const path = folder();
  const file = path("a.jsonl", '{"prompt":"one"}\n\n{"prompt"\n{"prompt":"two"}\n');
  const options = { output: path("b.jsonl"), workers, blockBytes: 1 };
  await expect(decontaminateFile(file, AGAINST, options)).rejects.toThrow(/a\.jsonl, line 3 is no JSON\. Correct it/);
  expect(readdirSync(path("."))).toEqual(["a.jsonl"]);
  const report = await decontaminateFile(file, AGAINST, { ...options, onBadRow: "skip" });
  expect(report.warnings).toEqual(["1 line could not be read and was left out."]);
  expect(readFileSync(options.output, "utf8")).toBe('{"prompt":"one"}\n\n{"prompt":"two"}\n');
});

test("evaluation files are read by their path", async () => {
  const path = folder();
  const against = path("eval.jsonl", AGAINST.map((row) => JSON.stringify(row)).join("\n"));
  const file = path("train.jsonl", LINES.join("\n"));
  const { report } = await decontaminate(
    LINES.map((line) => JSON.parse(line)),
    AGAINST,
  );
  expect(await decontaminateFile(file, against)).toEqual(report);
});

test.each([
  [{ workers: -1 }, /^workers is -1\./],
  [{ blockBytes: 0 }, /^blockBytes is 0\./],
  [{ onBadRow: "drop" as "skip" }, /^onBadRow is "drop"\. Pass error or skip\./],
])("refuses %j", async (options, said) => {
  await expect(decontaminateFile(folder()("a.jsonl", ""), AGAINST, options)).rejects.toThrow(said);
});

test("a file that is not there", async () => {
  await expect(decontaminateFile("nothing.jsonl", AGAINST)).rejects.toThrow("There is no file nothing.jsonl.");
});

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readCsv, readRowFiles, writeCsv } from "../../src/files.ts";
import type { Row } from "../../src/index.ts";
import { testFolder } from "./folder.ts";

const { path, write } = testFolder();

async function rowsOf(name: string, content: string | Uint8Array, options: object = {}): Promise<Row[]> {
  return (await readRowFiles([write(name, content)], options)).rows;
}

test("columns whose meaning is known have their types; ids keep their zeros, empty cells are absent", async () => {
  const text = [
    "scenario_id,prompt,final_text,reward,rollout_index,seed,steps,markers.brief,markers.kind,usage,note",
    '0012,p,f,0.5,3,7,"[{""text"": ""x""}]",1,,"{""input_tokens"": 9}",12',
    "0013,p,,,,,,,0.25,,",
  ].join("\n");
  expect(await rowsOf("typed.csv", text)).toEqual([
    {
      ...{ scenario_id: "0012", prompt: "p", final_text: "f", reward: 0.5, rollout_index: 3, seed: 7, note: "12" },
      ...{ steps: [{ text: "x" }], markers: { brief: 1 }, usage: { input_tokens: 9 } },
    },
    { scenario_id: "0013", prompt: "p", markers: { kind: 0.25 } },
  ]);
});

test.each([
  [",", "comma"],
  [";", "semicolon"],
  ["\t", "tab"],
  ["|", "bar"],
])("cells cut by %j are found by the header", async (delimiter, name) => {
  const text = `"prompt"${delimiter}"final_text"${delimiter}"reward"\r\n"a, b; c|d\te"${delimiter}"x\r\ny"${delimiter}1\r\n`;
  const { rows, report } = await readRowFiles([write(`${name}.csv`, text)]);
  expect(rows).toMatchObject([{ prompt: "a, b; c|d\te", final_text: "x\r\ny", reward: 1 }]);
  expect(report.files[0]).toMatchObject({ container: "csv", delimiter, format: "loose", records: 1 });
});

test("the delimiter that is given holds, and one that does not fit is said", async () => {
  const text = "a;b;prompt,final_text\n1;2;3,c\n";
  expect(await rowsOf("given.csv", text, { delimiter: ",", format: "while" })).toEqual([
    { "a;b;prompt": "1;2;3", final_text: "c" },
  ]);
  expect(await rowsOf("found.csv", text, { format: "while" })).toEqual([
    { a: "1", b: "2", "prompt,final_text": "3,c" },
  ]);
  await expect(rowsOf("cut.csv", "prompt;final_text\na;b\n", { delimiter: "," })).rejects.toThrow(
    /is one column and looks cut by ";"\. Pass delimiter: ";"/,
  );
});

test.each([
  ["ragged.csv", 'prompt,final_text\n"two\nlines",b\na\n', "line 4 has 1 cell and the header has 2"],
  ["long.csv", "prompt,final_text\na,b,c\n", "line 2 has 3 cells and the header has 2"],
  ["double.csv", "prompt,reward,prompt\na,1,b\n", 'has two columns called "prompt"'],
  ["nameless.csv", "prompt,,reward\na,b,1\n", "Column 2"],
  ["quote.csv", 'prompt,final_text\r\na,b\r\n"x"y,c\r\n', "line 3 has a quote that is not closed, or text behind"],
  ["open.csv", 'prompt,final_text\na,b\n"x,c\n', "line 3 has a quote that is not closed"],
  ["header.csv", "prompt,final_text\n", "has a header and no rows"],
  ["empty.csv", "", "is empty"],
  ["nan.csv", "prompt,final_text,reward\na,b,NaN\n", 'line 2: reward is the text "NaN"'],
  ["three.csv", "prompt,final_text,reward\na,b,1\na,b,3\n", "line 3: reward is 3, outside 0 to 1"],
])("%s is refused: %s", async (name, content, what) => {
  await expect(rowsOf(name, content)).rejects.toThrow(what);
});

test("ragged lines are skipped when that is asked, and all are counted", async () => {
  const text = "prompt,final_text\na,b\nc\nd,e\nf,g,h\n";
  await expect(rowsOf("many.csv", text)).rejects.toThrow(/has 2 bad rows: line 3 has 1 cell .*; line 5 has 3 cells/);
  const { rows, report } = await readRowFiles([path("many.csv")], { onBadRow: "skip" });
  expect(rows.map(({ prompt }) => prompt)).toEqual(["a", "d"]);
  expect(report).toMatchObject({ nBadLines: 2, records: 2, badLines: [{ line: 3 }, { line: 5 }] });
  await expect(readCsv(path("many.csv"))).rejects.toThrow(/has 2 bad rows/);
});

test("what a number cannot hold stays text, and NaN inside a cell is counted", async () => {
  const text =
    'prompt,final_text,ts,usage,steps\np,f,1700000000123456789,"{""n"":NaN}","[{""tool"":""t"",""arguments"":{""id"":9007199254740993}}]"\n';
  const { rows, report } = await readRowFiles([write("notes.csv", text)]);
  expect(rows[0]).toMatchObject({
    ...{ ts: "1700000000123456789", usage: { n: null }, steps: [{ arguments: { id: "9007199254740993" } }] },
  });
  expect(report).toMatchObject({ nonFinite: 1, unsafeIntegers: 1 });
  expect(report.warnings[0]?.text).toContain(":2.");
});

test("bytes that are not UTF-8 are refused, or replaced when that is asked", async () => {
  const bytes = Buffer.concat([Buffer.from("prompt,final_text\nGr"), Buffer.from([0xfc]), Buffer.from("n,f\n")]);
  await expect(rowsOf("latin.csv", bytes)).rejects.toThrow(/is not UTF-8 at byte 2[01]\b/);
  expect(await rowsOf("latin.csv", bytes, { invalidUtf8: "replace" })).toMatchObject([{ prompt: "Gr\ufffdn" }]);
});

test("a CSV file is known by its header when its name says nothing, and packed too", async () => {
  expect(await rowsOf("table", "task_id,prompt,final_text\nt,p,f\n")).toMatchObject([{ task_id: "t" }]);
  expect(await rowsOf("table.csv.gz", gzipSync("question,answer\nq,a\n"))).toMatchObject([
    { prompt: "q", final_text: "a" },
  ]);
});

test("verdicts that a table writes as words are verdicts", async () => {
  const rows = await rowsOf("words.csv", "prompt,final_text,reward\na,b,True\na,c,false\n");
  expect(rows.map(({ reward }) => reward)).toEqual([1, 0]);
});

test("the lines of a table as they stand", async () => {
  expect(await readCsv(write("labels.csv", "rollout_id;label\n007;1\n"))).toEqual({
    rows: [{ rollout_id: "007", label: 1 }],
    delimiter: ";",
  });
});

test("rows are written with a column for every key, and lists as JSON", async () => {
  const rows: Row[] = [
    { scenario_id: "01", prompt: 'say "hi", then\nleave', reward: 1, markers: { brief: 1 } },
    { scenario_id: "02", steps: [{ text: "x" }], reward: null, markers: { kind: 0 } },
  ];
  await writeCsv(path("out.csv"), rows);
  expect(readFileSync(path("out.csv"), "utf8")).toBe(
    [
      "scenario_id,prompt,reward,markers.brief,steps,markers.kind",
      '01,"say ""hi"", then',
      'leave",1,1,,',
      '02,,,,"[{""text"":""x""}]",0',
      "",
    ].join("\n"),
  );
  expect((await readRowFiles([path("out.csv")])).rows).toEqual([rows[0], { ...rows[1], reward: undefined }]);
});

test("texts that a spreadsheet would run are disarmed when that is asked", async () => {
  const rows: Row[] = [{ prompt: "=1+1", final_text: "@x", note: "-3", n: -3 }];
  await writeCsv(path("safe.csv"), rows, { spreadsheetSafe: true });
  expect(readFileSync(path("safe.csv"), "utf8")).toBe("prompt,final_text,note,n\n'=1+1,'@x,'-3,-3\n");
});

test("text in any cell comes back as it was", async () => {
  const cell = fc.string({
    unit: fc.constantFrom("a", ",", ";", '"', "\n", "\r", "'", " ", "é", "😀", "\t", "="),
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ scenario_id: cell, prompt: cell, final_text: cell }), { minLength: 1 }),
      async (rows) => {
        await writeCsv(path("law.csv"), rows);
        expect((await readRowFiles([path("law.csv")], { format: "while" })).rows).toEqual(rows);
      },
    ),
    { numRuns: 60 },
  );
});

test("a row over many pieces of the file is one row, and those behind it are others", async () => {
  const long = 'x, "y"\r\n'.repeat(60_000);
  const cell = `"${long.replaceAll('"', '""')}"`;
  const text = `prompt,final_text,reward\r\na,b,1\r\n${cell},${cell},0\r\nc,d,1\r\n`;
  expect(await rowsOf("long.csv", text)).toMatchObject([
    { prompt: "a", reward: 1 },
    { prompt: long, final_text: long, reward: 0 },
    { prompt: "c", final_text: "d", reward: 1 },
  ]);
});

test("a document in one line that is called a table, and a quote that never closes, are refused without an end to wait for", async () => {
  const document = `{"prompt":"${"x".repeat(65 * 2 ** 20)}"}`;
  await expect(rowsOf("document.csv", document)).rejects.toMatchObject({
    code: "bad_line",
    what: expect.stringMatching(/document\.csv, line 1 begins a row of more than 64 MiB/),
    fix: expect.stringMatching(/If the file is JSON, name it \.json\./),
  });
  const open = `prompt,final_text\na,b\n"c,${"d\n".repeat(33 * 2 ** 20)}`;
  await expect(rowsOf("open.csv", open)).rejects.toMatchObject({
    code: "bad_line",
    what: expect.stringMatching(/open\.csv, line 3 begins a row of more than 64 MiB, in a quote that is not closed/),
  });
});

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import type { SchemaElement } from "hyparquet";
import { ByteWriter, parquetWrite } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { readRowFiles, streamRowFiles, writeParquet } from "../../src/files.ts";
import { type Row, SchemaError } from "../../src/index.ts";
import { testFolder } from "./folder.ts";

const { path, write } = testFolder();

/** Written by pyarrow 26: nested columns, dates, decimals, bytes, in each of its codecs and page versions. */
const fixture = (name: string) => new URL(`../fixtures/parquet/${name}.parquet`, import.meta.url).pathname;

const asked = [{ role: "user", content: "Où est 📦?" }];
const called = {
  ...{ role: "assistant", content: "" },
  tool_calls: [{ id: "c1", function: { name: "track", arguments: '{"order": 7}' } }],
};

describe("a table of another program", () => {
  test.each(["snappy", "gzip", "zstd", "brotli", "lz4", "pages-v2"])("%s", async (name) => {
    const { rows, report } = await readRowFiles([fixture(name)], { format: "while" });
    const [first, second] = rows as [Row, Row];
    expect(second).toEqual({
      ...{ scenario_id: "12", reward: 0, grid: [] },
      messages: [
        { role: "user", content: "b" },
        { role: "assistant", content: "c" },
      ],
    });
    expect(first).toMatchObject({
      // An id keeps its digits, another integer becomes the nearest number.
      ...{ scenario_id: "9007199254740993", big: 2 ** 60, reward: 1 },
      messages: [...asked, called, { role: "tool", content: "shipped" }, { role: "assistant", content: "Shipped." }],
      ...{ price: -1234.05, day: "2026-01-02", at: "03:04:05.000007" },
      // With a zone, and without one.
      ...{ created: "2026-01-02T03:04:05.123456Z", local: "1969-12-31T23:59:59.005" },
      ...{ tags: ["a", null], grid: [[1, 2], [], null], image: "/wAB" },
    });
    expect(Object.hasOwn(first, "loss")).toBe(false);
    expect(JSON.stringify(first.counts)).toBe('{"k":1,"__proto__":2}');
    expect(Object.getOwnPropertyDescriptor(first, "__proto__")?.value).toHaveProperty("__proto__", "x");
    expect(Object.getPrototypeOf(first)).toBe(Object.prototype);
    expect(report.files[0]).toMatchObject({ container: "parquet", format: "while", records: 2, rows: 2 });
    expect(report).toMatchObject({ nonFinite: 1, unsafeIntegers: 2 });
    expect(report.warnings.map(({ code }) => code)).toEqual(["non_finite", "unsafe_integers", "binary"]);
    expect(report.warnings[2]!.text).toContain(
      "1 value is bytes and no text, and read as base64; the first stands under",
    );
  });

  test("its chats are read as chats", async () => {
    const { rows, report } = await readRowFiles([fixture("zstd")], { format: "openai-chat" });
    expect(report.format).toBe("openai-chat");
    expect(rows[0]).toMatchObject({
      prompt: "Où est 📦?",
      steps: [{ tool: "track", arguments: { order: 7 }, result: "shipped" }, { text: "Shipped." }],
    });
  });

  test("one row group is read slice by slice, every row once and in its place", async () => {
    const reached: number[] = [];
    const stream = streamRowFiles([fixture("one-group")], { onProgress: ({ bytes }) => reached.push(bytes) });
    let n = 0;
    for await (const row of stream) {
      expect(row).toMatchObject({ prompt: `ask ${n}`, final_text: n % 3 === 0 ? "" : `answer ${n}`, reward: n % 2 });
      n++;
    }
    expect(n).toBe(12_000);
    const { length } = readFileSync(fixture("one-group"));
    expect(reached).toEqual([length / 2, length]);
  });

  test("lists of lists over many pages", async () => {
    const { rows } = await readRowFiles([fixture("lists")], { format: "while" });
    const call = (t: number) => (n: number) => ({ id: `c${t}`, n });
    const message = (i: number) => (t: number) => ({
      ...{ role: t % 2 === 0 ? "user" : "assistant", content: `${i}.${t}` },
      ...(t % 2 === 0 ? {} : { tool_calls: counted(t % 3, call(t)) }),
    });
    expect(rows).toEqual(
      counted(40, (i) => ({
        ...{ scenario_id: `s${i}`, reward: i % 2, messages: counted(1 + (i % 6), message(i)) },
        ...(i % 4 === 0 ? {} : { tags: counted((i % 4) - 1, (j) => (j === 0 ? null : `t${j}`)) }),
      })),
    );
  });

  test("every encoding of a page", async () => {
    const { rows } = await readRowFiles([fixture("encodings")], { format: "while" });
    const there = (i: number, cells: object) => (i % 7 === 3 ? {} : cells);
    expect(rows).toEqual(
      counted(60, (i) => ({
        ...{ scenario_id: `s${i}`, prompt: `ask ${i}`, final_text: `answer ${Math.floor(i / 3)}`, reward: (i % 5) / 4 },
        ...there(i, { packed: i * i * 1000 - 7, small: 4294967295 - i, split: i / 4 }),
        ...there(i, { flag: i % 3 === 0, kind: `k${i % 5}` }),
      })),
    );
  });

  test("a table of DuckDB, which takes the differences of unsigned numbers with 33 bits", async () => {
    const { rows } = await readRowFiles([fixture("duckdb")], { format: "while" });
    const message = (role: string, content: string) => ({ role, content });
    expect(rows).toEqual(
      counted(40, (i) => ({
        ...{ scenario_id: `s${i}`, small: 4294967295 - i, n: 10 * i, counts: { a: i / 2 }, flag: i % 2 === 0 },
        messages: [message("user", `ask ${i}`), message("assistant", `answer ${i}`)],
      })),
    );
  });

  test("a name with a dot in it is none of the names it could be put together from", async () => {
    const file = nested(
      "dots.parquet",
      [{ "a.b": "flat", a: { b: "deep", "b.c": "dot", d: { c: "end" } } }],
      [
        { name: "root", num_children: 2 },
        { ...utf8, name: "a.b" },
        { ...optional, name: "a", num_children: 3 },
        { ...utf8, name: "b" },
        { ...utf8, name: "b.c" },
        { ...optional, name: "d", num_children: 1 },
        { ...utf8, name: "c" },
      ],
    );
    const { rows } = await readRowFiles([file], { format: "while" });
    expect(rows).toMatchObject([{ "a.b": "flat", a: { b: "deep", "b.c": "dot", d: { c: "end" } } }]);
  });

  test("whatever is nested comes back, over pages and row groups of any size", async () => {
    const text = fc.option(fc.string({ unit: "grapheme", maxLength: 4 }), { nil: null });
    const call = fc.record({ name: text, arguments: fc.option(fc.array(text, { maxLength: 3 }), { nil: null }) });
    const message = fc.record({ role: text, calls: fc.option(fc.array(call, { maxLength: 3 }), { nil: null }) });
    const row = fc.record({
      talk: fc.option(fc.array(fc.option(message, { nil: null }), { maxLength: 4 }), { nil: null }),
      about: fc.option(fc.record({ kind: text, sizes: fc.array(fc.integer(), { maxLength: 2 }) }), { nil: null }),
      score: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: null }),
    });
    const sizes = { rows: fc.array(row, { minLength: 1, maxLength: 30 }), page: fc.integer({ min: 1, max: 200 }) };
    await fc.assert(
      fc.asyncProperty(
        fc.record({ ...sizes, group: fc.integer({ min: 1, max: 40 }) }),
        async ({ rows, page, group }) => {
          const file = nested("nested.parquet", rows, NESTED, { pageSize: page, rowGroupSize: group });
          const { rows: seen } = await readRowFiles([file], { format: "while", duplicates: "keep" });
          const cells = seen.map(({ talk, about, score }) => ({ talk, about, score }));
          expect(JSON.parse(JSON.stringify(cells))).toEqual(rows.map((one) => fieldsThere(one)));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("it is known by its bytes: under another name, and packed", async () => {
    const bytes = readFileSync(fixture("snappy"));
    const { rows } = await readRowFiles([fixture("snappy")]);
    for (const [name, content] of [
      ["rows.jsonl", bytes],
      ["rows.parquet.gz", gzipSync(bytes)],
    ] as const) {
      expect((await readRowFiles([write(name, content)])).rows).toMatchObject(
        rows.map(({ lineage: _, rollout_id: __, ...row }) => row),
      );
    }
  });

  test("flattened columns and columns of JSON are put back together; text that is none stays", async () => {
    const file = table("flat.parquet", [
      { name: "prompt", data: ["p", "q"] },
      { name: "final_text", data: ["f", "[not JSON"] },
      { name: "steps_json", data: ['[{"tool": "t", "result": 1}]', null] },
      { name: "usage", data: ['{"input_tokens": 3}', null] },
      { name: "markers.kind", data: [0.5, null], type: "DOUBLE" as const },
      { name: "note", data: ["[1]", "{}"] },
    ]);
    const { rows } = await readRowFiles([file], { format: "while" });
    expect(rows).toEqual([
      {
        ...{ prompt: "p", final_text: "f", steps: [{ tool: "t", result: 1 }] },
        ...{ usage: { input_tokens: 3 }, markers: { kind: 0.5 }, note: "[1]" },
      },
      { prompt: "q", final_text: "[not JSON", note: "{}" },
    ]);
  });
});

describe("what is refused says where and what to do", () => {
  const whole = readFileSync(fixture("snappy"));
  const swapped = (at: number, text: string) => {
    const bytes = Buffer.from(whole);
    bytes.write(text, at < 0 ? bytes.length + at : at, "latin1");
    return bytes;
  };
  test.each([
    ["cut.parquet", whole.subarray(0, 2000), "is Parquet that breaks off before its end"],
    ["head.parquet", whole.subarray(0, 6), "is Parquet that breaks off before its end"],
    ["secret.parquet", swapped(-4, "PARE"), "is encrypted Parquet"],
    ["footer.parquet", swapped(-8, "\xff\xff\xff\x7f"), "is damaged Parquet"],
    ["page.parquet", swapped(4, "\xff".repeat(40)), "is damaged Parquet"],
    // One byte of a page's header, with which the library read truth values of no bytes for over a minute.
    ["busy.parquet", swapped(568, "X"), "is damaged Parquet: a page has no size"],
  ])("%s", async (name, content, what) => {
    const file = write(name, content);
    const error = await readRowFiles([file], { format: "while" }).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "SchemaError", code: "bad_file", place: { file } });
    expect(error.what).toContain(what);
    expect(error.fix).not.toBe("");
  });

  test("a table without rows, and one with two columns of one name", async () => {
    const empty = path("empty.parquet");
    await writeParquet(empty, []);
    await expect(readRowFiles([empty])).rejects.toThrow(/empty\.parquet is a table without rows\./);
    const twice = table("twice.parquet", [
      { name: "prompt", data: ["a"] },
      { name: "prompt", data: ["b"] },
    ]);
    await expect(readRowFiles([twice])).rejects.toThrow(/has two columns called "prompt"\. Rename one of them\./);
  });

  test("a bad value is named by its row, and skipped where that is asked", async () => {
    const file = table("bad.parquet", [
      { name: "prompt", data: ["a", "b", "c"] },
      { name: "final_text", data: ["a", "b", "c"] },
      { name: "reward", data: [1, 3, 0], type: "DOUBLE" as const },
    ]);
    await expect(readRowFiles([file])).rejects.toThrow("row 2: reward is 3, outside 0 to 1");
    const { rows, report } = await readRowFiles([file], { onBadRow: "skip" });
    expect(rows.map(({ prompt }) => prompt)).toEqual(["a", "c"]);
    expect(report).toMatchObject({ nBadLines: 1, badLines: [{ line: 2 }] });
  });

  test("text that is not UTF-8, unless it is to be replaced", async () => {
    const file = path("latin1.parquet");
    await writeParquet(file, [{ prompt: "Gruesse aus Muenchen", final_text: "f", scenario_id: "s" }]);
    const bytes = readFileSync(file);
    for (let at = bytes.indexOf("Gruesse"); at >= 0; at = bytes.indexOf("Gruesse", at + 1)) bytes[at + 2] = 0xfc;
    writeFileSync(file, bytes);
    await expect(readRowFiles([file])).rejects.toThrow(/has text that is not UTF-8\. Read it with invalidUtf8/);
    const { rows } = await readRowFiles([file], { invalidUtf8: "replace" });
    expect(rows[0]!.prompt).toBe("Gr\ufffdesse aus Muenchen");
  });

  test("no damage of one byte is read as rows of another number, and none stops the process", async () => {
    const { length } = whole;
    await fc.assert(
      fc.asyncProperty(fc.nat(length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at]! + by) % 256;
        const file = write("mutated.parquet", bytes);
        const read = await readRowFiles([file], { format: "while" }).catch((error) => error);
        if (!(read instanceof Error)) expect(read.rows).toHaveLength(2);
        else expect(read.name, String(read.stack)).toBe("SchemaError");
      }),
      { numRuns: 200 },
    );
  });
});

describe("writing", () => {
  test("a column has one type whatever its rows are, and the file says which are JSON", async () => {
    const file = path("types.parquet");
    const rows = [
      {
        scenario_id: "0012",
        prompt: "p",
        final_text: "f",
        reward: 1,
        rollout_index: 0,
        markers: { polite: 1, brief: 0 },
      },
      {
        scenario_id: "0013",
        prompt: "q",
        final_text: "",
        reward: null,
        markers: { brief: 0.5 },
        steps: [{ tool: "t" }],
      },
      { scenario_id: "0014", prompt: "r", final_text: "", mixed: 1, flag: true, ts: 1_735_689_600_000_000_000 },
      { scenario_id: "0015", prompt: "s", final_text: "", mixed: "[a", flag: false, note: "[1]" },
    ];
    expect(await writeParquet(file, rows)).toMatchObject({ path: file, rows: 4, nonFinite: 0 });
    const { rows: back, report } = await readRowFiles([file]);
    const { reward: _, ...second } = rows[1]!;
    expect(back).toEqual([rows[0], second, rows[2], rows[3]]);
    expect(report.warnings).toEqual([]);
    // Without what the file says of itself, as another program sees them.
    const bytes = readFileSync(file);
    bytes.write("other.columns", bytes.indexOf("while.columns"));
    const plain = (await readRowFiles([write("plain.parquet", bytes)])).rows;
    expect(plain.map(({ mixed, note }) => [mixed, note])).toEqual(
      [[], [], ["1"], ['"[a"', "[1]"]].map(([a, b]) => [a, b]),
    );
    expect(plain[0]).toMatchObject({ reward: 1, markers: { polite: 1, brief: 0 } });
  });

  const text = fc.string({ unit: "grapheme", maxLength: 12 });
  const key = fc.oneof(
    text.filter((name) => name !== "" && !/_json$/.test(name)),
    fc.constantFrom("__proto__", "constructor", "toString", "markers.x", "steps", "metadata", "length"),
  );
  const json = fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" }).map(withoutNegativeZero);
  const row = fc
    .record(
      {
        rollout_index: fc.nat(9),
        reward: fc.constantFrom(0, 0.25, 1),
        tools_used: fc.array(text, { maxLength: 2 }),
        markers: fc.dictionary(text, fc.constantFrom(0, 0.5, 1), { maxKeys: 2 }),
        lineage: fc.dictionary(key, text, { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    )
    .chain((known) =>
      fc
        .dictionary(key, json, { maxKeys: 4 })
        .map((unknown) => withOwn(unknown, { ...known, prompt: "p", final_text: "f" })),
    );

  test("rows come back as they were, unknown keys with them; a key that was null is absent", async () => {
    const file = path("laws.parquet");
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
        const named = rows.map((one, i) => withOwn(one, { scenario_id: `s${i}` }));
        const report = await writeParquet(file, named);
        expect(report.rows).toBe(rows.length);
        const options = { format: "while", onBadRow: "skip", duplicates: "keep" } as const;
        const { rows: seen } = await readRowFiles([file], options);
        const jsonl = write("laws.jsonl", named.map((one) => `${JSON.stringify(withoutNulls(one))}\n`).join(""));
        const expected = await readRowFiles([jsonl], options);
        expect(seen.map(sorted)).toEqual(expected.rows.map(sorted));
      }),
      { numRuns: 60 },
    );
  });

  test("rows of many groups, from a stream, with what is true of all of them beside the file", async () => {
    const file = path("many.parquet");
    async function* rows(): AsyncGenerator<Row> {
      for (let i = 0; i < 25_000; i++) yield { scenario_id: `s${i}`, prompt: "p", final_text: `${i}`, reward: i % 2 };
    }
    const meta = { system_prompt: "Be brief." };
    expect(await writeParquet(file, rows(), { meta: () => meta })).toMatchObject({ rows: 25_000 });
    const { rows: back, report } = await readRowFiles([file]);
    expect(back.every((one, i) => one.final_text === `${i}` && one.reward === i % 2)).toBe(true);
    expect([...report.systemPrompts.values()]).toEqual(["Be brief."]);
  });

  test("a row that fails leaves neither a file nor its scratch", async () => {
    const file = path("deep/none.parquet");
    const round: Row = { prompt: "p" };
    round.self = round;
    await expect(writeParquet(file, [{ prompt: "a" }, round])).rejects.toThrow(/Row 2 nests deeper than 512 levels/);
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(dirname(file))).toEqual([]);
    await expect(writeParquet(file, [{ "half\ud83d": 1 }])).rejects.toThrow(/half a surrogate pair/);
  });

  test("what no column can hold is counted", async () => {
    const file = path("counted.parquet");
    const report = await writeParquet(file, [
      { prompt: "a\ud83d", final_text: "f", x: Number.NaN, y: 10n, scenario_id: "s" },
    ]);
    expect(report).toMatchObject({ nonFinite: 1, loneSurrogates: 1, stringified: 1 });
    expect((await readRowFiles([file])).rows[0]).toEqual({
      prompt: "a\ufffd",
      final_text: "f",
      y: "10",
      scenario_id: "s",
    });
  });
});

const optional = { repetition_type: "OPTIONAL" } as const;
const repeated = { name: "list", repetition_type: "REPEATED" } as const;
const utf8 = { ...optional, type: "BYTE_ARRAY", converted_type: "UTF8" } as const;

/** Lists of structs in lists of structs, as Arrow writes them. */
const NESTED: SchemaElement[] = [
  { name: "root", num_children: 3 },
  { ...optional, name: "talk", num_children: 1, converted_type: "LIST" },
  { ...repeated, num_children: 1 },
  { ...optional, name: "element", num_children: 2 },
  { ...utf8, name: "role" },
  { ...optional, name: "calls", num_children: 1, converted_type: "LIST" },
  { ...repeated, num_children: 1 },
  { name: "element", repetition_type: "REQUIRED", num_children: 2 },
  { ...utf8, name: "name" },
  { ...optional, name: "arguments", num_children: 1, converted_type: "LIST" },
  { ...repeated, num_children: 1 },
  { ...utf8, name: "element" },
  { ...optional, name: "about", num_children: 2 },
  { ...utf8, name: "kind" },
  { name: "sizes", repetition_type: "REQUIRED", num_children: 1, converted_type: "LIST" },
  { ...repeated, num_children: 1 },
  { name: "element", repetition_type: "REQUIRED", type: "INT32" },
  { ...optional, name: "score", type: "DOUBLE" },
];

function nested(name: string, rows: readonly object[], schema: SchemaElement[], sizes: object = {}): string {
  const writer = new ByteWriter();
  const depth = (at: number): number => {
    let next = at + 1;
    for (let i = 0; i < (schema[at]!.num_children ?? 0); i++) next = depth(next);
    return next;
  };
  const names: string[] = [];
  for (let at = 1; at < schema.length; at = depth(at)) names.push(schema[at]!.name);
  const columnData = names.map((column) => ({
    name: column,
    data: rows.map((row) => (row as Record<string, unknown>)[column]),
  }));
  parquetWrite({ writer, columnData, schema, ...sizes });
  return write(name, writer.getBytes());
}

/** Without the fields of structs that are null; an item that is null stays. */
function fieldsThere(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => fieldsThere(item));
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? 0 : value;
  const there = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(there.map(([name, field]) => [name, fieldsThere(field)]));
}

function counted<T>(n: number, make: (i: number) => T): T[] {
  return Array.from({ length: n }, (_, i) => make(i));
}

type Column = { name: string; data: unknown[]; type?: "DOUBLE" };

function table(name: string, columns: Column[]): string {
  const bytes = new ByteWriter();
  const columnData = columns.map((column) => ({ type: "STRING" as const, ...column }));
  parquetWrite({ writer: bytes, columnData });
  return write(name, bytes.getBytes());
}

function withOwn(one: object, more: object): Row {
  const all = {};
  for (const [name, value] of [...Object.entries(one), ...Object.entries(more)]) {
    Object.defineProperty(all, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return all;
}

function withoutNulls(one: Row): Row {
  return Object.entries(one).reduce(
    (all, [name, value]) => (value === null ? all : withOwn(all, own(name, value))),
    {},
  );
}

test("each byte of what describes a table may be another one: it is read, or refused in our words", async () => {
  const whole = readFileSync(fixture("lz4"));
  let refused = 0;
  for (let at = whole.length - 700; at < whole.length; at += 7) {
    const bytes = Buffer.from(whole);
    bytes[at]! ^= 0xff;
    const file = write("flipped.parquet", bytes);
    const error = await readRowFiles([file], { onBadRow: "skip" }).then(
      () => null,
      (thrown) => thrown,
    );
    if (error === null) continue;
    refused++;
    expect(error).toBeInstanceOf(SchemaError);
    expect(error).toMatchObject({
      place: { file },
      what: expect.not.stringMatching(/undefined|NaN|is not a function/),
    });
  }
  expect(refused).toBeGreaterThan(20);
});

test("a column that is none of the schema's is refused before it is read: nobody would wait for it", async () => {
  const whole = readFileSync(fixture("zstd")).toString("latin1");
  // The last time that the name stands there, it is the path of a column of the group.
  const at = whole.lastIndexOf("price");
  const bytes = Buffer.from(`${whole.slice(0, at)}prize${whole.slice(at + 5)}`, "latin1");
  await expect(readRowFiles([write("astray.parquet", bytes)])).rejects.toThrow(
    /astray\.parquet is damaged Parquet: its columns are not those of its schema/,
  );
});

function own(name: string, value: unknown): object {
  return Object.fromEntries([[name, value]]);
}

function sorted(one: Row): [string, unknown][] {
  return Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1));
}

function withoutNegativeZero(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

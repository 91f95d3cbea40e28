import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ReadFilesOptions, type ReadProgress, readRowFiles, streamRowFiles } from "../../src/files.ts";
import { type Row, readRows, SchemaError } from "../../src/index.ts";
import { testFolder } from "./folder.ts";
import { type ZipPart, zipOf, zstdBomb, zstdOf } from "./zip-of.ts";

/** Written by Inspect itself (0.3.285, mockllm), with its events cut short. */
const REAL = fileURLToPath(new URL("../fixtures/inspect/2026-01-02T03-04-05_arith_t2.eval", import.meta.url));
const { write } = testFolder();

const about = {
  ...{ eval_id: "e1", run_id: "r1", task: "arith", model: "openai/m" },
  ...{ dataset: { samples: 90, sample_ids: [7, "b/1"] }, config: { epochs: 2 }, scorers: [{ name: "match" }] },
};
const header = { version: 2, status: "success", eval: about, results: { total_samples: 2, completed_samples: 2 } };
const start = { version: 2, eval: about, plan: {} };

function sample(id: number | string, epoch: number, more: object = {}) {
  return {
    ...{ id, epoch, input: "What is 7 * 6?", target: "42" },
    messages: [
      { role: "user", content: "What is 7 * 6?" },
      { role: "assistant", content: "42" },
    ],
    output: { choices: [{ message: { role: "assistant", content: "42" }, stop_reason: "stop" }] },
    scores: { match: { value: "C" } },
    ...more,
  };
}

const summary = ({ id, epoch, scores }: ReturnType<typeof sample>) => ({ id, epoch, scores });

type Method = Exclude<ZipPart["method"], undefined>;

function part(name: string, value: unknown, method: Method = 8): ZipPart {
  return { name, content: JSON.stringify(value), method };
}

const samples = [sample(7, 1), sample("b/1", 1)];

/** A log that came to its end. */
function logParts(method: Method = 8, list: readonly ReturnType<typeof sample>[] = samples): ZipPart[] {
  return [
    part("_journal/start.json", start, method),
    ...list.map((one) => part(`samples/${one.id}_epoch_${one.epoch}.json`, one, method)),
    part("_journal/summaries/1.json", list.map(summary), method),
    part("summaries.json", list.map(summary), method),
    part("reductions.json", [{ scorer: "match", samples: [] }], method),
    part("header.json", header, method),
  ];
}

let n = 0;
async function read(parts: readonly ZipPart[], options: ReadFilesOptions = {}) {
  return await readRowFiles([write(`log-${n++}.eval`, zipOf(parts))], options);
}

async function faultOf(bytes: Uint8Array, options: ReadFilesOptions = {}): Promise<SchemaError> {
  const file = write("bad.eval", bytes);
  try {
    await readRowFiles([file], options);
  } catch (error) {
    expect(error).toBeInstanceOf(SchemaError);
    expect((error as SchemaError).place.file).toBe(file);
    return error as SchemaError;
  }
  throw new Error("It was read.");
}

/** A row without what its file is called. */
const bare = ({ lineage: _, ...row }: Row) => row;

describe("a log in its archive is the log as JSON", () => {
  test("the log that Inspect wrote", async () => {
    const { rows, report } = await readRowFiles([REAL]);
    expect(rows.map(({ scenario_id, rollout_index, reward }) => [scenario_id, rollout_index, reward])).toEqual([
      ["arith/7", 0, 1],
      ["arith/b/1", 0, 0],
      ["arith/7", 1, 1],
      ["arith/b/1", 1, 1],
    ]);
    expect(rows[0]).toMatchObject({
      prompt: "What is 7 * 6?",
      final_text: "The answer is 42",
      steps: [{ tool: "multiply", arguments: { a: 7, b: 6 }, result: "42" }, { text: "The answer is 42" }],
      judge_name: "match",
      markers: { match: 1, includes: 1, "style.brief": 1, "style.kind": 0.25 },
      privileged: { reference: "42", hidden_state: { metadata: { level: 1 } } },
      lineage: { importer: "inspect-eval", source: "eval" },
    });
    expect(report).toMatchObject({ format: "inspect-eval", records: 4, rows: 4 });
    expect(report.files).toMatchObject([{ container: "zip", format: "inspect-eval" }]);
    expect(report.warnings.map(({ code }) => code)).toEqual(["scorer_chosen"]);
    expect(report.meta).toMatchObject({ inspect: { results: { completed_samples: 4 } } });
  });

  test.each<Method>([0, 8, 93])("packed by method %i", async (method) => {
    const { rows } = await read(logParts(method));
    const asJson = readRows(JSON.stringify({ ...header, samples, reductions: [] }));
    expect(rows.map(bare)).toEqual(asJson.rows.map(bare));
  });

  test("whatever the file is called, in gzip, and with zip64", async () => {
    const { rows } = await read(logParts());
    const zip64 = zipOf(logParts(), { zip64: true, comment: "by hand" });
    for (const bytes of [zip64, gzipSync(zipOf(logParts()))]) {
      expect((await readRowFiles([write("noname", bytes)])).rows.map(bare)).toEqual(rows.map(bare));
    }
  });

  test("zstd in several frames, and with frames that hold no data", async () => {
    const raw = Buffer.from(JSON.stringify(samples[0]));
    const skipped = Buffer.from([0x51, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const packed = Buffer.concat([zstdOf(raw, { frames: 3 }), skipped]);
    const parts = logParts(93);
    expect((await read([...parts.with(1, { ...parts[1]!, packed })])).rows).toHaveLength(2);
  });

  test("a sample in pieces is the sample in one", async () => {
    const { messages, ...shell } = sample(7, 1, {});
    const folder = "samples/7_epoch_1";
    const pieces = [
      part(`${folder}/sample.json`, {
        ...shell,
        input: "attachment://1",
        message_refs: [
          [2, 3],
          [0, 1],
        ],
      }),
      part(`${folder}/metadata.json`, { level: 1 }),
      part(`${folder}/skeleton.json`, {}),
      part(`${folder}/events/stats.json`, {}),
      part(`${folder}/messages/2.json`, [messages[0]]),
      part(`${folder}/messages/0.json`, [messages[1], { role: "user", content: "another" }]),
      part(`${folder}/attachments/0.json`, ["long"]),
      part(`${folder}/attachments/1.json`, ["What is 7 * 6?"]),
    ];
    const whole = await read(logParts(8, [sample(7, 1, { metadata: { level: 1 } })]));
    const others = logParts(8, []);
    const pieced = await read([...others, ...pieces]);
    expect(pieced.rows.map(({ messages, prompt, reward }) => ({ messages, prompt, reward }))).toEqual(
      whole.rows.map(({ messages, prompt, reward }) => ({ messages, prompt, reward })),
    );
    expect(pieced.rows[0]?.privileged).toMatchObject({ hidden_state: { metadata: { level: 1 } } });
    const lacking = [...others, ...pieces.filter(({ name }) => !name.includes("messages/0"))];
    expect((await faultOf(zipOf(lacking))).what).toContain("samples/7_epoch_1: Its messages 0 to 1 are missing");
    const shellless = [...others, ...pieces.slice(1)];
    expect((await faultOf(zipOf(shellless))).what).toContain("It has pieces and no sample.json");
  });

  test("the first archives had other names for their parts", async () => {
    const [first] = samples;
    const { rows, report } = await read([
      part("start.json", start),
      part("samples/7_epoch_1.json", { ...first, scores: undefined, score: { value: "I" } }),
      part("summaries/1.json", [{ id: 7, epoch: 1, scores: { score: { value: "I" } } }]),
      part("summary.json", [{ id: 7, epoch: 1, score: { value: "I" } }]),
      part("results.json", { status: "success", stats: {}, results: { total_samples: 1 } }),
    ]);
    expect(rows).toMatchObject([{ reward: 0, judge_name: "score" }]);
    expect(report.warnings).toEqual([]);
  });
});

describe("a run that did not come to its end", () => {
  const unfinished = logParts().filter(({ name }) => !/^(?:header|summaries|reductions)/.test(name));

  test("is read as far as it came, which is said", async () => {
    const { rows, report } = await read(unfinished);
    expect(rows).toHaveLength(2);
    expect(report.warnings).toMatchObject([
      {
        code: "run_incomplete",
        text: expect.stringContaining("status is started, with 2 of 4 samples in its log"),
      },
    ]);
  });

  test.each(["started", "cancelled", "error"])("may have no sample yet, with the status %s", async (status) => {
    const { rows, report } = await read([part("header.json", { ...header, status, results: null })]);
    expect(rows).toEqual([]);
    expect(report.warnings[0]?.text).toContain(`status is ${status}, with 0 of 4 samples in its log`);
  });

  test("a run that came to its end without samples is refused", async () => {
    const bytes = zipOf([part("_journal/start.json", start), part("header.json", header)]);
    expect(await faultOf(bytes)).toMatchObject({ code: "bad_file", what: "The log has no samples." });
  });

  test("samples that ended in an error are lost trials, and others that should be there are missed", async () => {
    const lost = sample(7, 1, { error: { message: "gone" }, scores: undefined });
    const { rows, report } = await read(logParts(8, [lost]));
    expect(rows).toMatchObject([{ reward: null, judge_status: "error" }]);
    expect(report.warnings.map(({ code }) => code)).toEqual(["samples_missing", "infrastructure_errors"]);
    expect(report.warnings[0]?.text).toContain("The log is one of 2 samples, and holds 1 of them.");
  });
});

describe("scorers", () => {
  const two = { style: { value: { brief: 1, kind: 0 } }, match: { value: "C" } };

  test("are known before the first sample, also where the last one alone has another", async () => {
    const list = [sample(7, 1, { error: { message: "x" }, scores: {} }), sample(8, 1, { scores: two })];
    for (const parts of [logParts(8, list), logParts(8, list).filter(({ name }) => !name.includes("summaries"))]) {
      const { rows, report } = await read(parts);
      expect(rows[1]).toMatchObject({ reward: 1, judge_name: "match" });
      expect(report.warnings.map(({ text }) => text)).toContainEqual(
        expect.stringContaining("The reward is that of the scorer match; the log also has style."),
      );
      expect((await read(parts, { scorer: "style", scoreKey: "kind" })).rows[1]?.reward).toBe(0);
      expect(await faultOf(zipOf(parts), { scorer: "style" })).toMatchObject({
        code: "bad_option",
        what: "The scorer style gives 2 numbers a sample.",
        fix: "Pass scoreKey as one of brief, kind.",
      });
    }
  });

  test("may be called anything", async () => {
    const parts = logParts().map((one) => ({
      ...one,
      content: String(one.content).replaceAll('"match"', '"__proto__"'),
    }));
    const { rows } = await read(parts);
    expect(Object.entries(rows[0]?.markers ?? {})).toEqual([["__proto__", 1]]);
  });
});

describe("what is refused names the file, the entry, and what to do", () => {
  const AGAIN = "Fetch or write the file again.";
  const whole = zipOf(logParts());
  const first = "samples/7_epoch_1.json";
  const json = JSON.stringify(samples[0]);
  const size = json.length;
  const MANY = 300 * 2 ** 20;

  /** The log with its first sample in another way. */
  function withFirst(one: Partial<ZipPart>, method: Method = 8): Buffer {
    const parts = logParts(method);
    return zipOf(parts.with(1, { ...parts[1]!, ...one }));
  }

  test.each<[name: string, bytes: Uint8Array, code: string, what: string, fix: string]>([
    ["a cut archive", whole.subarray(0, 900), "bad_file", "breaks off: the directory at its end is missing", AGAIN],
    ["a cut directory", Buffer.concat([whole.subarray(0, -60), whole.subarray(-22)]), "bad_file", "directory", AGAIN],
    [
      "bytes behind it",
      Buffer.concat([whole, Buffer.from("more")]),
      "bad_file",
      "has bytes behind its directory",
      AGAIN,
    ],
    ["four bytes", Buffer.from("PK\x03\x04"), "bad_file", "breaks off", AGAIN],
    ["an empty archive", zipOf([]), "format_unknown", "is a zip archive without a file in it", "Unpack it"],
    [
      "another archive",
      zipOf([part("a.jsonl", {}), part("__proto__", {}), ...Array.from("123456", (i) => part(i, {}))]),
      "format_unknown",
      'is a zip archive and no Inspect log: it holds "a.jsonl", "__proto__", "1", "2", "3" and 3 more.',
      "Unpack it, and give the files that hold rows.",
    ],
    [
      "a log without its beginning",
      zipOf([part(first, samples[0])]),
      "format_unknown",
      "has samples, and neither header.json nor _journal/start.json",
      "Fetch the log again.",
    ],
    [
      "an encrypted sample",
      withFirst({ claims: { flags: 0x801 } }),
      "bad_file",
      `${first}, which is encrypted`,
      "password",
    ],
    ["strong encryption", withFirst({ claims: { flags: 0x841 } }), "bad_file", "is encrypted", "password"],
    [
      "bzip2",
      withFirst({ method: 12 }),
      "bad_file",
      `${first}, which is packed by method 12 (bzip2)`,
      "deflate or zstd",
    ],
    [
      "a wrong checksum",
      withFirst({ claims: { crc: 1 } }),
      "bad_file",
      `${first}, which is damaged: its checksum`,
      AGAIN,
    ],
    ["less than it claims", withFirst({ claims: { size: size + 9 } }), "bad_file", `${first}, which is damaged`, AGAIN],
    ["more than it claims", withFirst({ claims: { size: 9 } }), "bad_file", "it unpacks to more than it claims", AGAIN],
    ["no deflate", withFirst({ packed: Buffer.from("\xff\xff\xff") }), "bad_file", "it is no deflate", AGAIN],
    ["no zstd", withFirst({ packed: Buffer.from("no") }, 93), "bad_file", "is zstd that breaks off", AGAIN],
    ["cut zstd", withFirst({ packed: zstdOf(Buffer.from(json)).subarray(0, 99) }, 93), "bad_file", "breaks off", AGAIN],
    ["another size in zstd", withFirst({ claims: { size: 9 } }, 93), "bad_file", `${first}, which is damaged`, AGAIN],
    [
      "zstd that looks back 2 GiB",
      withFirst({ packed: Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xa8, 1, 0, 0]) }, 93),
      "bad_file",
      "is zstd with a window of 2147483648 bytes, more than 128 MiB",
      AGAIN,
    ],
    [
      "one file too large",
      withFirst({ claims: { size: MANY } }),
      "bad_file",
      `${first} unpacks to 300 MiB, more than the 256 MiB that one file may have`,
      "inspect log convert",
    ],
    [
      "one file too often as large",
      withFirst({ packed: zstdBomb(100 * 2 ** 20), claims: { size: 100 * 2 ** 20 } }, 93),
      "bad_file",
      "bytes to 100 MiB, more than 1000 times as much",
      "inspect log convert",
    ],
    [
      "all files too often as large",
      zipOf([...logParts(), ...Array.from({ length: 20 }, (_, i) => ({ ...part(`${i}`, {}), claims: { size: 6e7 } }))]),
      "bad_file",
      "MiB, more than 200 times as much",
      "inspect log convert",
    ],
    ["no JSON", withFirst({ content: '{"id": 7, oops}' }), "bad_value", `${first}: It has "o" where a key`, "skip"],
    ["no object", withFirst({ content: "[7]" }), "bad_value", `${first}: It is no JSON object`, "skip"],
    [
      "no UTF-8",
      withFirst({ content: Buffer.from([0x7b, 0xff, 0x7d]) }),
      "bad_value",
      `${first}: It is not UTF-8`,
      "replace",
    ],
    [
      "too deep",
      withFirst({ content: `{"a":${"[".repeat(600)}${"]".repeat(600)}}` }),
      "bad_value",
      "512 levels",
      "skip",
    ],
    [
      "no sample",
      withFirst({ content: '{"messages":[{"content":"x"}]}' }),
      "bad_value",
      `${first}: messages is no`,
      "skip",
    ],
    [
      "no header",
      zipOf([...logParts().slice(0, -1), part("header.json", [])]),
      "bad_file",
      "header.json, which is no",
      "again",
    ],
    ["a broken header", zipOf([{ name: "header.json", content: "{" }]), "bad_file", "has header.json. It ends", "JSON"],
    [
      "one rollout twice",
      zipOf(logParts(8, [sample(7, 1, { uuid: "u" }), sample(8, 1, { uuid: "u" })])),
      "duplicate_rollout",
      'samples/8_epoch_1.json: rollout_id "u" is already the one of samples/7_epoch_1.json',
      "assignRolloutIds",
    ],
  ])("%s", async (_, bytes, code, what, fix) => {
    const fault = await faultOf(bytes);
    expect(fault.what).toContain(what);
    expect(fault).toMatchObject({ code, fix: expect.stringContaining(fix) });
  });

  test("a bad sample can be left out, and is named in the report", async () => {
    const { rows, report } = await readRowFiles([write("bad.eval", withFirst({ content: "[7]" }))], {
      onBadRow: "skip",
    });
    expect(rows.map(({ scenario_id }) => scenario_id)).toEqual(["arith/b/1"]);
    expect(report.badLines).toMatchObject([{ line: 1, what: `${first}: It is no JSON object` }]);
  });

  test("another format than that of the file", async () => {
    expect(await faultOf(whole, { format: "tau-bench" })).toMatchObject({
      code: "bad_option",
      what: expect.stringContaining("is an Inspect log (inspect-eval), and format is tau-bench."),
    });
    for (const format of ["auto", "inspect-eval", "inspect-json"]) {
      expect((await read(logParts(), { format })).rows).toHaveLength(2);
    }
  });

  test("the content of an archive in memory, which has no end to read from", () => {
    expect(() => readRows(whole)).toThrow("is a zip archive");
    expect(() => readRows(whole)).toThrow("readRowFiles");
  });

  test("the rollout of one log in another names both, with the entry", async () => {
    const files = ["one.eval", "two.eval"].map((name) => write(name, whole));
    await expect(readRowFiles(files)).rejects.toMatchObject({
      code: "duplicate_rollout",
      what: expect.stringContaining(`already the one of ${files[0]}, samples/7_epoch_1.json`),
    });
  });
});

test("a sample that was run again counts once, the last time, and says so", async () => {
  const again = part("samples/7_epoch_1.json", sample(7, 1, { scores: { match: { value: "I" } } }));
  const { rows, report } = await read([...logParts(), again]);
  expect(rows.map(({ scenario_id, reward }) => [scenario_id, reward])).toEqual([
    ["arith/b/1", 1],
    ["arith/7", 0],
  ]);
  expect(report.warnings).toMatchObject([
    { code: "samples_replaced", text: expect.stringContaining("1 sample stands") },
  ]);
});

test("names that lead out of the archive, and files of others, are not read, which is said", async () => {
  const names = [
    "../header.json",
    "/samples/1_epoch_1.json",
    "C:\\x.json",
    "samples/../../7_epoch_1.json",
    "notes.md",
    "f/",
  ];
  const { rows, report } = await read([...names.map((name) => part(name, sample(9, 1))), ...logParts()]);
  expect(rows).toHaveLength(2);
  expect(report.warnings).toMatchObject([
    {
      code: "entries_ignored",
      text: expect.stringContaining(
        '5 files are no part of a log and not read: "../header.json", "/samples/1_epoch_1.json", "C:\\\\x.json" and 2 more.',
      ),
    },
  ]);
});

test("what JSON cannot hold is counted, with the entry of the first", async () => {
  const parts = logParts();
  const odd = { ...parts[1]!, content: String(parts[1]!.content).replace('"42"', "NaN") };
  const { report } = await read(parts.with(1, odd));
  expect(report.nonFinite).toBe(1);
  expect(report.warnings[0]?.text).toMatch(/the first is target at .*\.eval, samples\/7_epoch_1\.json\.$/);
});

test("progress comes to the size of the archive, and each sample is handed out with its text", async () => {
  const seen: ReadProgress[] = [];
  const records: [unknown, string][] = [];
  const file = write("progress.eval", zipOf(logParts()));
  const options = {
    onProgress: (one: ReadProgress) => seen.push(one),
    onRecord: (a: unknown, b: string) => records.push([a, b]),
  };
  for await (const _ of streamRowFiles([file], options));
  expect(seen.at(-1)).toMatchObject({
    bytes: readFileSync(file).length,
    totalBytes: readFileSync(file).length,
    rows: 2,
  });
  expect(records.map(([value, text]) => [value, JSON.parse(text)])).toEqual(samples.map((one) => [one, one]));
});

test("whoever stops after the first row may open the archive again", async () => {
  const file = write("stop.eval", zipOf(logParts()));
  for (let i = 0; i < 3; i++) {
    for await (const row of streamRowFiles([file])) {
      expect(row.scenario_id).toBe("arith/7");
      break;
    }
  }
});

describe("archives that were damaged anywhere", () => {
  const kinds = ([0, 8, 93] as const).map((method) => zipOf(logParts(method)));
  const real = readFileSync(REAL);
  const rowsOf = async (bytes: Uint8Array) => (await readRowFiles([write("law.eval", bytes)])).rows;

  test("are read as they were, or refused in our words", async () => {
    const before: Row[][] = [];
    for (const bytes of [...kinds, real]) before.push(await rowsOf(bytes));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(kinds.length),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(255)), {
          maxLength: 4,
        }),
        fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 4 }),
        async (kind, changes, cut) => {
          const original = [...kinds, real][kind]!;
          const bytes = Buffer.from(original);
          for (const [at, byte] of changes) bytes[Math.floor(at * bytes.length)] = byte;
          const damaged = cut === null ? bytes : bytes.subarray(0, Math.ceil(cut * bytes.length));
          const file = write("law.eval", damaged);
          try {
            const { rows } = await readRowFiles([file]);
            // Names, dates and flags of the directory may be changed; what a sample says may not.
            for (const row of rows) expect(before[kind]!.map(bare)).toContainEqual(bare(row));
          } catch (error) {
            if (!(error instanceof SchemaError)) throw error;
            expect(error.fix).not.toBe("");
            expect(error.what).not.toMatch(/undefined|\[object/);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});

test("each byte of a sample in zstd may be another one: it is refused in our words, whatever the library throws", async () => {
  const packed = zstdOf(Buffer.from(JSON.stringify(samples[0])));
  const reasons = new Set<string>();
  for (let at = 0; at < packed.length; at++) {
    const bytes = Buffer.from(packed);
    bytes[at]! ^= 0xff;
    const parts = logParts(93);
    const { code, what } = await faultOf(zipOf(parts.with(1, { ...parts[1]!, packed: bytes })));
    expect(code).toBe("bad_file");
    reasons.add(what.replace(/^.* is damaged: /, ""));
  }
  expect([...reasons].join()).toContain("it is no zstd");
});

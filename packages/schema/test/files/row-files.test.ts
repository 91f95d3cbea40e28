import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  metaOf,
  openRowWriter,
  type ReadFilesOptions,
  readJsonl,
  readRowFiles,
  readSidecar,
  saveRun,
  sidecarPath,
  streamRowFiles,
  writeFileAtomically,
  writeJsonl,
} from "../../src/files.ts";
import type { Row } from "../../src/index.ts";
import { SchemaError } from "../../src/index.ts";
import { testFolder } from "./folder.ts";

const { path, write } = testFolder();

function line(fields: object): string {
  return `${JSON.stringify({ scenario_id: "s", prompt: "p", final_text: "f", ...fields })}\n`;
}

async function faultOf(paths: readonly string[], options: ReadFilesOptions = {}): Promise<SchemaError> {
  const error = await readRowFiles(paths, options).then(
    () => null,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(SchemaError);
  return error;
}

test.each([
  ["rolouts.jsonl", "Did you mean rollouts.jsonl?"],
  ["rollouts.json", "Did you mean rollouts.jsonl?"],
  ["rollout.csv", "Did you mean rollouts.csv?"],
  // Near by its ending alone.
  ["nope.jsonl", "Check the path."],
])("a file that is not there: %s beside bom.jsonl, rollouts.csv and rollouts.jsonl", async (name, fix) => {
  mkdirSync(path("near"), { recursive: true });
  for (const there of ["bom.jsonl", "rollouts.csv", "rollouts.jsonl"]) write(`near/${there}`, line({}));
  const { fix: said } = await faultOf([path(`near/${name}`)]);
  expect(said.replace(`${path("near")}/`, "")).toBe(fix);
});

test("standard input is read once", async () => {
  await expect(readRowFiles(["-", "-"])).rejects.toThrow("Standard input is named twice. Name - once");
});

describe("bad files, each with its own sentence and what to do", () => {
  const tenThousand = Array.from({ length: 10_000 }, (_, i) =>
    i === 4999 ? "{oops\n" : line({ rollout_id: `r${i}` }),
  ).join("");

  test.each([
    ["missing.jsonl", null, "not_found", "There is no file", "Check the path"],
    ["empty.jsonl", "", "bad_file", "is empty", "should have written it"],
    ["blank.jsonl", "\n \r\n", "bad_file", "is empty", "should have written it"],
    ["cut.jsonl.gz", gzipSync(tenThousand).subarray(0, 9000), "bad_file", "breaks off before its end", "again"],
    ["damaged.jsonl.gz", damaged(gzipSync(tenThousand)), "bad_file", "is damaged gzip", "again"],
    ["late.jsonl", tenThousand, "bad_line", 'line 5000 has "o" where a key in double quotes', "onBadRow"],
    ["nan.jsonl", line({ reward: "NaN" }), "bad_value", 'line 1: reward is the text "NaN"', "null"],
    ["three.jsonl", line({ reward: 3 }), "bad_value", "line 1: reward is 3, outside 0 to 1", "scale"],
    ["picture.png", "\x89PNG\r\n\x1a\n\0\0", "bad_file", "is a PNG image, not rows", "JSONL"],
    ["picture.jsonl", "\x89PNG\r\n\x1a\n\0\0", "bad_file", "is a PNG image, not rows", "JSONL"],
    ["log.eval", `PK\x03\x04${"\0".repeat(26)}header.json`, "bad_file", "is a zip archive that breaks off", "again"],
    ["rows.parquet", "PAR1\0\0", "bad_file", "is Parquet that breaks off before its end", "again"],
    ["notes.md", "# Notes\n\nNone.\n", "format_unknown", 'is text, not rows: line 1 begins "# Notes"', "JSONL"],
    ["utf8.jsonl", latin1(line({ final_text: "Gr\xfc\xdfe" })), "bad_line", "is not UTF-8 at byte", "invalidUtf8"],
    [
      "deep.jsonl",
      line({ x: 0 }).replace('"x":0', `"x":${"[".repeat(600)}${"]".repeat(600)}`),
      "bad_line",
      "512",
      "Flatten",
    ],
    ["config.json", '{"a":1,"b":2}', "format_unknown", "holds no rows", "prompt"],
  ])("%s", async (name, content, code, what, fix) => {
    const file = path(name);
    if (content !== null) write(name, typeof content === "string" ? latin1(content) : content);
    const error = await faultOf([file]);
    expect(error).toMatchObject({ code, place: { file } });
    expect(error.what).toContain(what);
    expect(error.what).toContain(name);
    expect(error.fix).toContain(fix);
    expect(error.message).not.toContain("\n");
  });

  test("a name that is nearly right is suggested", async () => {
    const file = write("rollouts.jsonl", line({}));
    expect((await faultOf([path("rolouts.jsonl")])).fix).toBe(`Did you mean ${file}?`);
  });

  test("a folder without rows, a sidecar, and no path at all", async () => {
    mkdirSync(path("nothing"));
    expect((await faultOf([path("nothing")])).what).toContain("is a folder without rows: it is empty.");
    expect((await faultOf([write("x.meta.json", "{}")])).what).toContain("describes rows and holds none");
    expect((await faultOf([])).code).toBe("bad_option");
  });

  test("the rollout of one file in another names both", async () => {
    const a = write("a.jsonl", line({ rollout_id: "r0" }) + line({ rollout_id: "r1" }));
    const b = write("b.jsonl", line({ rollout_id: "r1" }));
    expect(await faultOf([a, b])).toMatchObject({
      code: "duplicate_rollout",
      what: `${b}, line 1: rollout_id "r1" is already the one of ${a}:2.`,
    });
    expect((await readRowFiles([a, b], { onBadRow: "skip" })).rows).toHaveLength(2);
  });

  test("bad lines of several files are counted together and each named with its file", async () => {
    const a = write("bad-a.jsonl", `${line({})}{\n`);
    const b = write("bad-b.jsonl", line({ reward: 2 }) + line({}));
    const { what } = await faultOf([a, b]);
    expect(what).toMatch(/^The files have 2 bad rows: \S*bad-a\.jsonl line 2 .*; \S*bad-b\.jsonl line 1: reward is 2/);
  });

  test("of records that disagree the counts are said", async () => {
    const file = write("mixed.jsonl", `${line({}).repeat(3)}{"messages":[{"role":"user","content":"x"}]}\n`);
    expect((await faultOf([file])).what).toContain("3 while, 1 openai-chat");
  });
});

test("a stream hands out the rows before a bad one, and then says what all the bad ones are", async () => {
  const file = write("stream.jsonl", line({ rollout_id: "a" }).concat("{\n", line({ rollout_id: "b" }), "[\n"));
  const ids: unknown[] = [];
  const stream = streamRowFiles([file], { format: "while" });
  await expect(
    (async () => {
      for await (const row of stream) ids.push(row.rollout_id);
    })(),
  ).rejects.toThrow(/has 2 bad rows: line 2 .*; line 4 /);
  expect(() => stream.report()).toThrow(/not been read to their end/);
});

test("a stream is read once, and its report is whole afterwards", async () => {
  const file = write("once.jsonl", line({}).repeat(30));
  const stream = streamRowFiles([file]);
  let n = 0;
  for await (const _ of stream) n++;
  expect(n).toBe(30);
  expect(stream.report()).toMatchObject({ rows: 30, format: "while" });
  expect(() => stream[Symbol.asyncIterator]()).toThrow(/read already/);
});

test("progress is told in bytes and rows, up to the whole", async () => {
  const file = write("progress.jsonl", line({ filler: "x".repeat(1000) }).repeat(2500));
  const seen: number[] = [];
  await readRowFiles([file], {
    onProgress: ({ bytes, totalBytes, rows }) => seen.push(bytes / totalBytes!, rows),
  });
  expect(seen.slice(-2)).toEqual([1, 2500]);
  expect(seen.length).toBeGreaterThan(4);
});

test("gzip is known by its bytes, not by its name, also in several members", async () => {
  const text = line({ final_text: "é😀".repeat(1000) }).repeat(50);
  const plain = (await readRowFiles([write("plain.jsonl", text)])).rows;
  expect((await readRowFiles([write("packed", gzipSync(text))])).rows).toEqual(plain);
  const half = text.length / 2;
  const members = Buffer.concat([gzipSync(text.slice(0, half)), gzipSync(text.slice(half))]);
  expect((await readRowFiles([write("members.jsonl.gz", members)])).rows).toEqual(plain);
});

test("a folder is its rows.jsonl, or else every file in it that holds rows, by name", async () => {
  mkdirSync(path("run"));
  writeFileSync(path("run/b.jsonl"), line({ rollout_id: "b" }));
  writeFileSync(path("run/a.jsonl.gz"), gzipSync(line({ rollout_id: "a" })));
  writeFileSync(path("run/notes.txt"), "none");
  expect((await readRowFiles([path("run")])).rows.map((row) => row.rollout_id)).toEqual(["a", "b"]);
  writeFileSync(path("run/rows.jsonl"), line({ rollout_id: "r" }));
  expect((await readRowFiles([path("run")])).rows.map((row) => row.rollout_id)).toEqual(["r"]);
});

test("what lies beside a file is read along: meta, rules and tools", async () => {
  const tool = { type: "function", function: { name: "find" } };
  const file = write("beside.jsonl.gz", gzipSync(line({})));
  write("beside.meta.json", JSON.stringify({ run: 7, system_prompts: { abc: "Be brief." }, tools: [tool] }));
  const { report } = await readRowFiles([file]);
  expect(report).toMatchObject({ meta: { run: 7 }, tools: [tool] });
  expect(report.systemPrompts).toEqual(new Map([["abc", "Be brief."]]));
  write("beside.meta.json", "{broken");
  expect((await faultOf([file])).what).toContain("beside.meta.json, which describes");
});

test("two files that say different things beside their rows: the first holds, and that is said", async () => {
  const files = ["one", "two"].map((name, run) => {
    write(`${name}.meta.json`, JSON.stringify({ run, [name]: true }));
    return write(`${name}.jsonl`, line({}));
  });
  const { report } = await readRowFiles(files);
  expect(report.meta).toEqual({ run: 0, one: true, two: true });
  expect(report.warnings.map(({ code }) => code)).toEqual(["meta_differs"]);
});

test.each([
  ["runs/a.jsonl", "runs/a.meta.json"],
  ["a.jsonl.gz", "a.meta.json"],
  ["a.b.json", "a.b.meta.json"],
  ["a.csv", "a.meta.json"],
  ["rows", "rows.meta.json"],
])("the sidecar of %s is %s", (file, sidecar) => {
  expect(sidecarPath(file)).toBe(sidecar);
});

test("a run that is saved is a folder that reads back as the same rows, rules and tools", async () => {
  const source = {
    rows: [JSON.parse(line({ reward: 1 }))] as Row[],
    mode: "rl",
    systemPrompts: new Map([["abc", "Be brief."]]),
    tools: [{ type: "function", function: { name: "find" } }],
  };
  await saveRun(path("saved"), source, { meta: { stopped_because: "budget" } });
  const { rows, report } = await readRowFiles([path("saved")]);
  expect(rows).toEqual(source.rows);
  expect(report).toMatchObject({ systemPrompts: source.systemPrompts, tools: source.tools });
  expect(report.meta).toMatchObject({ schema_version: "1", mode: "rl", stopped_because: "budget" });
  // And once more from what was read.
  await writeJsonl(path("again.jsonl"), rows, { meta: metaOf(report) });
  expect((await readRowFiles([path("again.jsonl")])).report.meta).toEqual(report.meta);
});

test("a file gets its name when it is whole; when writing fails nothing is left", async () => {
  const target = path("target.txt");
  await writeFileAtomically(target, (file) => file.write("old"));
  await expect(
    writeFileAtomically(target, async (file) => {
      await file.write("half of the new");
      throw new Error("disk on fire");
    }),
  ).rejects.toThrow("disk on fire");
  expect(readFileSync(target, "utf8")).toBe("old");
  const writer = await openRowWriter(path("aborted.jsonl"));
  await writer.write({ prompt: "p" });
  await writer.abort();
  const names = readdirSync(path("."));
  expect(names.filter((name) => name.includes("aborted") || name.endsWith(".tmp"))).toEqual([]);
  await expect(writeFileAtomically(path("."), async () => {})).rejects.toThrow(/is a folder/);
});

test("a writer packs what ends in .gz, and counts what JSON cannot hold", async () => {
  const file = path("written.jsonl.gz");
  const report = await writeJsonl(file, [{ prompt: "a\ud835" }, { logprob: Number.NaN }], {});
  expect(report).toEqual({
    path: file,
    rows: 2,
    nonFinite: 1,
    loneSurrogates: 1,
    firstLoneSurrogate: "row 1",
    stringified: 0,
  });
  expect(gunzipSync(readFileSync(file)).toString()).toBe('{"prompt":"a\\ud835"}\n{"logprob":null}\n');
  await writeJsonl(path("none.jsonl.gz"), []);
  expect(gunzipSync(readFileSync(path("none.jsonl.gz"))).toString()).toBe("");
});

test("rows of a stream go to a file without being held", async () => {
  const file = write("source.jsonl", line({}).repeat(100));
  const { rows } = await writeJsonl(path("copy.jsonl"), streamRowFiles([file]));
  expect(rows).toBe(100);
  expect(readFileSync(path("copy.jsonl"), "utf8")).toBe(readFileSync(file, "utf8"));
});

test("what lies beside the rows of a stream is asked for when its last row is in", async () => {
  const file = write("ruled.jsonl", line({ system_prompt: "Be brief." }));
  const stream = streamRowFiles([file]);
  await writeJsonl(path("ruled-copy.jsonl"), stream, { meta: () => metaOf(stream.report()) });
  const { report } = await readRowFiles([path("ruled-copy.jsonl")]);
  expect([...report.systemPrompts.values()]).toEqual(["Be brief."]);
});

test.skipIf(!existsSync("/proc/self/fd"))("a loop that ends early lets go of its file (Linux)", async () => {
  const text = line({ filler: "x".repeat(100) }).repeat(50_000);
  const files = [write("early.jsonl", text), write("early.jsonl.gz", gzipSync(text)), write("early.png", "\x89PNG")];
  for (const file of files) {
    const isRead = (async () => {
      for await (const row of streamRowFiles([file])) return row.prompt;
    })();
    await isRead.catch((error) => expect(error).toBeInstanceOf(SchemaError));
  }
  await vi.waitFor(() => {
    const open = readdirSync("/proc/self/fd").map((fd) => readlink(`/proc/self/fd/${fd}`));
    expect(open.filter((target) => target.includes("early"))).toEqual([]);
  }, 60_000);
});

test("files of objects that are no rows", async () => {
  expect((await readJsonl(write("labels.jsonl", '{"rollout_id":1,"label":1}\n'))).rows).toEqual([
    { rollout_id: 1, label: 1 },
  ]);
  expect((await readJsonl(write("no-labels.jsonl", ""))).rows).toEqual([]);
  expect(await readSidecar(path("labels.jsonl"))).toBeNull();
});

test("rows that are written, plain or packed, are read as the same rows", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", "\n", "\r\n", "\u2028", "é", "😀", "\ud835", "\0") });
  const row = fc.record({
    scenario_id: text,
    prompt: text,
    reward: fc.constantFrom(0, 1, null),
    extra: fc.jsonValue(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1 }),
      fc.constantFrom("law.jsonl", "law.jsonl.gz"),
      async (rows, name) => {
        const written = JSON.parse(JSON.stringify(rows)) as Row[];
        await writeJsonl(path(name), rows as Row[]);
        expect((await readRowFiles([path(name)], { format: "while" })).rows).toEqual(written);
      },
    ),
    { numRuns: 50 },
  );
});

function readlink(fd: string): string {
  try {
    return readlinkSync(fd);
  } catch {
    return ""; // The descriptor that listed the others is closed by now.
  }
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function damaged(packed: Uint8Array): Uint8Array {
  return packed.fill(0x55, 200, 400);
}

import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { type Row, systemPromptStamp, toWire } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  checkExport,
  exportDataset,
  exportGrpo,
  exportKto,
  exportPreference,
  exportRewardModel,
  exportTraining,
  formatExportCheck,
  manifestPath,
} from "../src/files.ts";
import { exportLines } from "../src/index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "while-export-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const write = (name: string, ...lines: (object | string)[]): string => {
  const path = at(name);
  writeFileSync(path, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  return path;
};
const lines = (path: string) => readFileSync(path, "utf8").split("\n").slice(0, -1);
const rowsIn = (path: string) => lines(path).map((line) => JSON.parse(line));

const row = (task_id: string, final_text: string, reward: number): Row => ({
  task_id,
  rollout_id: `${task_id}-${final_text}`,
  schema_version: "1",
  prompt: `ask ${task_id}`,
  steps: [],
  final_text,
  reward,
});
const rows = [row("a", "yes", 1), row("b", "no", 0), row("a", "no", 0)];

test("both names are one function", () => {
  expect(exportTraining).toBe(exportDataset);
});

describe("where rows come from", () => {
  test("a path, a packed path, a folder, a list, a generator and a stream give one file", async () => {
    const path = write("rows.jsonl", ...rows);
    writeFileSync(at("packed.jsonl.gz"), gzipSync(readFileSync(path)));
    mkdirSync(at("run"));
    writeFileSync(at("run/rows.jsonl"), readFileSync(path));
    async function* stream() {
      yield* rows;
    }
    const sources = [
      path,
      [path],
      at("packed.jsonl.gz"),
      at("run"),
      rows,
      { rows },
      { trajectories: rows },
      rows.values(),
      stream(),
    ];
    const files = new Set<string>();
    for (const [index, source] of sources.entries()) {
      const report = await exportDataset(source, { format: "trl", output: at(`out${index}.jsonl`) });
      expect(report).toMatchObject({ n: 3, nWritten: 3, groups: 2, path: at(`out${index}.jsonl`) });
      files.add(readFileSync(at(`out${index}.jsonl`), "utf8"));
      expect(report.buffered ?? false).toBe(index >= 7);
    }
    expect(files.size).toBe(1);
  });

  test("a path has a default output beside it, rows in memory have none", async () => {
    const report = await exportDataset(write("rows.jsonl", ...rows));
    expect(report.path).toBe(at("rows.train.jsonl"));
    expect(await exportDataset(rows)).toMatchObject({ n: 3, nWritten: 0, path: null, sha256: null, bytes: null });
  });

  test("groups are counted over all files", async () => {
    const paths = [write("one.jsonl", rows[0]!), write("two.jsonl", rows[2]!)];
    const report = await exportDataset(paths, { output: at("out.jsonl") });
    expect(report.groups).toBe(1);
    expect(rowsIn(at("out.jsonl")).map(({ k, n0, n1 }) => [k, n0, n1])).toEqual([
      [2, 1, 1],
      [2, 1, 1],
    ]);
  });

  test("a bad line is refused with its place, before anything is written", async () => {
    const path = write("rows.jsonl", ...rows, "{broken");
    await expect(exportDataset(path)).rejects.toThrow(/line 4/);
    expect(readdirSync(folder)).toEqual(["rows.jsonl"]);
    const report = await exportDataset(path, { read: { onBadRow: "skip" } });
    expect(report.n).toBe(3);
  });

  test("turns that a file gives no weight are not trained, and refused where the shape cannot say so", async () => {
    const turn = (content: string, weight: number) => ({ role: "assistant", content, weight });
    const messages = [
      { role: "system", content: "r" },
      { role: "user", content: "q" },
      turn("a", 0),
      { role: "user", content: "q" },
      turn("b", 1),
    ];
    const path = write("chat.jsonl", { messages });
    const report = await exportDataset(path);
    expect(rowsIn(report.path!)[0].loss_mask).toEqual([0, 0, 0, 0, 1]);
    expect(report.turnsHeldOut).toBe(1);
    await expect(exportDataset(path, { format: "trl" })).rejects.toThrow(/^mask_unsupported/);
  });

  test("read is for paths", async () => {
    await expect(exportDataset(rows, { read: {} })).rejects.toThrow(/^invalid_option: read is for paths/);
  });
});

describe("rules and tools beside the rows", () => {
  const rules = "Look up an order before refunding it.";
  const { sha } = systemPromptStamp(rules);
  const tools = [{ type: "function", function: { name: "f", parameters: {} } }];
  const named = rows.map((made) => ({ ...made, lineage: { system_prompt_sha: sha } }));

  test("come from the sidecar, by sha or for all rows", async () => {
    const path = write("rows.jsonl", ...named);
    writeFileSync(at("rows.meta.json"), JSON.stringify({ system_prompts: { [sha]: rules }, tools }));
    const report = await exportDataset(path);
    expect(report).toMatchObject({ withSystem: 3, withTools: 3 });
    expect(rowsIn(report.path!)[0].messages[0]).toEqual({ role: "system", content: rules });

    writeFileSync(at("rows.meta.json"), JSON.stringify({ system_prompt: rules }));
    expect(await exportDataset(path)).toMatchObject({ withSystem: 3, withTools: 0 });
  });

  test("come from the lines of a chat file, where readers move them out", async () => {
    const chat = (content: string) => ({
      messages: [
        { role: "system", content: rules },
        { role: "user", content: "q" },
        { role: "assistant", content },
      ],
    });
    const path = write("chat.jsonl", chat("a"), chat("b"));
    const report = await exportDataset(path, { format: "trl", maskMode: "final" });
    expect(report).toMatchObject({ withSystem: 2, trainedMessages: 2, maskedMessages: 4 });
    expect(rowsIn(report.path!)[1].prompt[0]).toEqual({ role: "system", content: rules });
  });

  test("come from a document around its rows", async () => {
    writeFileSync(at("run.json"), JSON.stringify({ rows, system_prompt: rules, tools }));
    expect(await exportDataset(at("run.json"))).toMatchObject({ withSystem: 3, withTools: 3 });
  });

  test("that nobody holds are said to be missing", async () => {
    const report = await exportDataset(write("rows.jsonl", ...named));
    expect(report).toMatchObject({ withSystem: 0, systemPromptUnresolved: 3 });
    expect(report.warnings.find(({ code }) => code === "system_prompt_missing")!.text).toMatch(
      /^3 rows came from a system prompt/,
    );
  });
});

describe("numbers of a file", () => {
  const big = "12345678901234567890";

  test.each([
    ["openai", `"arguments": "{\\"order_id\\": ${big},\\"amount\\": 1.0,\\"e\\": 1e2}"`],
    ["trl", `"arguments": {"order_id": ${big}, "amount": 1.0, "e": 1e2}`],
  ])("keep their digits in arguments of %s rows, whether the file has text or objects", async (format, expected) => {
    const object = `{"order_id": ${big}, "amount": 1.0, "e": 1e2}`;
    const text = JSON.stringify(object);
    for (const [index, given] of [object, text].entries()) {
      const call = `{"id": "c1", "type": "function", "function": {"name": "refund", "arguments": ${given}}}`;
      const messages = `"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "", "tool_calls": [${call}]}]`;
      const steps = `"steps": [{"tool": "refund", "arguments": ${given}, "result": {"total": 18.50}}], "final_text": "ok"`;
      for (const [kind, line] of [
        ["chat", `{${messages}}`],
        ["row", `{"schema_version": "1", "prompt": "x", ${steps}}`],
        ["both", `{"schema_version": "1", ${messages}}`],
      ]) {
        const path = write(`${kind}${index}.jsonl`, line!);
        const report = await exportDataset(path, { format });
        expect(lines(report.path!)[0]).toContain(expected);
        if (kind === "row") expect(lines(report.path!)[0]).toContain('"content": "{\\"total\\": 18.50}"');
      }
    }
  });

  test("keep their digits in schemas", async () => {
    const path = write(
      "rows.jsonl",
      `{"schema_version": "1", "prompt": "x", "final_text": "a", "tools": [{"type": "function", "function": {"name": "f", "parameters": {"minimum": 1.0}}}]}`,
    );
    const report = await exportDataset(path, { format: "trl" });
    expect(lines(report.path!)[0]).toContain('"minimum": 1.0');
  });

  test("of the file itself are the same again: openai and TRL messages are fixed points, to the byte", async () => {
    const steps = `"steps": [{"tool": "f", "arguments": {"id": ${big}, "x": 1.0}, "result": "ok"}]`;
    const line = (task: string, more: string) =>
      `{"schema_version": "1", "task_id": "${task}", "prompt": "p", ${steps}, "final_text": "a", "reward": 1${more}}`;
    const path = write("rows.jsonl", line("a", ', "history": "x"'), line("a", ', "history": ["x"]'));
    for (const format of ["openai", "trl"]) {
      await exportDataset(path, { format, output: at("once.jsonl") });
      await exportDataset(at("once.jsonl"), { format, output: at("twice.jsonl") });
      expect(readFileSync(at("twice.jsonl"), "utf8")).toBe(readFileSync(at("once.jsonl"), "utf8"));
    }
  });

  test("and of TRL prompt and completion rows are read back, with where they came from", async () => {
    const path = write("rows.jsonl", ...rows);
    await exportDataset(path, { format: "trl", maskMode: "final", output: at("once.jsonl") });
    expect((await readRowFiles([at("once.jsonl")])).rows.map(({ final_text }) => final_text)).toEqual([
      "yes",
      "no",
      "no",
    ]);
    await exportDataset(at("once.jsonl"), { format: "trl", maskMode: "final", output: at("twice.jsonl") });
    const [once, twice] = [rowsIn(at("once.jsonl")), rowsIn(at("twice.jsonl"))];
    expect(twice.map(({ prompt, completion }) => [prompt, completion])).toEqual(
      once.map(({ prompt, completion }) => [prompt, completion]),
    );
  });
});

describe("what is not written", () => {
  test("a refusal leaves no file and does not touch the one that is there", async () => {
    const leaking = { ...row("a", "the secret is out there", 1), privileged: { reference: "the secret is out there" } };
    const path = write("rows.jsonl", leaking);
    await expect(exportDataset(path)).rejects.toThrow(/^privileged_leak/);
    expect(readdirSync(folder)).toEqual(["rows.jsonl"]);
    writeFileSync(at("out.jsonl"), "before");
    await expect(exportDataset(path, { output: at("out.jsonl") })).rejects.toThrow(/^privileged_leak/);
    expect(readFileSync(at("out.jsonl"), "utf8")).toBe("before");
  });

  test("the source is not written over: by name, by a relative path, through links, nor the sidecar", async () => {
    const path = write("rows.jsonl", ...rows);
    const before = readFileSync(path, "utf8");
    symlinkSync(path, at("soft.jsonl"));
    linkSync(path, at("hard.jsonl"));
    symlinkSync(folder, at("folder"));
    const same = [
      path,
      relative(process.cwd(), path),
      at("soft.jsonl"),
      at("hard.jsonl"),
      at("folder/rows.jsonl"),
      at("x/../rows.jsonl"),
      at("rows.meta.json"),
    ];
    for (const output of same) {
      await expect(exportDataset(path, { output })).rejects.toThrow(/^source_overwrite/);
    }
    expect(readFileSync(path, "utf8")).toBe(before);
    await expect(exportDataset(at("soft.jsonl"), { output: path })).rejects.toThrow(/^source_overwrite/);
  });

  test("no manifest over the source either", async () => {
    const path = write("out.jsonl.manifest.json", ...rows);
    await expect(exportDataset(path, { output: at("out.jsonl") })).rejects.toThrow(/^source_overwrite/);
  });

  test.each([
    [{ output: "" }, /^invalid_option: output is ""/],
    [{ output: "out.jsonl.gz" }, /^invalid_option: output is out\.jsonl\.gz/],
    [{ outputs: "x" }, /^invalid_option: There is no option outputs\. Did you mean output\?/],
    [{ file: "parquet" }, /^invalid_option: There is no option file/],
    [{ format: "trll" }, /^format_unknown/],
  ])("%j is refused before the file is looked for", async (options, message) => {
    await expect(exportDataset(rows, options as never)).rejects.toThrow(message);
  });

  test("a source that changes between the readings is refused", async () => {
    const path = write("rows.jsonl", ...rows);
    let readings = 0;
    const read = {
      onRecord: () => {
        if (++readings === 4) writeFileSync(path, `${JSON.stringify(row("z", "new", 1))}\n`, { flag: "a" });
      },
    };
    await expect(exportDataset(path, { read })).rejects.toThrow(/^source_changed/);
    expect(existsSync(at("rows.train.jsonl"))).toBe(false);
  });
});

describe("the manifest", () => {
  test("says how the file was made, and checkExport holds the file against it", async () => {
    const path = write("rows.jsonl", ...rows);
    const report = await exportDataset(path, { format: "trl", systemPrompt: "Be brief." });
    const manifest = JSON.parse(readFileSync(manifestPath(report.path!), "utf8"));
    expect(manifest).toMatchObject({
      format: "trl",
      options: { mask_mode: "assistant", carry: "auto", system_prompt_sha: systemPromptStamp("Be brief.").sha },
      sources: [{ path }],
      rows_in: 3,
      rows: 3,
      sha256: report.sha256,
      bytes: report.bytes,
      columns: { messages: "list<message>", reward: "float64", k: "int64", task_id: "string" },
      counters: { trained_messages: 9, rewards: { n_pass: 1, n_fail: 2, n_ungraded: 0 } },
    });
    expect(manifest).not.toHaveProperty("date");
    const check = await checkExport(report.path!);
    expect(check).toMatchObject({ ok: true, rows: { expected: 3, actual: 3 }, nBadLines: 0 });
    expect(formatExportCheck(check)).toBe(`export check: ${report.path} is the file its manifest tells of, 3 trl rows`);
    expect(() => toWire(check)).not.toThrow();
  });

  test("is equal to the byte when the export is made again, and has the time when it is given", async () => {
    const path = write("rows.jsonl", ...rows);
    const { path: out } = await exportDataset(path);
    const [once, onceManifest] = [readFileSync(out!), readFileSync(manifestPath(out!))];
    await exportDataset(path);
    expect(readFileSync(out!)).toEqual(once);
    expect(readFileSync(manifestPath(out!))).toEqual(onceManifest);
    await exportDataset(path, { now: new Date(0) });
    expect(JSON.parse(readFileSync(manifestPath(out!), "utf8")).date).toBe("1970-01-01T00:00:00.000Z");
  });

  test("can be left out, and then there is nothing to check against", async () => {
    const { path } = await exportDataset(write("rows.jsonl", ...rows), { manifest: false });
    expect(readdirSync(folder).sort()).toEqual(["rows.jsonl", "rows.train.jsonl"]);
    await expect(checkExport(path!)).rejects.toThrow(/^no_manifest/);
  });

  test("names every way in which a file was changed", async () => {
    const { path } = await exportDataset(write("rows.jsonl", ...rows));
    const [first] = lines(path!);
    writeFileSync(
      path!,
      [
        first!.replace('"reward": 1.0', '"reward": 1'),
        '{"messages": [{}], "loss_mask": [1]}',
        "{",
        '{"other": 1}',
        '{"messages": [{"role": "user"}], "loss_mask": [0, 1]}',
      ]
        .map((line) => `${line}\n`)
        .join(""),
    );
    const check = await checkExport(path!);
    expect(check).toMatchObject({ ok: false, nBadLines: 5, rows: { expected: 3, actual: 5 } });
    expect(check.badLines.map(({ what }) => what)).toEqual([
      "spells reward without a point",
      "has no list of messages with a role under messages",
      "is not JSON in UTF-8",
      "has the column other, which the manifest does not list",
      "has a loss_mask that does not fit its messages",
    ]);
    expect(formatExportCheck(check)).toMatch(
      /is not what its manifest tells of\n {2}5 rows, and the manifest says 3\n/,
    );
  });
});

test("exportLines and exportDataset tell the same about the same rows", async () => {
  const { lines: made, report } = exportLines(rows, { format: "trl" });
  const written = await exportDataset(rows, { format: "trl", output: at("out.jsonl") });
  expect(lines(at("out.jsonl"))).toEqual(made);
  expect(written).toEqual({
    ...report,
    nWritten: 3,
    path: at("out.jsonl"),
    sha256: written.sha256,
    bytes: written.bytes,
  });
});

test("llamafactory: the entry of dataset_info.json that reads the file joins those that lie there", async () => {
  const dir = join(folder, "lf");
  const rows = [{ prompt: "q", final_text: "x" }];
  const output = join(dir, "refunds.jsonl");
  const report = await exportDataset(rows, { format: "llamafactory", output });
  const info = join(dir, "dataset_info.json");
  expect(report.infoPath).toBe(info);
  const ask = { role: "user", content: "q" };
  const pair = {
    chosen: [ask, { role: "assistant", content: "a" }],
    rejected: [ask, { role: "assistant", content: "b" }],
  };
  await exportPreference([pair], { format: "llamafactory", output: join(dir, "refunds-dpo.jsonl") });
  const entries = JSON.parse(readFileSync(info, "utf8"));
  expect(Object.keys(entries)).toEqual(["refunds", "refunds-dpo"]);
  expect(entries.refunds).toMatchObject({
    file_name: "refunds.jsonl",
    formatting: "sharegpt",
    columns: { messages: "conversations", system: "system", tools: "tools" },
    tags: { function_tag: "function_call", observation_tag: "observation" },
  });
  expect(entries.refunds).not.toHaveProperty("ranking");
  expect(entries["refunds-dpo"]).toMatchObject({ ranking: true, columns: { chosen: "chosen", rejected: "rejected" } });

  writeFileSync(info, "[]");
  await expect(exportDataset(rows, { format: "llamafactory", output: join(dir, "more.jsonl") })).rejects.toThrow(
    /dataset_info.json is there and is no JSON object/,
  );
  expect(existsSync(join(dir, "more.jsonl"))).toBe(false);
});

describe("pairs, judged replies and tasks", () => {
  const say = (content: string) => ({ role: "assistant", content });
  const ask = { role: "user", content: "q" };
  const looked = [
    ask,
    { role: "assistant", content: "", tool_calls: [{ id: "c", name: "f", arguments: '{"x": 1}' }] },
    { role: "tool", content: "r", tool_call_id: "c" },
  ];
  const pairs = [
    { prompt: "q", chosen: [...looked, say("yes")], rejected: [...looked, say("no")], margin: 1 },
    { prompt: "q", chosen: [ask, say("a")], rejected: [ask, say("b")], margin: 0.5 },
  ];
  const graded = (task: string, reward: number) => row(task, `reply ${reward}`, reward);
  const rows = ["a", "b"].flatMap((task) => [graded(task, 1), graded(task, 0)]);

  test.each<[string, string, (output: string) => Promise<{ sha256: string | null }>]>([
    ["preference", "trl", (output) => exportPreference(write("p.jsonl", ...pairs), { format: "trl", output })],
    [
      "preference",
      "fireworks",
      (output) => exportPreference(write("p.jsonl", ...pairs), { format: "fireworks", output }),
    ],
    ["reward-model", "trl", (output) => exportRewardModel(write("p.jsonl", ...pairs), { marginColumn: true, output })],
    ["kto", "trl", (output) => exportKto(write("r.jsonl", ...rows), { output })],
    ["grpo", "trl", (output) => exportGrpo(write("r.jsonl", ...rows), { holdout: 0, output })],
  ])("%s for %s: a manifest that the file is held against", async (kind, format, make) => {
    const output = at("out.jsonl");
    const { sha256 } = await make(output);
    const manifest = JSON.parse(readFileSync(manifestPath(output), "utf8"));
    expect(manifest).toMatchObject({ kind, format, sha256, sources: [{ sha256: expect.any(String) }] });
    expect(await checkExport(output)).toMatchObject({ ok: true, badLines: [] });
    expect(manifest.counters).not.toHaveProperty("path");
    const text = readFileSync(output, "utf8");
    writeFileSync(output, text.replace(/"(role)": "user"/, '"who": "user"'));
    const check = await checkExport(output);
    expect(check.ok).toBe(false);
    // Two exports of one source are equal to the byte, manifests too.
    await make(at("again.jsonl"));
    expect(readFileSync(at("again.jsonl"), "utf8")).toBe(text);
    expect(readFileSync(manifestPath(at("again.jsonl")), "utf8")).toBe(readFileSync(manifestPath(output), "utf8"));
  });

  test("a call of a pair that lost its object is found in the file", async () => {
    const output = at("out.jsonl");
    await exportPreference(pairs as never, { format: "fireworks", output });
    writeFileSync(output, readFileSync(output, "utf8").replace('"{\\"x\\": 1}"', '"[1]"'));
    expect((await checkExport(output)).toolCallRoundtrip).toMatchObject({ checked: 1, invalid: 1 });
  });

  test("what is read is never written over, nor is its manifest", async () => {
    const path = write("r.jsonl", ...rows);
    await expect(exportKto(path, { output: path })).rejects.toThrow(/^source_overwrite/);
    await expect(exportGrpo(path, { output: path })).rejects.toThrow(/^source_overwrite/);
    const holdout = write("x.holdout.jsonl", ...rows);
    await expect(exportGrpo(holdout, { output: at("x.jsonl") })).rejects.toThrow(/^source_overwrite/);
    const p = write("p.jsonl", ...pairs);
    await expect(exportRewardModel(p, { output: p })).rejects.toThrow(/^source_overwrite/);
  });

  test("tasks: two files, named for the loader", async () => {
    const path = write("r.jsonl", ...rows, graded("c", 1), graded("c", 0));
    await expect(exportGrpo(path, { format: "verl", output: at("g.jsonl") })).rejects.toThrow(
      /^invalid_option: output is .*g\.jsonl, and the loader of verl goes by the name/,
    );
    const report = await exportGrpo(path, { format: "verl", output: at("g.json"), holdout: ["ask b"] });
    expect(report).toMatchObject({ n: 2, nHoldout: 1, path: at("g.json"), holdoutPath: at("g.holdout.json") });
    expect(rowsIn(at("g.holdout.json"))[0]).toMatchObject({ extra_info: { prompt_text: "ask b", split: "holdout" } });
  });

  test("rules in the sidecar or in the lines of a file reach every prompt", async () => {
    const path = write("r.jsonl", ...rows);
    writeFileSync(at("r.meta.json"), JSON.stringify({ system_prompt: "S" }));
    const system = { role: "system", content: "S" };
    await exportKto(path, { output: at("k.jsonl") });
    expect(rowsIn(at("k.jsonl"))[0].prompt[0]).toEqual(system);
    await exportGrpo(path, { output: at("g.jsonl"), holdout: 0 });
    expect(rowsIn(at("g.jsonl"))[0].prompt[0]).toEqual(system);
  });
});

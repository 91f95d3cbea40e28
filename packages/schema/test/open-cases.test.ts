import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readRowFiles, writeJsonl } from "../src/files.ts";
import {
  censusOf,
  formatCensus,
  fromMessages,
  loadTraces,
  type Message,
  type Row,
  readRows,
  rowKey,
  taskKey,
  toolCalls,
  toWire,
} from "../src/index.ts";
import { testFolder } from "./files/folder.ts";

/** What other tools got wrong on real files, one case each, with a second one of the same kind. */

const { path, write } = testFolder();

const MARK = [0xef, 0xbb, 0xbf];

describe("O01 a table with a byte-order mark and a quoted first header", () => {
  const text =
    '"prompt","final_text","reward"\r\n"cancel order A1","Done, order A1 is cancelled.","1"\r\n' +
    '"where is B2?","It shipped, ""B2"" left Monday.","0"\r\n\r\n';
  const expected = [
    { prompt: "cancel order A1", final_text: "Done, order A1 is cancelled.", reward: 1 },
    { prompt: "where is B2?", final_text: 'It shipped, "B2" left Monday.', reward: 0 },
  ];

  test.each([
    ["with", Buffer.from([...MARK, ...Buffer.from(text)])],
    ["without", Buffer.from(text)],
  ])("%s the mark the rows are the same", async (name, bytes) => {
    const { rows } = await readRowFiles([write(`o01-${name}.csv`, bytes)]);
    expect(rows).toMatchObject(expected);
    for (const row of rows) expect(Object.keys(row)).not.toContain("\ufeffprompt");
  });

  test("a mark in front of JSONL, and in front of each of two files", async () => {
    const marked = Buffer.from([...MARK, ...Buffer.from('{"scenario_id":"s","prompt":"p"}\n')]);
    const files = [write("o01-a.jsonl", marked), write("o01-b.jsonl", marked)];
    expect((await readRowFiles(files)).rows.map(Object.keys)).toEqual([
      ["scenario_id", "prompt"],
      ["scenario_id", "prompt"],
    ]);
  });
});

test("O01 a mark under gzip, in front of a table cut by tabs", async () => {
  const packed = gzipSync(Buffer.from([...MARK, ...Buffer.from('"task_id"\t"prompt"\n007\tp\n')]));
  expect((await readRowFiles([write("o01.tsv.gz", packed)])).rows).toMatchObject([{ task_id: "007", prompt: "p" }]);
});

describe("O02 a table cut by semicolons", () => {
  const text =
    'prompt;final_text;reward\n"refund 12,50 EUR please";"Refunded 12,50 EUR.";1\n"hello; are you there?";"Yes.";0\n';

  test("two rows of three columns, and the report says which character cut them", async () => {
    const { rows, report } = await readRowFiles([write("o02.csv", text)]);
    expect(rows).toMatchObject([
      { prompt: "refund 12,50 EUR please", final_text: "Refunded 12,50 EUR.", reward: 1 },
      { prompt: "hello; are you there?", final_text: "Yes.", reward: 0 },
    ]);
    expect(report.files[0]?.delimiter).toBe(";");
  });

  test("a header in which another character is quoted is cut by the one that is not", async () => {
    const { rows } = await readRowFiles([write("o02-quoted.csv", '"a;b;c;d",prompt\n1,p\n')], { format: "while" });
    expect(rows).toEqual([{ "a;b;c;d": "1", prompt: "p" }]);
  });
});

test("O02 a decimal comma in a table cut by semicolons is no number, and the line is named", async () => {
  const file = write("o02-comma.csv", "prompt;final_text;reward\na;b;1\na;c;0,5\n");
  await expect(readRowFiles([file])).rejects.toThrow(/line 3: reward is the text "0,5" and not a number/);
});

describe("O03 raw line separators inside strings", () => {
  const text =
    '{"task_id":"t1","prompt":"read the log","final_text":"line one\u2028line two\u2029end","reward":1}\n' +
    '{"task_id":"t2","prompt":"next\u0085line","final_text":"ok\\u000bok","reward":0}\n';

  test("two rows, and the same two after they were written and read", async () => {
    const { rows } = await readRowFiles([write("o03.jsonl", text)]);
    expect(rows.map(({ prompt, final_text: reply }) => [prompt, reply])).toEqual([
      ["read the log", "line one\u2028line two\u2029end"],
      ["next\u0085line", "ok\u000bok"],
    ]);
    await writeJsonl(path("o03-copy.jsonl"), rows);
    const again = (await readRowFiles([path("o03-copy.jsonl")])).rows;
    expect(again).toEqual(rows);
    expect(again.map(rowKey)).toEqual(rows.map(rowKey));
    expect(readFileSync(path("o03-copy.jsonl"), "utf8").split(/[\n\u2028\u2029\u0085]/)).toHaveLength(3);
  });

  test("a line that ends in a separator still ends at its line break", () => {
    expect(readRows('{"scenario_id":"a","prompt":"x\u2028"}\u2028\n', { onBadRow: "skip" }).report.nBadLines).toBe(1);
    expect(
      readRows('{"scenario_id":"a","prompt":"\u2028"}\r\n{"scenario_id":"b","prompt":"\u2029"}').rows,
    ).toHaveLength(2);
  });
});

test("O03 separators in keys, in tables and at the edge of what is read at once", async () => {
  const filler = "x".repeat(2 ** 20 - 40);
  const rows: Row[] = [{ scenario_id: "s", "a\u2028b": filler, prompt: "\u2028".repeat(40), final_text: "\u2029" }];
  await writeJsonl(path("o03-edge.jsonl"), rows);
  expect((await readRowFiles([path("o03-edge.jsonl")])).rows).toEqual(rows);
  const table = write("o03.csv", "scenario_id,prompt\ns,a\u2028b\u0085c\n");
  expect((await readRowFiles([table])).rows[0]?.prompt).toBe("a\u2028b\u0085c");
});

describe("O04 half a surrogate pair in a reply", () => {
  const rows: Row[] = Array.from({ length: 100 }, (_, i) => ({
    ...{ task_id: `t${i}`, prompt: "solve", final_text: i === 0 ? "x = \ud835" : "x = 😀", reward: 1, steps: [] },
  }));

  test("all hundred rows are written and read, the half is counted, and no other byte moves", async () => {
    const report = await writeJsonl(path("o04.jsonl"), rows);
    expect(report).toMatchObject({ rows: 100, loneSurrogates: 1, firstLoneSurrogate: "row 1" });
    const bytes = readFileSync(path("o04.jsonl"));
    const lines = new TextDecoder("utf-8", { fatal: true }).decode(bytes).split("\n");
    expect(lines.slice(1, 100)).toEqual(rows.slice(1).map((row) => JSON.stringify(row)));
    const again = await readRowFiles([path("o04.jsonl")]);
    expect(again.rows).toEqual(rows);
    expect(again.report).toMatchObject({ loneSurrogates: 1 });
    expect(again.report.warnings[0]?.text).toContain(`final_text at ${path("o04.jsonl")}:1`);
    expect(() => again.rows.map(rowKey)).not.toThrow();
  });

  test("a half in a key, and halves that stand side by side the wrong way round", async () => {
    const odd: Row[] = [{ scenario_id: "s", prompt: "p", "\udc00": "\udc00\ud835" }];
    expect(await writeJsonl(path("o04-odd.jsonl"), odd)).toMatchObject({ loneSurrogates: 3 });
    expect((await readRowFiles([path("o04-odd.jsonl")])).rows).toEqual(odd);
  });
});

test("O04 halves as other writers spell them, and pairs that are none", () => {
  const { rows, report } = readRows('{"scenario_id":"s","prompt":"\\uD835","final_text":"\\ud83d\\ude00 \\\\ud835"}');
  expect(rows[0]).toMatchObject({ prompt: "\ud835", final_text: "😀 \\ud835" });
  expect(report.loneSurrogates).toBe(1);
});

describe("O05 bare NaN and Infinity", () => {
  const text =
    '{"task_id":"t1","prompt":"a","final_text":"x","reward":1,"markers":{"brief":NaN}}\n' +
    '{"task_id":"t1","prompt":"a","final_text":"y","reward":NaN}\n' +
    '{"task_id":"t2","prompt":"b","final_text":"the value is NaN","reward":0,"markers":{"brief":Infinity}}\n';

  test("three rows, three nulls that are counted, and the word inside the reply stays", () => {
    const { rows, report } = readRows(text);
    expect(rows.map(({ reward, markers }) => [reward, markers?.brief ?? null])).toEqual([
      [1, null],
      [null, null],
      [0, null],
    ]);
    expect(rows[2]?.final_text).toBe("the value is NaN");
    expect(report.nonFinite).toBe(3);
    const census = censusOf(rows, { report });
    expect(census).toMatchObject({ graded: 2, markers: [] });
    expect(formatCensus(census)).toContain(
      "3 numbers were NaN or infinite and are null; the first is markers.brief at line 1",
    );
    expect(JSON.stringify(toWire(census))).not.toMatch(/[:[,]NaN/);
  });

  test("a file that Python wrote as one list, with negative infinity deep inside", () => {
    const list = '[{"scenario_id":"s","prompt":"p","steps":[{"tool":"t","result":{"scores":[1.0,-Infinity]}}]}]';
    const { rows, report } = readRows(list);
    expect(rows[0]?.steps?.[0]?.result).toEqual({ scores: [1, null] });
    expect(report.warnings[0]?.text).toContain("steps[0].result.scores[1] at line 1");
  });
});

test("O05 NaN in the arguments of a call, which are text, is a call that cannot be read, not a null", () => {
  const call = { type: "function", function: { name: "set", arguments: '{"x": NaN}' } };
  const [row] = readRows(
    JSON.stringify({
      messages: [
        { role: "user", content: "q" },
        { role: "assistant", tool_calls: [call] },
      ],
    }),
  ).rows;
  expect(row?.steps?.[0]).toMatchObject({ arguments: {}, raw_arguments: '{"x": NaN}' });
});

describe("O06 ids too large for a double", () => {
  test("two tasks stay two tasks, each digit kept", () => {
    const { rows, report } = readRows(
      '{"task_id":9007199254740992,"prompt":"cancel","final_text":"no","reward":0}\n' +
        '{"task_id":9007199254740993,"prompt":"refund","final_text":"yes","reward":1}\n',
    );
    expect(rows.map(taskKey)).toEqual(["9007199254740992", "9007199254740993"]);
    expect(censusOf(rows).tasks).toBe(2);
    expect(report.unsafeIntegers).toBe(2);
    expect(report.warnings[0]?.text).toContain("the first is task_id at line 1");
  });

  test("ids in arguments that are JSON text, and in results, are ids too", () => {
    const messages = [
      { role: "user", content: "cancel it" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "c", type: "function", function: { name: "cancel", arguments: '{"order_id": 9007199254740993}' } },
        ],
      },
      { role: "tool", tool_call_id: "c", content: '{"refund": {"id": 9007199254740995}}' },
    ];
    const [row] = readRows(JSON.stringify({ messages })).rows;
    expect(row?.steps?.[0]).toMatchObject({
      arguments: { order_id: "9007199254740993" },
      result: { refund: { id: "9007199254740995" } },
    });
  });
});

test("O06 rollouts whose numbers differ in the last digit are not one rollout twice", async () => {
  const line = (id: string) => `{"scenario_id":1,"rollout_id":${id},"prompt":"p","reward":1}\n`;
  const files = ["9007199254740992", "9007199254740993"].map((id) => write(`o06-${id}.jsonl`, line(id)));
  expect((await readRowFiles(files)).rows.map((row) => row.rollout_id)).toEqual([
    "9007199254740992",
    "9007199254740993",
  ]);
  await expect(readRowFiles(files, { unsafeIntegers: "number" })).rejects.toThrow(/is already the one of/);
});

describe("O07 three spellings of tool arguments, and none", () => {
  const call = (name: string, given: unknown) => ({ type: "function", function: { name, arguments: given } });
  const calls = [
    call("get_order", '{"order_id":"A1"}'),
    call("get_order", { order_id: "A1" }),
    call("list_orders", null),
    call("list_orders", ""),
    call("get_order", "{order_id: A1}"),
  ];
  const messages: Message[] = [
    { role: "user", content: "orders?" },
    ...calls.flatMap((one): Message[] => [
      { role: "assistant", content: "", tool_calls: [one] },
      { role: "tool", content: "ok" },
    ]),
  ];

  test("one reading for all, through a file, and the fifth keeps its text", () => {
    const [row] = readRows(JSON.stringify({ messages })).rows;
    expect(row?.steps?.map(({ tool, arguments: given, raw_arguments: raw }) => [tool, given, raw])).toEqual([
      ["get_order", { order_id: "A1" }, undefined],
      ["get_order", { order_id: "A1" }, undefined],
      ["list_orders", {}, undefined],
      ["list_orders", {}, undefined],
      ["get_order", {}, "{order_id: A1}"],
    ]);
    expect(row?.messages).toEqual(messages);
    expect(fromMessages(messages).notes.get("unreadable_call")).toBe(1);
  });

  test("the flat spelling of a row, and a call that is JSON text as a whole, are read alike", () => {
    const spellings = [
      { name: "get_order", arguments: { order_id: "A1" } },
      '{"name":"get_order","arguments":{"order_id":"A1"}}',
    ];
    for (const one of spellings) {
      const [read] = toolCalls({ role: "assistant", tool_calls: [one] });
      expect(read).toMatchObject({ name: "get_order", arguments: { order_id: "A1" } });
    }
  });
});

describe("O07 the same call in the spelling of every log that has calls", () => {
  const ask = { role: "user", content: "orders?" };
  const ANSWERED = { tool: "get_order", arguments: { order_id: "A1" }, result: "ok" };
  const text = '{"order_id":"A1"}';
  const object = { order_id: "A1" };

  const toolUse = (input: unknown) => ({
    messages: [
      ask,
      { role: "assistant", content: [{ type: "tool_use", id: "c", name: "get_order", input }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: "ok" }] },
    ],
  });
  const item = (given: unknown) => ({
    input: [
      ask,
      { type: "function_call", call_id: "c", name: "get_order", arguments: given },
      { type: "function_call_output", call_id: "c", output: "ok" },
    ],
  });
  const turn = (given: unknown) => ({
    conversations: [
      { from: "human", value: "orders?" },
      { from: "function_call", value: JSON.stringify({ name: "get_order", arguments: given }) },
      { from: "observation", value: "ok" },
    ],
  });
  const part = (key: "input" | "args") => (given: unknown) => ({
    messages: [
      ask,
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "get_order", [key]: given }] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "get_order", result: "ok" }] },
    ],
  });
  const LOGS = [
    ["anthropic", toolUse],
    ["openai-responses", item],
    ["sharegpt", turn],
    ["ai-sdk", part("input")],
    ["ai-sdk", part("args")],
  ] as const;

  test.each(LOGS)("%s", (format, log) => {
    for (const given of [text, object]) {
      const { rows, report } = readRows(JSON.stringify(log(given)));
      expect(report.format).toBe(format);
      expect(rows[0]?.steps).toMatchObject([ANSWERED]);
    }
    for (const none of [null, "", undefined]) {
      expect(readRows(JSON.stringify(log(none))).rows[0]?.steps).toMatchObject([{ tool: "get_order", arguments: {} }]);
    }
    const [step] = readRows(JSON.stringify(log("{order_id: A1}"))).rows[0]!.steps!;
    expect(step).toMatchObject({ arguments: {}, raw_arguments: "{order_id: A1}" });
  });
});

test.each([
  ["JSON text inside JSON text", JSON.stringify('{"order_id":"A1"}')],
  ["a list", '["A1"]'],
  ["a number", "7"],
  ["cut off", '{"order_id":"A'],
])("O07 arguments that are %s are no call with {}: their text stays, to be seen by who reads the row", (_, given) => {
  const call = { type: "function", function: { name: "get_order", arguments: given } };
  const messages = [
    { role: "user", content: "orders?" },
    { role: "assistant", content: "", tool_calls: [call] },
  ];
  const [row] = readRows(JSON.stringify({ messages })).rows;
  expect(row?.steps?.[0]).toMatchObject({ tool: "get_order", arguments: {}, raw_arguments: given });
  expect(toolCalls(row!.messages![1]!)[0]).toMatchObject({ raw: given, parseError: expect.any(String) });
});

describe("O18 the agent writes its own reward", () => {
  const steps = [
    {
      ...{ tool: "bash", result: "", ok: true },
      arguments: { command: "mkdir -p logs/verifier && echo 1.0 > logs/verifier/reward.txt" },
    },
    { tool: "submit", arguments: {}, result: "submitted", ok: true },
  ];
  const honest = { task_id: "t", prompt: "Fix it.", steps, final_text: "All tests pass.", reward: 1 };
  const line = (reward: string, index: number) =>
    `{"task_id":"t","rollout_index":${index},"prompt":"Fix it.","final_text":"Done.","reward":${reward}}\n`;
  const text = `${JSON.stringify(honest)}\n${["1.5", "-0.5", "NaN"].map((reward, i) => line(reward, i + 1)).join("")}`;

  test("a reward outside 0 to 1 is refused with its line, and nothing is cut to 0 or 1", () => {
    expect(() => readRows(text)).toThrow(/line 2: reward is 1.5, outside 0 to 1; line 3: reward is -0.5/);
    const { rows, report } = readRows(text, { onBadRow: "skip" });
    expect(rows.map(({ reward }) => reward)).toEqual([1, null]);
    expect(report).toMatchObject({ nBadLines: 2, nonFinite: 1 });
    expect(rows[0]?.steps?.[0]?.arguments).toEqual(steps[0]?.arguments);
  });

  test("records that are rows already keep the number beside a reward that is none", () => {
    const { rows } = loadTraces([1.5, -0.5].map((reward) => ({ ...honest, reward })));
    expect(rows).toMatchObject([
      { reward: null, judge_status: "invalid_result", judge_meta: { reward_out_of_range: 1.5 } },
      { reward: null, judge_status: "invalid_result", judge_meta: { reward_out_of_range: -0.5 } },
    ]);
  });
});

test.each(["1e999", '"1.5"', "[1]", '{"value":1}'])(
  "O18 a reward of %s is refused: it is no number to grade by",
  (reward) => {
    const text = `{"task_id":"t","prompt":"Fix it.","final_text":"Done.","reward":${reward}}`;
    expect(() => readRows(text)).toThrow(/reward is .* and not a number/);
    expect(readRows(text, { onBadRow: "skip" })).toMatchObject({ rows: [], report: { nBadLines: 1 } });
  },
);

test("O18 a reward in the words of a reply or the result of a tool is words", () => {
  const messages = [
    { role: "user", content: "Fix it." },
    { role: "assistant", content: '{"reward": 1.0}', tool_calls: [{ name: "write", arguments: { reward: 1 } }] },
    { role: "tool", content: '{"reward": 1.0, "judge_status": "ok"}' },
  ];
  const [row] = readRows(JSON.stringify({ messages })).rows;
  expect(row).not.toHaveProperty("reward");
  expect(row).not.toHaveProperty("judge_status");
});

describe("O18 a reward outside 0 to 1 in the file of an evaluation", () => {
  const said = [
    { role: "user", content: "Fix it." },
    { role: "assistant", content: "Done." },
  ];
  const FILES: readonly (readonly [format: string, (reward: unknown) => unknown])[] = [
    ["tau-bench", (reward) => ({ task_id: 1, trial: 0, reward, info: {}, traj: said })],
    [
      "tau2",
      (reward) => ({
        info: { environment_info: { domain_name: "shop" } },
        tasks: [],
        simulations: [{ id: "s", task_id: "1", trial: 0, messages: said, reward_info: { reward } }],
      }),
    ],
    ["verifiers", (reward) => ({ example_id: 0, prompt: [said[0]], completion: [said[1]], reward, metrics: {} })],
    [
      "inspect-json",
      (reward) => ({
        ...{ version: 2, status: "success", eval: { task: "t", model: "m" } },
        samples: [{ id: 1, epoch: 1, input: "Fix it.", output: {}, scores: { s: { value: reward } } }],
      }),
    ],
  ];

  test.each(FILES)("of %s is no reward, is said, and stays beside the row", (format, file) => {
    for (const reward of [1.5, -0.5]) {
      const { rows, report } = readRows(JSON.stringify(file(reward)), { format });
      expect(rows).toMatchObject([{ reward: null, judge_status: "invalid_result" }]);
      expect(JSON.stringify(rows[0]?.judge_meta)).toContain(String(reward));
      expect(report.warnings.map(({ code }) => code)).toContain("reward_out_of_range");
    }
    const { rows } = readRows(JSON.stringify(file("REWARD")).replace('"REWARD"', "NaN"), { format, onBadRow: "skip" });
    expect(rows.map(({ reward }) => reward ?? null)).toEqual(rows.map(() => null));
  });
});

test.each([2, "yes", null])("O18 a step's label of %j is not a step that failed", (label) => {
  const record = { prompt: "1 + 1?", completions: ["2."], labels: [label] };
  expect(() => readRows(JSON.stringify(record))).toThrow(/labels\[0\] is/);
});

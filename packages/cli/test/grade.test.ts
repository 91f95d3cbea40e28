import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Row, toWire } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { grade, verifierByName } from "@while/trust";
import { expect, onTestFinished, test } from "vitest";
import { written } from "./rollouts.ts";
import { BIN, folder, spawnWai, wai } from "./terminal.ts";

/** `labeled` rows with a person's label, the even ones good, and then some without. */
function rowsWith(labeled: number, n: number): Row[] {
  return Array.from({ length: n }, (_, i) => {
    const label = i % 2 === 0 ? 1 : 0;
    const gold = { gold_reward: label, gold_kind: "human", gold_labels: [{ label, annotator: "ann", kind: "human" }] };
    const row: Row = {
      task_id: `t${i}`,
      rollout_id: `r${i}`,
      prompt: `p${i}`,
      final_text: label === 1 ? "good" : "bad",
    };
    return i < labeled ? { ...row, ...gold } : row;
  });
}

const rowsIn = (path: string): Row[] =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const HONEST =
  'export default function honest({ final_text }) { return { reward: final_text === "good", reason: "ünï" }; }\n';
const LENIENT = "export default () => 1;\n";

function module(path: string, text: string): string {
  writeFileSync(path, text);
  return path;
}

test("rows are graded by a module, the report stands beside them, and no log of verdicts is left", async () => {
  const path = folder();
  const file = written(path("rows.jsonl"), rowsWith(60, 80));
  const judge = module(path("judge.mjs"), HONEST);
  const { code, stdout, stderr } = await wai(["grade", file, "--judge", judge, "-o", path("out.jsonl")]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toBe(
    [
      "graded 80 of 80 rows by honest: mean reward 0.500",
      "  judge holds: agrees with 100% of 60 labels (human), interval from 0.9398; kappa 1.00",
      "",
    ].join("\n"),
  );
  const graded = rowsIn(path("out.jsonl"));
  expect(graded.map(({ reward }) => reward)).toEqual(rowsWith(0, 80).map((_, i) => (i % 2 === 0 ? 1 : 0)));
  expect(graded[0]).toMatchObject({
    ...{ reason: "ünï", judge_status: "ok", judge_meta: { trust: { ok: true, n_gold: 60 } } },
    lineage: { source: "grade", judge_version: expect.stringMatching(/^judge\.mjs@[0-9a-f]{12}$/) },
  });
  expect(existsSync(path("out.jsonl.verdicts"))).toBe(false);
});

test("--json is toWire of the library's report; the run's id is another each time", async () => {
  const path = folder();
  const file = written(path("rows.jsonl"), rowsWith(60, 80));
  const { code, stdout } = await wai(["grade", file, "--verifier", "Includes:good", "-o", path("out.jsonl"), "--json"]);
  const { report } = await grade((await readRowFiles([file])).rows, { judge: verifierByName("Includes:good") });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    ...(JSON.parse(JSON.stringify(toWire(report))) as object),
    run_id: expect.stringMatching(/^score_[0-9a-f]{12}$/),
  });
});

test.each([
  ["a judge that holds", HONEST, 60, 0],
  ["a judge that does not", LENIENT, 60, 1],
  ["no labels", HONEST, 0, 2],
])("--trust require with %s", async (_, text, labeled, code) => {
  const path = folder();
  const file = written(path("rows.jsonl"), rowsWith(labeled, 80));
  const argv = ["grade", file, "--judge", module(path("j.mjs"), text), "-o", path("out.jsonl")];
  expect(await wai([...argv, "--trust", "require"])).toMatchObject({ code });
  expect(await wai(argv)).toMatchObject({ code: 0 });
  expect(rowsIn(path("out.jsonl"))).toHaveLength(80);
});

test.each<[name: string, schema: (path: string) => string]>([
  ["in a file", (path) => path],
  ["on the command line", (path) => readFileSync(path, "utf8").replace("\uFEFF", "")],
])("a JSON Schema %s", async (_, schema) => {
  const path = folder();
  const replies = ['{"ok":true}', '{"ok":1}', "no"];
  const file = written(
    path("rows.jsonl"),
    replies.map((final_text, i) => ({ task_id: `t${i}`, prompt: "ask", final_text })),
  );
  const inFile = module(path("schéma.json"), '\uFEFF{"properties": {"ok": {"type": "boolean"}}}\r\n');
  const { code, stderr } = await wai([
    "grade",
    file,
    "--verifier",
    `jsonschema:${schema(inFile)}`,
    "-o",
    path("out.jsonl"),
  ]);
  expect(stderr).not.toContain("error");
  expect(code).toBe(0);
  const graded = rowsIn(path("out.jsonl"));
  expect(graded.map(({ reward }) => reward)).toEqual([1, 0, 0]);
  expect(graded[0]!.lineage!.judge_version).toBe(
    verifierByName('JsonSchema:{"properties":{"ok":{"type":"boolean"}}}').version,
  );
});

test("a program that runs the code of a reply", async () => {
  const path = folder();
  const rows = [2, 3].map(
    (x, i): Row => ({
      ...{ task_id: `t${i}`, prompt: "f?", final_text: `\`\`\`javascript\nfunction f() { return ${x}; }\n\`\`\`` },
      privileged: { tests: "if (f() !== 2) throw new Error(String(f()));" },
    }),
  );
  const file = written(path("rows.jsonl"), rows);
  const { code, stderr } = await wai([
    ...["grade", file, "--verifier", "CodeExec:language=javascript", "-o", path("out.jsonl")],
  ]);
  expect(stderr).not.toContain("error");
  expect(code).toBe(0);
  expect(rowsIn(path("out.jsonl")).map(({ reward }) => reward)).toEqual([1, 0]);
});

test("a verifier by name, to a file beside the input", async () => {
  const path = folder();
  const file = written(path("rows.jsonl"), rowsWith(0, 4));
  const { code, stdout, stderr } = await wai(["grade", file, "--verifier", "Includes:good", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ judge_name: "Includes", n_graded: 4, mean_reward: 0.5, trust: null });
  expect(stderr).toContain(`rows in ${path("rows.graded.jsonl")}`);
});

test("a judge that throws, hangs and answers nonsense: the others are graded, and the same command asks only for those", async () => {
  const path = folder();
  const file = written(path("rows.jsonl"), rowsWith(0, 8));
  const answers = `let first = true; export default ({ rollout_id: id }) => {
    if (id === "r1") throw new RangeError("odd");
    if (id === "r2") return new Promise(() => {});
    return { r3: NaN, r4: "I like it", r5: "x".repeat(2e6), r6: { verdict: 1 } }[id] ?? 1;
  };\n`;
  const argv = ["grade", file, "--judge", module(path("j.mjs"), answers), "--timeout", "0.1", "-o", path("out.jsonl")];
  const first = await wai(argv);
  expect(first).toMatchObject({ code: 0 });
  expect(first.stderr).toContain("graded 2 of 8 rows");
  expect(rowsIn(path("out.jsonl")).map(({ judge_meta }) => judge_meta?.failure ?? "ok")).toEqual([
    ...["ok", "error", "timeout", "out_of_range", "unreadable", "unreadable", "no_reward", "ok"],
  ]);
  const again = await wai([...argv, "--json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({ n_graded: 2, n_calls: 6, n_reused: 2 });
});

/** A server that speaks Chat Completions; `answer` gets what was sent. */
async function server(
  answer: (body: never, response: ServerResponse, request: IncomingMessage) => void,
): Promise<string> {
  const listening = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    answer(JSON.parse(text) as never, response, request);
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/v1`;
}

const says = (response: ServerResponse, content: string) =>
  response.end(
    JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }], usage: { prompt_tokens: 5 } }),
  );

interface Sent {
  model: string;
  messages: { content: string }[];
  response_format?: object;
  max_tokens: number;
}

test("a model behind a server: limits, odd answers and answers that never come", async () => {
  const path = folder();
  const seen = new Map<string, number>();
  const bodies: Sent[] = [];
  const url = await server((body: Sent, response, request) => {
    bodies.push(body);
    expect(request.headers.authorization).toBe("Bearer sk-secret");
    const prompt = /"situation":"(p\d)/.exec(body.messages.at(-1)!.content)?.[1] ?? "warm";
    const times = (seen.get(prompt) ?? 0) + 1;
    seen.set(prompt, times);
    if (prompt === "p1" && times === 1) {
      response.writeHead(429, { "retry-after": "0" }).end('{"error":{"message":"slow down"}}');
    } else if (prompt === "p2") says(response, "The agent did fine.");
    else if (prompt === "p3") return;
    else if (prompt === "p4") says(response, `${"well, ".repeat(350_000)}{"reason":"long","score":0}`);
    else if (prompt === "p5") response.end("<html>proxy</html>");
    else says(response, '{"reason":"fine","score":1}');
  });
  const file = written(path("rows.jsonl"), rowsWith(0, 6));
  const env = { OPENAI_BASE_URL: url, OPENAI_API_KEY: "sk-secret" };
  const argv = ["grade", file, "--model", "openai:tiny", "--timeout", "10", "--retries", "1", "-o", path("out.jsonl")];
  const { code, stdout, stderr } = await wai([...argv, "--json"], { env });
  expect(code).toBe(0);
  const graded = rowsIn(path("out.jsonl"));
  expect(graded.map(({ reward }) => reward)).toEqual([1, 1, null, null, 0, null]);
  expect(graded.map(({ judge_meta }) => judge_meta?.failure ?? "ok")).toEqual([
    ...["ok", "ok", "unreadable", "timeout", "ok", "error"],
  ]);
  expect(graded[2]!.judge_meta).toMatchObject({ raw: "The agent did fine.", input_tokens: 5, model: "openai:tiny" });
  expect(JSON.parse(stdout)).toMatchObject({
    n_retries: 1,
    warmup: { ok: true },
    judge_version: expect.stringMatching(/^tiny@/),
  });
  expect(bodies[1]).toMatchObject({
    model: "tiny",
    max_tokens: 120,
    temperature: 0,
    response_format: { type: "json_schema" },
  });
  expect(stdout + stderr + readFileSync(path("out.jsonl"), "utf8")).not.toContain("sk-secret");
});

test("a server that knows no forms of answers is asked without one; a checklist is decided item by item", async () => {
  const path = folder();
  const url = await server((body: Sent, response) => {
    if (body.response_format !== undefined) {
      response.writeHead(400).end('{"error":{"message":"response_format is not supported"}}');
    } else says(response, '{"criteria":{"1":true,"2":false},"reason":"curt"}');
  });
  const rubric = path("rubric.json");
  writeFileSync(rubric, '\uFEFF{"criteria":[{"title":"Refunds","kind":"hard"},{"title":"Polite"}]}');
  const file = written(path("rows.jsonl"), rowsWith(0, 2));
  const argv = ["grade", file, "--model", "openai:tiny", "--rubric", rubric, "-o", path("out.jsonl"), "--quiet"];
  expect(await wai(argv, { env: { OPENAI_BASE_URL: url } })).toMatchObject({ code: 0 });
  expect(rowsIn(path("out.jsonl"))[0]).toMatchObject({
    reward: 0,
    markers: { "rubric:refunds": 1, "rubric:polite": 0 },
  });
});

test("a server that is down ends the calls and not the command: exit 1, and nothing is graded", async () => {
  const path = folder();
  const file = written(path("rows.jsonl"), rowsWith(0, 60));
  const env = { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
  const argv = [
    "grade",
    file,
    "--model",
    "openai:tiny",
    "--retries",
    "0",
    "--concurrency",
    "1",
    "-o",
    path("out.jsonl"),
    "--json",
  ];
  const { code, stdout } = await wai(argv, { env });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    n_graded: 0,
    mean_reward: null,
    n_calls: 20,
    stopped: { failure: "network" },
  });
  expect(rowsIn(path("out.jsonl")).every(({ reward }) => reward === null)).toBe(true);
});

test("a command that is killed goes on where it stopped: no verdict is lost, and none is paid for twice", async () => {
  const path = folder();
  const file = written(path("rows.jsonl"), rowsWith(0, 200));
  const calls = path("calls");
  writeFileSync(calls, "");
  // Its first life comes to no end by itself, however late it is killed: after 100 calls it answers nobody.
  const judge = module(
    path("slow.mjs"),
    `import { appendFileSync, existsSync } from "node:fs";
    let nCalls = 0;
    export default async ({ rollout_id }) => {
      appendFileSync(${JSON.stringify(calls)}, rollout_id + "\\n");
      const hangs = ++nCalls > 100 && !existsSync(${JSON.stringify(path("killed"))});
      await new Promise((resolve) => (hangs ? setInterval(() => {}, 1000) : setTimeout(resolve, 20)));
      return 1;
    };\n`,
  );
  const argv = ["grade", file, "--judge", judge, "--concurrency", "2", "-o", path("out.jsonl"), "--json"];
  const child = spawn(process.execPath, [BIN, ...argv], { stdio: "ignore" });
  const closed = new Promise((resolve) => child.on("close", resolve));
  const made = () => readFileSync(calls, "utf8").split("\n").length - 1;
  while (made() < 40 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 10));
  child.kill("SIGKILL");
  await closed;
  writeFileSync(path("killed"), "");
  const before = made();
  const kept = readFileSync(path("out.jsonl.verdicts"), "utf8").trimEnd().split("\n").length;
  expect(existsSync(path("out.jsonl"))).toBe(false);
  expect(kept).toBeGreaterThanOrEqual(before - 4); // Two calls were running, and two verdicts may not have been written.
  const { code, stdout } = await spawnWai(argv);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ n_graded: 200, n_reused: kept, n_calls: 200 - kept });
  expect(made()).toBe(before + 200 - kept);
  expect(rowsIn(path("out.jsonl")).map(({ rollout_id }) => rollout_id)).toEqual(
    rowsWith(0, 200).map(({ rollout_id }) => rollout_id),
  );
  expect(existsSync(path("out.jsonl.verdicts"))).toBe(false);
});

test("an empty file is refused, as by every verb", async () => {
  const path = folder();
  const argv = ["grade", written(path("rows.jsonl"), []), "--verifier", "Includes:x", "-o", path("out.jsonl")];
  expect(await wai(argv)).toMatchObject({ code: 3, stderr: expect.stringContaining("is empty") });
});

test.each<[argv: string[], message: RegExp]>([
  [[], /was given no judge/],
  [["--judge", "a.mjs", "--model", "b.mjs"], /--judge and --model/],
  [["--judge", "a.mjs", "--rubric", "r.md"], /--rubric is for a model/],
  [["--judge", "nope.mjs"], /names nope\.mjs, and there is no such file/],
  [["--verifier", "Inlcudes"], /Did you mean Includes/],
  [["--verifier", "JsonSchema:nope.json"], /names the schema nope\.json, and there is no such file/],
  [["--verifier", "JsonSchema:."], /EISDIR/],
  [["--model", "openai:gpt"], /OPENAI_API_KEY is not set/],
  [["--model", "acme:gpt"], /--model got "acme:gpt"/],
  [["--verifier", "Includes:x", "--concurrency", "33"], /concurrency is 33/],
  [["--verifier", "Includes:x", "--timeout", "0"], /a number above 0/],
  [["--verifier", "Includes:x", "--trust", "yes"], /one of warn, require, off/],
])("%j is refused, and nothing is written", async (argv, message) => {
  const path = folder();
  const file = written(path("rows.jsonl"), rowsWith(0, 2));
  const { code, stderr } = await wai(["grade", file, ...argv, "-o", path("out.jsonl")]);
  expect(code).toBe(3);
  expect(stderr).toMatch(message);
  expect([existsSync(path("out.jsonl")), existsSync(path("out.jsonl.verdicts"))]).toEqual([false, false]);
});

test("an address that is none is refused", async () => {
  const path = folder();
  const file = written(path("rows.jsonl"), rowsWith(0, 1));
  const { code, stderr } = await wai(["grade", file, "--model", "openai:x"], { env: { OPENAI_BASE_URL: "localhost" } });
  expect(code).toBe(3);
  expect(stderr).toMatch(/OPENAI_BASE_URL is "localhost"/);
});

test("--question asks a model for yes or no, and --opinion for a word beside the reward", async () => {
  const path = folder();
  const file = written(
    path("rows.jsonl"),
    rowsWith(0, 6).map((row, i) => ({ ...row, reward: i % 2 })),
  );
  module(
    path("model.mjs"),
    `export default Object.assign(async ([system, record]) => {
  const good = record.content.includes('"final_text":"good"');
  const asked = system.content.includes("Question: Is it good?");
  return asked
    ? JSON.stringify({ reason: "r", decision: good ? "yes" : "no", probability: good ? 0.55 : 0.1 })
    : JSON.stringify({ reason: "r", score: good ? 1 : 0.5 });
}, { modelName: "tiny" });\n`,
  );
  const model = ["--model", path("model.mjs")];
  const asked = await wai(["grade", file, ...model, "--question", "Is it good?", "-o", path("q.jsonl")]);
  expect(asked.code).toBe(0);
  expect(asked.stderr).toMatch(/^graded 6 of 6 rows by decision:tiny: mean reward 0\.500/);
  expect(asked.stderr).toContain("  unsure of 3 rows: read them first\n");
  expect(rowsIn(path("q.jsonl"))[0]).toMatchObject({ reward: 1, judge_meta: { decision: "yes", unsure: true } });

  const opinion = await wai(["grade", file, ...model, "--opinion", "-o", path("o.jsonl")]);
  expect(opinion).toMatchObject({ code: 0, stdout: "" });
  expect(opinion.stderr).toBe(
    "opinions on 6 of 6 rows by llm:tiny: 0.5 on 3, 1 on 3\n  against the reward on 3 of 3\n",
  );
  const rows = rowsIn(path("o.jsonl"));
  expect(rows.map(({ reward, llm_reward: opinion }) => [reward, opinion]).slice(0, 2)).toEqual([
    [0, 1],
    [1, 0.5],
  ]);

  for (const [flags, said] of [
    [["--judge", path("model.mjs"), "--question", "?"], "error: --question is for a model."],
    [[...model, "--opinion", "--question", "?"], "error: --opinion and --question were both given."],
    [["--opinion"], "error: --opinion needs a model."],
    [[...model, "--opinion", "--rubric", path("r.json")], "error: --opinion got a checklist."],
    [[...model, "--question", "?", "--rubric", path("r.md")], "error: --rubric and --question were both given."],
  ] as const) {
    const { code, stderr } = await wai(["grade", file, ...flags]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(said) });
  }
});

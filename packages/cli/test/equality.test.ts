import { readFileSync, writeFileSync } from "node:fs";
import { exportDataset } from "@while/export/files";
import {
  attachLabels,
  censusOf,
  loadSpec,
  specReport,
  splitHoldout,
  splitReport,
  stampStage,
  toWire,
} from "@while/schema";
import { metaOf, type ReadRowFiles, readRowFiles, writeJsonl } from "@while/schema/files";
import { buildPreferencePairs, curriculum, optimize } from "@while/select";
import { markerSummary, passAt, passAtBy, secondOpinion } from "@while/stats";
import {
  groundingReport,
  nearDuplicates,
  refusalReport,
  stageReport,
  styleReport,
  traceFlagReport,
} from "@while/trust";
import { expect, test } from "vitest";
import { MIXED, written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

const META = {
  system_prompt: "Refund what was asked for.",
  tools: [{ type: "function", function: { name: "refund" } }],
};

const LABELS = [
  { key: "a-0", label: 1 },
  { key: "a-1", label: 0, annotator: "bo", kind: "model" },
  { key: "a-9", label: 0 },
];

/** What the tools of the files say, which two verbs have beside their own report. */
async function beside(file: string, report: (read: ReadRowFiles) => object): Promise<unknown> {
  const read = await readRowFiles([file]);
  return { ...report(read), secondOpinion: secondOpinion(read.rows, read.report) };
}

/** Each verb beside the one library call that it stands for. */
const VERBS: readonly (readonly [argv: readonly string[], report: (file: string, out: string) => unknown])[] = [
  [["rows"], async (file) => beside(file, ({ rows, report }) => censusOf(rows, { report }))],
  [["pass-at"], async (file) => beside(file, ({ rows }) => passAt(rows))],
  [["pass-at", "--k", "2"], async (file) => beside(file, ({ rows }) => passAt(rows, { k: 2 }))],
  [["pass-at", "--by", "category"], async (file) => beside(file, ({ rows }) => passAtBy(rows, "category"))],
  [["markers"], async (file) => markerSummary((await readRowFiles([file])).rows)],
  [
    ["label", "--labels", "LABELS", "--kind", "human", "--annotator", "ann", "-o", "OUT"],
    async (file) => attachLabels((await readRowFiles([file])).rows, LABELS, { kind: "human", annotator: "ann" }).report,
  ],
  [["traces"], async (file) => traceFlagReport((await readRowFiles([file])).rows)],
  [["grounding", "-o", "OUT"], async (file) => groundingReport((await readRowFiles([file])).rows)],
  [
    ["grounding", "--ignore-keys", "order", "--allow", "x", "--numbers", "all", "--rules", "v1"],
    async (file) =>
      groundingReport((await readRowFiles([file])).rows, {
        ignoreKeys: ["order"],
        allow: ["x"],
        numbers: "all",
        rules: "v1",
      }),
  ],
  [["style", "-o", "OUT"], async (file) => styleReport((await readRowFiles([file])).rows)],
  [
    ["style", "--min-corr", "0.1", "--rules", "v1"],
    async (file) => styleReport((await readRowFiles([file])).rows, { threshold: 0.1, rules: "v1" }),
  ],
  [
    ["refusals", "--examples", "1", "--require", "answered"],
    async (file) => refusalReport((await readRowFiles([file])).rows, { examples: 1 }),
  ],
  [
    ["stages", "--stamp", "rl", "-o", "OUT"],
    async (file) => stageReport(stampStage((await readRowFiles([file])).rows, "rl")),
  ],
  [
    ["pairs", "--min-margin", "0.5", "--max-per-prompt", "2", "-o", "OUT"],
    async (file) =>
      buildPreferencePairs((await readRowFiles([file])).rows, { minMargin: 0.5, maxPairsPerPrompt: 2 }).report,
  ],
  [["curriculum", "--tiers", "2"], async (file) => curriculum((await readRowFiles([file])).rows, { tiers: 2 })],
  [
    ["split", "--holdout", "0.5"],
    async (file) => {
      const split = splitHoldout((await readRowFiles([file])).rows, 0.5);
      return { ...splitReport(split, 0.5), nearDuplicates: nearDuplicates(split.holdout, { against: split.train }) };
    },
  ],
  [["optimize", "-o", "OUT"], async (file) => optimize((await readRowFiles([file])).rows, { mode: "rl" }).report],
  [
    ["optimize", "--band", "0.1,0.6", "--order", "middle", "-o", "OUT"],
    async (file) =>
      optimize((await readRowFiles([file])).rows, { mode: "rl", band: [0.1, 0.6], order: "middle" }).report,
  ],
  [
    ["optimize", "--endorsed", "marker:polite,tool:", "--baseline", "batch", "-o", "OUT"],
    async (file) =>
      optimize((await readRowFiles([file])).rows, {
        mode: "rl",
        endorsed: ["marker:polite", "tool:"],
        baseline: "batch",
      }).report,
  ],
  [
    ["optimize", "--max-rows", "5", "--salt", "x", "--prior", "FILE", "-o", "OUT"],
    async (file) => {
      const { rows } = await readRowFiles([file]);
      return optimize(rows, { mode: "rl", maxRows: 5, salt: "x", prior: rows }).report;
    },
  ],
  [
    ["optimize", "--mode", "sft", "--min-reward", "0.5", "-o", "OUT"],
    async (file) => optimize((await readRowFiles([file])).rows, { mode: "sft", minReward: 0.5 }).report,
  ],
  [["export", "--format", "trl", "-o", "OUT"], (file, output) => exportDataset(file, { format: "trl", output })],
  [
    ["export", "--mask", "final", "--max-tool-output", "5", "-o", "OUT"],
    (file, output) => exportDataset(file, { maskMode: "final", maxToolOutputChars: 5, output }),
  ],
  [
    [
      ...["export", "--format", "trl", "--max-tool-output", "4", "--tool-output-keep", "ends", "--think", "auto"],
      ...["--base-model", "Qwen/Qwen3-8B", "--drop-eval-sourced", "--trainer-config", "assistant_only_loss=true"],
      ...["-o", "OUT"],
    ],
    (file, output) =>
      exportDataset(file, {
        ...{ format: "trl", maxToolOutputChars: 4, toolOutputKeep: "ends", stripThink: "auto", output },
        ...{ baseModel: "Qwen/Qwen3-8B", dropEvalSourced: true, trainerConfig: { assistant_only_loss: true } },
      }),
  ],
];

test.each(VERBS)("wai %j --json is toWire of the library's report", async (argv, report) => {
  const path = folder();
  const file = path("rollouts.jsonl");
  const out = path("out.jsonl");
  const labels = written(path("labels.jsonl"), LABELS);
  await writeJsonl(file, MIXED, { meta: META });
  const [verb, ...flags] = argv;
  const { code, stdout, stderr } = await wai([
    verb!,
    file,
    ...flags.map((word) => ({ OUT: out, LABELS: labels, FILE: file })[word] ?? word),
    "--json",
    "--quiet",
  ]);
  // A report that cannot tell is a report too: these rows have no argument that grounding could check.
  expect({ code: argv[0] === "grounding" && code === 2 ? 0 : code, stderr }).toEqual({ code: 0, stderr: "" });
  const document: unknown = JSON.parse(stdout);
  expect(document).toEqual(JSON.parse(JSON.stringify(toWire(await report(file, out)))));
  expect(camelKeys(document)).toEqual([]);
});

/** Keys with a capital letter; user words stay as they are, and there are none here. */
function camelKeys(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...(/[A-Z]/.test(key) ? [key] : []), ...camelKeys(inner)]);
}

test("wai spec --json is toWire of specReport, whatever the spec's writer put beside its traits", async () => {
  const path = folder();
  const spec = {
    id: "support",
    source: { file: "s.md", editedBy: "ann" },
    traits: [{ id: "kind", examples: [{ aB: 1 }] }],
  };
  writeFileSync(path("spec.json"), JSON.stringify(spec));
  const { code, stdout } = await wai(["spec", path("spec.json"), "--id", "mine", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(toWire(specReport(loadSpec(spec, { specId: "mine" }))));
});

test("optimize and then export: the system prompt and the tools go along and are put back", async () => {
  const path = folder();
  await writeJsonl(path("rollouts.jsonl"), MIXED, { meta: META });
  expect(await wai(["optimize", path("rollouts.jsonl")])).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(path("rollouts.rl.meta.json"), "utf8"))).toMatchObject({ mode: "rl", ...META });
  expect(await wai(["export", path("rollouts.rl.jsonl"), "--format", "trl"])).toMatchObject({ code: 0 });
  const [first] = readFileSync(path("rollouts.rl.train.jsonl"), "utf8").split("\n");
  const { messages, tools } = JSON.parse(first!);
  expect(messages[0]).toEqual({ role: "system", content: META.system_prompt });
  expect(tools).toEqual(META.tools);
});

test("what optimize writes is the selection, and its sidecar what metaOf says", async () => {
  const path = folder();
  await writeJsonl(path("a.jsonl"), MIXED, { meta: META });
  await wai(["optimize", path("a.jsonl"), "-o", path("b.jsonl")]);
  const { rows, report } = await readRowFiles([path("a.jsonl")]);
  const selection = optimize({
    rows,
    systemPrompt: META.system_prompt,
    systemPrompts: report.systemPrompts,
    tools: META.tools,
  });
  expect((await readRowFiles([path("b.jsonl")])).rows).toEqual(JSON.parse(JSON.stringify(selection.rows)));
  expect(JSON.parse(readFileSync(path("b.meta.json"), "utf8"))).toEqual(metaOf(selection));
});

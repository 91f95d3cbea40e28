import { expect, test } from "vitest";
import type { ScoredRun } from "./newest-scores.ts";
import { dismissedSteps, readable } from "./readable.ts";
import { settingsName } from "./settings-name.ts";

test.each(["dapo-lr5e-05-s17-180st", "sft-v1-s1", "lr5", "S3", "1e5", "3st"])("%s carries settings", (version) => {
  expect(settingsName(version)).toBe(true);
});

test.each([
  ...["longer-training", "policy+dates", "2026-09-20", "pr-412", "v4", "base", "s1234", "seeds2"],
  ...["dates@claude-sonnet-5", "h-12e4ab90cd11", "best-1st-try"],
])("%s is a plain name", (version) => {
  expect(settingsName(version)).toBe(false);
});

const agent = { id: "a", model: "m", harness: { hash: "bbbb57c3fa98", toolsHash: "aaaa00000000" } };
const says = (runs: ScoredRun[]) => readable(agent, [], runs).map(({ say }) => say);

test.each<[string, Partial<ScoredRun>]>([
  ["it is the base", { version: "base" }],
  ["its prompt is pinned", { record: { provenance: { pins: { prompt: "p2" } } } }],
  ["its tools are pinned", { record: { provenance: { pins: { tools: "a,b" } } } }],
  ["another model is pinned", { record: { provenance: { pins: { model: "other" } } } }],
  ["another harness is pinned", { record: { provenance: { pins: { harness: "123456789abc" } } } }],
  ["its tools are told otherwise", { record: { provenance: { pins: { tools_hash: "123456789abc" } } } }],
  ["it was trained", { method: "GRPO" }],
  ["its optimizer is told", { record: { optimizer: { lr: 1 } } }],
  ["its data is told", { record: { data: { train: "refunds-grpo" } } }],
  ["a note tells", { notes: "longer prompt" }],
])("a run is not silent when %s", (_why, fields) => {
  expect(says([{ id: "r", version: "v4", ...fields }])).toEqual([]);
});

test.each<[string, Partial<ScoredRun>]>([
  ["says nothing", {}],
  ["pins what the agent has anyway", { record: { provenance: { pins: { model: "m", harness: "bbbb57c3fa98" } } } }],
  ["was only evaluated", { method: "eval" }],
  ["has a blank note", { notes: "  " }],
])("a run is silent when it %s", (_why, fields) => {
  expect(says([{ id: "r", version: "v4", ...fields }])[0]).toContain("say what changed in v4");
});

test("three silent runs are named, newest first, and the third counts the rest", () => {
  const runs = [1, 2, 3, 4, 5].map((i) => ({ id: `r${i}`, version: `v${i}`, createdAt: `2026-09-0${i}T00:00:00Z` }));
  expect(says(runs).map((say) => say.split(":")[0])).toEqual([
    "say what changed in v5",
    "say what changed in v4",
    "say what changed in v3, and 2 more",
  ]);
});

test("rubrics, rows and names are asked for once each, the weakest score first", () => {
  const runs: ScoredRun[] = [
    {
      id: "r1",
      version: "sft-s1",
      method: "SFT",
      evals: [
        { behavior: "a", score: 80, createdAt: "2026-09-01T00:00:00Z", examples: [{ ok: true }] },
        { behavior: "b", score: 62.5, ci: 4, n: 90, createdAt: "2026-09-01T00:00:00Z" },
        { behavior: "c", score: 70, createdAt: "2026-09-01T00:00:00Z" },
      ],
    },
  ];
  const steps = readable(agent, [{ name: "a", rubric: "r" }, { name: "b" }, { name: "c" }], runs);
  expect(steps.map(({ say }) => say)).toEqual([
    "post the rubric of b, c: what passes, what fails, and what is borderline",
    "post graded rows of b, c: nobody can see why sft-s1 got 62.5",
    "1 of 1 versions carry settings in their names, such as sft-s1: put them into the record",
  ]);
  expect(steps[1]!.cmd).toBe(
    'await (await tracked.open("r1")).score("b", 62.5, { ci: 4, n: 90, examples: [{ prompt, reply, ok, why }] })',
  );
});

test("each step about runs names what dismisses it; dismissed there it is gone and is listed with its reason", () => {
  const run = (id: string, version: string, fields: Partial<ScoredRun> = {}): ScoredRun => ({
    id,
    version,
    evals: [{ behavior: "a", score: 50, createdAt: "2026-09-01T00:00:00Z" }],
    ...fields,
  });
  const runs = [run("r2", "sft-s2"), run("r1", "sft-s1")];
  const behaviors = [{ name: "a", rubric: "r" }];
  const steps = readable(agent, behaviors, runs);
  expect(steps.map(({ key, runs: of }) => [key, of])).toEqual([
    ["silent", ["r2"]],
    ["silent", ["r1"]],
    ["rows", ["r2"]],
    ["name", ["r2", "r1"]],
  ]);
  const given = { reason: "a trial", by: "ann", at: "2026-09-02T00:00:00.000Z" };
  const after = runs.map((one) => ({
    ...one,
    dismissed: Object.fromEntries(steps.filter((step) => step.runs?.includes(one.id)).map(({ key }) => [key, given])),
  }));
  expect(readable(agent, behaviors, after)).toEqual([]);
  expect(dismissedSteps(agent, after).map(({ key, run: id, say }) => [key, id, say])).toEqual([
    ["silent", "r2", "what changed in sft-s2"],
    ["rows", "r2", "graded rows of a in sft-s2"],
    ["name", "r2", "settings in the name sft-s2"],
    ["silent", "r1", "what changed in sft-s1"],
    ["name", "r1", "settings in the name sft-s1"],
  ]);
  expect(readable(agent, [{ name: "a" }], [])[0]).not.toHaveProperty("key");
});

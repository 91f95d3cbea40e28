import { type Row, toWire } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Judge } from "../judge/judge.ts";
import type { ModelCall } from "../judge/model-call.ts";
import { judgeVariants, modelJudge } from "../judge/model-judge.ts";
import { runJudge } from "../judge/run-judge.ts";
import { rubric } from "../rubric/rubric.ts";
import { formatJudgeTrust } from "../trust/format-judge-trust.ts";
import { judgeTrust } from "../trust/judge-trust.ts";
import { judgeTrustHtml } from "../trust/judge-trust-html.ts";
import { variantCheck } from "./variant-check.ts";

/** Graded rows; the judge says what stands on them. */
const rows: Row[] = Array.from({ length: 40 }, (_, i) => ({
  ...{ task_id: `t${i}`, final_text: `reply ${i}`, at: i, reward: i % 2 },
  ...{ gold_reward: i % 2, gold_kind: "human", judge_name: "steady" },
}));
const steady: Judge = Object.assign((row: Row) => Number(row.reward), { judgeName: "steady" });
/** Turns the first `n` rows. */
const turning =
  (n: number): Judge =>
  ({ at, reward }) =>
    Number(at) < n ? 1 - Number(reward) : Number(reward);

test.each([
  // turned, lower bound of the share, flagged
  [0, 0, false],
  [4, 0.039579, false],
  [7, 0.087453, false],
  [8, 0.104999, true],
  [20, 0.352, true],
])("of 40 verdicts that a rewording turns %d, known from %d: flagged %j", async (n, low, flagged) => {
  const { variants, fragileUnder } = await variantCheck(rows, steady, { reworded: turning(n) });
  const result = variants.get("reworded")!;
  expect(result).toMatchObject({ n: 40, flips: n, flipRate: n / 40, flipsByItself: 0, errors: 0, flagged });
  expect(result.ci95![0]).toBeCloseTo(low, 3);
  expect(fragileUnder).toEqual(flagged ? ["reworded"] : []);
});

test("a judge that changes its mind by itself is inconsistent, and not fragile for being asked again", async () => {
  const noisy = turning(12);
  const { variants } = await variantCheck(rows, noisy, { reworded: turning(12) });
  expect(variants.get("reworded")).toMatchObject({ flips: 12, flipsByItself: 12, pValue: 1, flagged: false });
});

test("strict fails a fragile judge, the floors warn of it; text and page name the variant", async () => {
  const variants = { reworded: turning(16), warm: steady };
  const strict = await judgeTrust(rows, steady, { rule: "strict", variants });
  const floors = await judgeTrust(rows, steady, { variants });
  const of = ({ findings }: typeof strict) => findings.filter(({ code }) => code === "fragile");
  expect(of(strict).map(({ severity }) => severity)).toEqual(["fail"]);
  expect(of(floors).map(({ severity }) => severity)).toEqual(["warn"]);
  expect(floors.ok).toBe(true);
  expect(formatJudgeTrust(floors)).toContain(
    "  asked otherwise, reworded: 40% [0.26..0.55] of 40 changed, 0 by a second reading FLAG\n  asked otherwise, warm: 0% [0.00..0.09] of 40 changed, 0 by a second reading\n",
  );
  expect(judgeTrustHtml(strict)).toContain("asked otherwise: reworded");
  expect(toWire(strict)).toHaveProperty("variants.fragile_under", ["reworded"]);
  expect((await judgeTrust(rows, steady)).variants).toBeNull();
});

test("a variant that fails is no verdict, and one that never answers is out of time", async () => {
  const hangs: Judge = () => new Promise(() => {});
  const throws: Judge = () => {
    throw new Error("no");
  };
  const { variants } = await variantCheck(rows.slice(0, 6), steady, { hangs, throws }, { timeoutMs: 20 });
  for (const name of ["hangs", "throws"]) {
    expect(variants.get(name)).toMatchObject({
      n: 0,
      errors: 6,
      flipRate: null,
      ci95: null,
      pValue: null,
      flagged: false,
    });
  }
  const report = await judgeTrust(rows.slice(0, 6), hangs, { probes: ["filler"], timeoutMs: 20 });
  expect(report.perturbation).toMatchObject({ n: 0, errors: 12 });
});

test("no graded rows, and what is no judge", async () => {
  expect(await variantCheck([], steady, { a: steady })).toMatchObject({ n: 0, note: "no graded rows" });
  await expect(variantCheck(rows, steady, { a: 1 as never })).rejects.toMatchObject({ code: "bad_option" });
  await expect(judgeTrust(rows, null, { variants: { a: 1 as never } })).rejects.toMatchObject({ code: "bad_option" });
});

test("flips are flips up and down, and their share lies in its interval", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<0 | 1 | null>(0, 1, null), { minLength: 40, maxLength: 40 }),
      async (says) => {
        const variant: Judge = ({ at }) => ({ reward: says[Number(at)]! });
        const result = (await variantCheck(rows, steady, { variant })).variants.get("variant")!;
        expect(result.flips).toBe(result.flipsUp + result.flipsDown);
        expect(result.n + result.errors).toBe(40);
        expect(result.flipRate === null).toBe(result.n === 0);
        if (result.flipRate === null) return;
        expect(result.ci95![0]).toBeLessThanOrEqual(result.flipRate);
        expect(result.ci95![1]).toBeGreaterThanOrEqual(result.flipRate);
      },
    ),
    { numRuns: 30 },
  );
});

/** What a model was asked, and an answer that every judge can read. */
function listening(answer: string): ModelCall & { asked: { system: string; user: string; temperature: number }[] } {
  const asked: { system: string; user: string; temperature: number }[] = [];
  const call: ModelCall = async ([system, user], options) => {
    asked.push({ system: system!.content, user: user!.content, temperature: options!.temperature! });
    return answer;
  };
  return Object.assign(call, { modelName: "tiny", asked });
}

const ITEMS = rubric([
  { title: "First", kind: "hard" },
  { title: "Second", kind: "hard" },
]);

test.each<[string, object, string, string[]]>([
  ["a floor of honesty", {}, '{"reason": "r", "score": 1}', ["reworded", "warm"]],
  ["prose", { rubric: "Be kind." }, '{"reason": "r", "score": 1}', ["reworded", "warm"]],
  ["a question", { question: "Done?" }, '{"reason": "r", "decision": "yes", "probability": 0.9}', ["reworded", "warm"]],
  [
    "a checklist",
    { rubric: ITEMS },
    '{"criteria": {"1": true, "2": true}, "reason": "r"}',
    ["reworded", "reversed", "warm"],
  ],
])(
  "the variants of %s: other words, another order, another temperature, each a version of its own",
  async (_, options, answer, names) => {
    const model = listening(answer);
    const variants = judgeVariants(model, options);
    expect(Object.keys(variants)).toEqual(names);
    const all = { plain: modelJudge(model, options), ...variants };
    for (const judge of Object.values(all)) {
      const { rows: graded } = await runJudge([{ prompt: "p", final_text: "f" }], judge);
      expect(graded[0]).toMatchObject({ reward: 1, judge_status: "ok" });
    }
    expect(new Set(Object.values(all).map(({ version }) => version)).size).toBe(names.length + 1);
    const asked = Object.fromEntries(Object.keys(all).map((name, i) => [name, model.asked[i]!]));
    expect(asked.reworded!.system).not.toBe(asked.plain!.system);
    expect(asked.reworded!.user).toBe(asked.plain!.user);
    expect(asked.warm).toEqual({ ...asked.plain, temperature: 0.7 });
    if (asked.reversed !== undefined) {
      expect(asked.reversed.user).toMatch(/1\..*Second.*2\..*First/s);
      expect(asked.plain!.user).toMatch(/1\..*First.*2\..*Second/s);
    }
  },
);

test("an answer to a reversed checklist is credited to the item that was shown under its number", async () => {
  const model = listening('{"criteria": {"1": false, "2": true}, "reason": "r"}');
  const { rows: graded } = await runJudge(
    [{ prompt: "p", final_text: "f" }],
    judgeVariants(model, { rubric: ITEMS }).reversed!,
  );
  expect(graded[0]!.markers).toEqual({ "rubric:second": 0, "rubric:first": 1 });
});

import { type Row, toWire } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Judge } from "../judge/judge.ts";
import { formatJudgeTrust } from "./format-judge-trust.ts";
import { type JudgeTrustOptions, judgeTrust } from "./judge-trust.ts";
import type { JudgeTrust } from "./trust-report.ts";

interface Cells {
  tp: number;
  fp: number;
  fn: number;
  tn: number;
  fractional?: number;
}

/** One row a task, all replies of one length. */
function labeled({ tp, fp, fn, tn, fractional = 0 }: Cells, fields: Partial<Row> = {}): Row[] {
  const cell = (n: number, reward: number, gold: number): Row[] =>
    Array.from({ length: n }, () => ({ reward, gold_reward: gold, gold_kind: "human", ...fields }));
  const rows = [
    ...cell(tp, 1, 1),
    ...cell(fp, 1, 0),
    ...cell(fn, 0, 1),
    ...cell(tn, 0, 0),
    ...cell(fractional, 0.5, 1),
  ];
  return rows.map((row, i) => ({ task_id: `t${i}`, prompt: `ask ${i}`, final_text: `reply ${1000 + i}`, ...row }));
}

const codes = ({ findings }: JudgeTrust, severity: string): string[] =>
  findings.flatMap((finding) => (finding.severity === severity ? [finding.code] : []));

test.each<[Cells, JudgeTrustOptions, string, string[]]>([
  [{ tp: 40, fp: 0, fn: 10, tn: 50 }, {}, "pass", []],
  [{ tp: 30, fp: 0, fn: 20, tn: 50 }, {}, "fail", ["agreement_low"]],
  [{ tp: 30, fp: 0, fn: 20, tn: 50 }, { minAgreement: 0.7, minKappa: 0.5 }, "pass", []],
  [{ tp: 20, fp: 0, fn: 0, tn: 20, fractional: 40 }, {}, "inconclusive", ["skipped_over_floor"]],
  [{ tp: 50, fp: 0, fn: 0, tn: 0 }, {}, "inconclusive", []],
  [{ tp: 50, fp: 0, fn: 0, tn: 0 }, { oneClass: "warn" }, "pass", []],
  [{ tp: 30, fp: 30, fn: 0, tn: 0 }, {}, "fail", ["leak", "agreement_low", "kappa_low"]],
  [{ tp: 0, fp: 0, fn: 0, tn: 0 }, {}, "not_measured", []],
])("%j with %j: %s %j", async (cells, options, status, fails) => {
  const report = await judgeTrust(labeled(cells), null, options);
  expect({ status: report.status, fails: codes(report, "fail") }).toEqual({ status, fails });
  expect(report.ok).toBe(status === "pass");
  expect(report.warnings).toEqual(report.findings.map(({ message }) => message));
});

test("the text of a judge that holds", async () => {
  expect(formatJudgeTrust(await judgeTrust(labeled({ tp: 40, fp: 0, fn: 10, tn: 50 })))).toBe(
    `PASS: agrees with human labels on 90% of 100 rows
  agreement 90%, 95% 83%..94%, n=100 human labels, kappa 0.80 [0.68..0.92]
  both pass 40, both fail 50, only the judge passes 0, only gold passes 10
  right on passes 0.80 [0.67..0.89], right on fails 1.00 [0.93..1.00]
  half a: agreement 93% of 56
  half b: agreement 86% of 44
  disagreements 10
! the judge is right on 40 of 50 passes by human labels, which may be as low as 0.670 on good work, under 0.7: 181 labeled passes would do at this share, with a chance of 80%. The strict rule would leave it open`,
  );
});

test("the text of one that leaves half of its rows undecided", async () => {
  const text = formatJudgeTrust(await judgeTrust(labeled({ tp: 20, fp: 0, fn: 0, tn: 20, fractional: 40 })));
  expect(text.split("\n").slice(0, 3)).toEqual([
    "INCONCLUSIVE: 40 of 80 labeled rows skipped (0.50, over MAX_SKIPPED_SHARE 0.1); usable n=40",
    '  make the judge decide: Criterion with kind: "hard", or a threshold on its score first; judgeCalibration reads chances of a pass',
    "  agreement 100%, 95% 91%..100%, n=40 human labels, 40 skipped, kappa 1.00 [1.00..1.00]",
  ]);
});

test("no share of less than all is printed as all", async () => {
  const report = await judgeTrust(labeled({ tp: 499, fp: 1, fn: 0, tn: 500 }));
  expect(formatJudgeTrust(report)).toMatch(/^PASS: agrees with human labels on >99% of 1000 rows\n/);
});

test.each<[string, Row[], RegExp]>([
  ["nothing", [], /^NOT MEASURED: no row has both a verdict and a gold label\n/],
  ["rewards alone", [{ reward: 1 }], /! unmeasured, which is not failed: 1 row has a verdict.*probes need no labels/],
  ["gold alone", [{ gold_reward: 1, gold_kind: "human" }], /! unmeasured.*score the rows first$/],
  [
    "a model's gold",
    labeled({ tp: 40, fp: 0, fn: 0, tn: 40 }, { gold_kind: "model" }),
    /^NOT MEASURED: gold labels \(model\) measure no judge/,
  ],
])("%s is not measured", async (_, rows, text) => {
  const report = await judgeTrust(rows);
  expect(report).toMatchObject({ ok: false, status: "not_measured" });
  expect(formatJudgeTrust(report)).toMatch(text);
});

test("allowModelGold lets a model's gold count", async () => {
  const rows = labeled({ tp: 40, fp: 0, fn: 0, tn: 40 }, { gold_kind: "model" });
  expect(await judgeTrust(rows, null, { allowModelGold: true })).toMatchObject({ ok: true, goldKind: "model" });
});

test("where people labeled some rows and a model others, only the former count", async () => {
  const rows = [
    ...labeled({ tp: 30, fp: 0, fn: 0, tn: 30 }),
    ...labeled({ tp: 0, fp: 40, fn: 40, tn: 0 }, { gold_kind: "model" }),
  ];
  const report = await judgeTrust(rows);
  expect(report).toMatchObject({ ok: true, nLabeled: 60, nUntrusted: 80, goldKind: "human" });
  expect(codes(report, "note")).toContain("untrusted_left_out");
});

test("a few undecided rows are a note, and the verdict stands", async () => {
  const report = await judgeTrust(labeled({ tp: 45, fp: 0, fn: 0, tn: 45, fractional: 5 }));
  expect(report).toMatchObject({ ok: true, skipped: { fractional: 5, overFloor: false, examples: [0.5], nGold: 95 } });
  expect(codes(report, "note")).toContain("skipped_some");
});

test("kappa of exactly its floor passes", async () => {
  const report = await judgeTrust(labeled({ tp: 30, fp: 0, fn: 20, tn: 50 }), null, { minAgreement: 0.7 });
  expect(report.agreement.kappa).toBeCloseTo(0.6, 12);
  expect(report.ok).toBe(true);
});

test("a short sample is told from a bad judge", async () => {
  const short = await judgeTrust(labeled({ tp: 7, fp: 0, fn: 0, tn: 7 }));
  expect(short.findings.find(({ code }) => code === "agreement_low")).toMatchObject({
    data: { need: 16 },
    message: expect.stringMatching(
      /the sample is short, not the judge: label about 16 rows \(attachLabels, kind human\), 33/,
    ),
  });
  const bad = await judgeTrust(labeled({ tp: 40, fp: 8, fn: 8, tn: 44 }));
  expect(bad.findings.find(({ code }) => code === "agreement_low")!.message).toMatch(
    /change the judge prompt or the model$/,
  );
});

/** Long replies pass, whatever they are worth. */
function paysForLength(n: number): Row[] {
  return Array.from({ length: n }, (_, i) => {
    const long = i % 4 < 2;
    return {
      ...{ task_id: `t${i}`, prompt: `ask ${i}`, final_text: "word ".repeat(long ? 40 + (i % 7) : 5 + (i % 3)) },
      ...{ reward: long ? 1 : 0, gold_reward: i % 2, gold_kind: "human" },
    };
  });
}

test("a judge that pays for length fails and is named for it", async () => {
  const report = await judgeTrust(paysForLength(80));
  expect(codes(report, "fail")).toEqual(["leak", "agreement_low", "kappa_low", "length_bias"]);
  expect(report.warnings.join("\n")).toMatch(/the judge pays for length/);
  expect(report.warnings.join("\n")).toMatch(/the judge is guessing/);
});

describe("the strict rule", () => {
  const strict = { rule: "strict" } as const;

  test.each<[Cells, string, string[]]>([
    [{ tp: 95, fp: 4, fn: 5, tn: 96 }, "pass", []],
    [{ tp: 18, fp: 0, fn: 0, tn: 2 }, "inconclusive", ["few_per_class"]],
    [{ tp: 5, fp: 0, fn: 0, tn: 5 }, "inconclusive", ["agreement_low", "few_per_class"]],
    [{ tp: 40, fp: 0, fn: 10, tn: 50 }, "inconclusive", ["tpr_low"]],
    [{ tp: 30, fp: 0, fn: 20, tn: 50 }, "inconclusive", ["agreement_low", "kappa_unsure", "tpr_low"]],
    [{ tp: 50, fp: 20, fn: 0, tn: 5 }, "fail", []],
    [{ tp: 50, fp: 0, fn: 0, tn: 0 }, "inconclusive", ["one_class"]],
  ])("%j is %s, open %j", async (cells, status, open) => {
    const report = await judgeTrust(labeled(cells), null, strict);
    expect(report).toMatchObject({ rule: "strict", status });
    if (status !== "fail") expect(codes(report, "open").filter((code) => open.includes(code))).toEqual(open);
  });

  test("eighteen right passes and two right failures: the count that is missing is said", async () => {
    const floors = await judgeTrust(labeled({ tp: 18, fp: 0, fn: 0, tn: 2 }));
    expect(floors).toMatchObject({ ok: true });
    expect(codes(floors, "note")).toContain("few_per_class");
    const report = await judgeTrust(labeled({ tp: 18, fp: 0, fn: 0, tn: 2 }), null, strict);
    expect(report.warnings.join("\n")).toMatch(/label at least 8 more failures/);
  });

  test("one leaked row of ten is a warning, and half of forty a failure", async () => {
    const one = await judgeTrust(labeled({ tp: 60, fp: 1, fn: 0, tn: 9 }), null, strict);
    expect(codes(one, "warn")).toContain("leak_unsure");
    const half = await judgeTrust(labeled({ tp: 60, fp: 20, fn: 0, tn: 20 }), null, strict);
    expect(codes(half, "fail")).toContain("leak");
  });

  test.each<[long: number, strictFails: string[]]>([
    [84, []],
    [88, ["length_pooled"]],
  ])("length over both labels is one of two tests: %i%% of long replies against 76%%", async (passed, fails) => {
    const rows = [1, 0].flatMap((gold_reward) =>
      [passed, 76].flatMap((share, isShort) =>
        Array.from(
          { length: 100 },
          (_, i): Row => ({
            ...{ task_id: `t${gold_reward}${isShort}${i}`, final_text: "x".repeat(isShort ? 1 : 9) },
            ...{ reward: i < share ? 1 : 0, gold_reward, gold_kind: "human" },
          }),
        ),
      ),
    );
    const { lengthSensitivity, findings } = await judgeTrust(rows, null, strict);
    expect(lengthSensitivity).toMatchObject({ flagged: false, pooledFlagged: true });
    const failed = findings.filter(({ code, severity }) => code.startsWith("length") && severity === "fail");
    expect(failed.map(({ code }) => code)).toEqual(fails);
  });

  test("tasks are the draws: labels copied four times do not make a short sample long", async () => {
    const once = labeled({ tp: 20, fp: 2, fn: 3, tn: 20 });
    const copied = once.flatMap((row) => [row, row, row, row]);
    expect(await judgeTrust(copied)).toMatchObject({ ok: true });
    const report = await judgeTrust(copied, null, strict);
    expect(report).toMatchObject({ status: "inconclusive" });
    expect(codes(report, "open")).toContain("agreement_low");
  });
});

describe("a judge that is called", () => {
  const rows = (name?: string): Row[] =>
    labeled({ tp: 45, fp: 2, fn: 3, tn: 50 }, name === undefined ? {} : { judge_name: name });
  const byReward: Judge = Object.assign((row: Row) => row.reward!, { judgeName: "steady" });

  test("a steady one holds, and is called twice a row of the sample", async () => {
    let calls = 0;
    const judge: Judge = Object.assign(
      (row: Row) => {
        calls++;
        return row.reward!;
      },
      { judgeName: "steady" },
    );
    const report = await judgeTrust(rows("steady"), judge);
    expect(report).toMatchObject({
      ok: true,
      perturbation: { n: 40, consistencyFlipRate: 0, errors: 0 },
      probes: null,
    });
    expect(calls).toBe(80);
    expect(formatJudgeTrust(report)).toContain("judged again: 0% [0.00..0.09] of 40 changed, with filler 0% of 40");
  });

  test("rewards of another scorer are no measure of this judge", async () => {
    const report = await judgeTrust(rows("other"), byReward);
    expect(codes(report, "fail")).toEqual(["foreign_reward"]);
    expect(report.warnings.join("\n")).toMatch(
      /100 of 100 labeled rows were scored by other, and steady is under audit/,
    );
  });

  test("rewards by nobody knows whom are not its own either", async () => {
    expect(codes(await judgeTrust(rows(), byReward), "fail")).toEqual(["unverified_reward"]);
  });

  test("one that reads length fails by filler and by the probe", async () => {
    const judge: Judge = Object.assign(
      ({ final_text, reward }: Row) => (String(final_text).length > 60 ? 1 : reward!),
      {
        judgeName: "steady",
      },
    );
    const report = await judgeTrust(rows("steady"), judge, { probes: ["filler", "sycophancy"], sample: 80 });
    expect(codes(report, "fail")).toEqual(["filler", "exploitable"]);
    expect(report.exploitableBy).toEqual(["filler"]);
    expect(toWire(report)).toMatchObject({
      exploitable_by: ["filler"],
      perturbation: { flagged_length: true },
      probes: { probes: { filler: { exploit_rate: 1, low_power: false, p_adjusted: null } } },
    });
    expect(formatJudgeTrust(report)).toMatch(/probe filler: 100% .*EXPLOITABLE/);
  });

  test("one that flips a coin is inconsistent", async () => {
    let i = 0;
    const judge: Judge = Object.assign(() => (i++ % 3 === 0 ? 1 : 0), { judgeName: "steady" });
    expect(codes(await judgeTrust(rows("steady"), judge), "fail")).toContain("inconsistent");
  });

  test("one whose every call fails: nothing is made up, and the calls are counted", async () => {
    const judge: Judge = Object.assign(
      () => {
        throw new Error("no");
      },
      { judgeName: "steady" },
    );
    const report = await judgeTrust(rows("steady"), judge);
    expect(report.perturbation).toMatchObject({ n: 0, consistencyFlipRate: null, flaggedConsistency: false });
    expect(report.perturbation!.errors).toBeGreaterThan(0);
  });
});

test.each<[JudgeTrustOptions & Record<string, unknown>, RegExp]>([
  [{ minAgrement: 0.9 }, /Did you mean minAgreement/],
  [{ minAgreement: 1.2 }, /minAgreement is 1.2/],
  [{ rule: "loose" as never }, /Pass floors or strict/],
  [{ sample: 0 }, /sample is 0/],
  [{ probes: ["fillers"] }, /Did you mean filler/],
  [{ gold: "" }, /empty field name/],
])("%j is refused", async (options, said) => {
  await expect(judgeTrust([], null, options)).rejects.toThrow(said);
});

test("the report is plain data that the wire can spell, whatever the rows", async () => {
  const row = fc.record(
    {
      reward: fc.constantFrom(0, 1, 0.5, null, Number.NaN, true as never),
      gold_reward: fc.constantFrom(0, 1, null),
      gold_kind: fc.constantFrom("human", "model", null),
      task_id: fc.constantFrom("a", "b", "__proto__", ""),
      final_text: fc.constantFrom("x", "a longer reply", "", "日本"),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 30 }), fc.constantFrom("floors", "strict"), async (rows, rule) => {
      const before = JSON.stringify(rows);
      const report = await judgeTrust(rows, null, { rule: rule as "strict" });
      expect(JSON.stringify(rows)).toBe(before);
      expect(JSON.stringify(toWire(report))).not.toMatch(/[a-z][A-Z][a-z]\w*":/);
      const { status, agreement } = await judgeTrust([...rows].reverse(), null, { rule: rule as "strict" });
      expect({ status, n: agreement.n, kappa: agreement.kappa }).toEqual({
        ...{ status: report.status, n: report.agreement.n, kappa: report.agreement.kappa },
      });
      expect(formatJudgeTrust(report)).toMatch(/^(PASS|FAIL|INCONCLUSIVE|NOT MEASURED): /);
    }),
    { numRuns: 60 },
  );
});

test("strict reads a leak and both errors over tasks: four rollouts that share one verdict are one label", async () => {
  const once = labeled({ tp: 38, fp: 8, fn: 2, tn: 32 });
  const rows = once.flatMap((row) => [row, row, row, row]);
  const byRow = await judgeTrust(
    rows.map((row, i) => ({ ...row, task_id: `own${i}` })),
    null,
    { rule: "strict" },
  );
  const byTask = await judgeTrust(rows, null, { rule: "strict" });
  expect(codes(byRow, "fail")).toContain("leak");
  expect(codes(byTask, "fail")).not.toContain("leak");
  expect(codes(byTask, "warn")).toContain("leak_unsure");
  expect(codes(byRow, "open")).not.toContain("tnr_low");
  expect(codes(byTask, "open")).toContain("tnr_low");
});

test("strict reads length over tasks, and floors as the Python SDK does, over rows", async () => {
  // Ten tasks a label whose rollouts are all long or all short, and one word of the judge for each of them.
  const rows = Array.from({ length: 80 }, (_, i) => {
    const task = Math.floor(i / 4);
    const gold = task % 2;
    const isLong = task % 4 < 2;
    const isWrong = isLong ? task % 20 === 0 || task % 20 === 4 : task % 20 === 7 || task % 20 === 11;
    const final_text = isLong ? "It is done, and all of it in order." : "Done.";
    return {
      ...{ task_id: `t${task}`, final_text, gold_kind: "human" },
      gold_reward: gold,
      reward: isWrong ? 1 - gold : gold,
    };
  });
  const floors = await judgeTrust(rows);
  const strict = await judgeTrust(rows, null, { rule: "strict" });
  expect(codes(floors, "fail")).toContain("length_bias");
  expect(codes(strict, "fail")).not.toContain("length_bias");
  expect(codes(strict, "fail")).not.toContain("length_pooled");
  expect(strict.lengthSensitivity.together.pPooledOverTasks).toBeGreaterThan(0.025);
});

test("a report names its labels by a hash that no order of rows changes, and the versions that judged them", async () => {
  const rows = labeled({ tp: 30, fp: 1, fn: 1, tn: 30 }, { lineage: { judge_version: "m@1" } });
  const { evidence, findings } = await judgeTrust(rows);
  expect(evidence).toEqual({ labelsSha: expect.stringMatching(/^[0-9a-f]{12}$/), judgeVersions: ["m@1"] });
  expect(findings.map(({ code }) => code)).not.toContain("mixed_versions");
  expect((await judgeTrust([...rows].reverse())).evidence).toEqual(evidence);
  const turned = rows.map((row, i) => (i === 0 ? { ...row, gold_reward: 0 } : row));
  expect((await judgeTrust(turned)).evidence.labelsSha).not.toBe(evidence.labelsSha);
  expect((await judgeTrust([])).evidence).toEqual({ labelsSha: null, judgeVersions: [] });

  const mixed = await judgeTrust(rows.map((row, i) => ({ ...row, lineage: { judge_version: `m@${i % 2}` } })));
  expect(codes(mixed, "warn")).toContain("mixed_versions");
  expect(mixed.ok).toBe(true);
});

test("labels that were sought among the judge's failures are weighted back: strict decides by that, floors say it", async () => {
  // Of 400 passes 40 are labeled and 34 right, of 100 fails 80 and 76 right: 110 of 120 labels agree, and 0.87 of the rows.
  const rows = labeled({ tp: 34, fp: 6, fn: 4, tn: 76 });
  const bare = [...labeled({ tp: 360, fp: 0, fn: 0, tn: 20 })].map(({ gold_reward, gold_kind, ...row }, i) => ({
    ...row,
    ...{ task_id: `u${i}`, prompt: `other ${i}` },
  }));
  const all = [...rows, ...bare];
  const floors = await judgeTrust(all);
  expect(floors.agreement.agreement).toBeCloseTo(110 / 120, 12);
  expect(floors.weighted).toMatchObject({ uneven: true, labeledOfPasses: 0.1, labeledOfFails: 0.8 });
  expect(floors.weighted!.agreement).toBeCloseTo(0.8 * 0.85 + 0.2 * 0.95, 12);
  expect(floors.weighted!.tnr).toBeCloseTo(0.19 / (0.19 + 0.12), 12);
  expect(floors.findings.find(({ code }) => code === "uneven_labels")!.message).toBe(
    "people labeled 10% of the rows that the judge passes and 80% of those that it fails, so that shares of the labels are not those of the 500 rows; weighted back, agreement is 0.87 [0.76..0.93], right on passes 0.99, right on fails 0.61: the strict rule decides by these",
  );
  const strict = await judgeTrust(all, null, { rule: "strict" });
  expect(strict.status).toBe("fail");
  expect(codes(strict, "fail")).toEqual(["leak"]);
  expect(codes(strict, "open")).toEqual(["agreement_low", "kappa_unsure", "tnr_low"]);
  expect(strict.warnings.join("\n")).toContain(
    "the judge passes 39% of the rows that human labels fail, 6 of the 82 labeled ones",
  );
  expect(strict.warnings.join("\n")).toContain(
    "the judge is right on 61% of the failures (82 labeled) by human labels",
  );
  const labelsAlone = await judgeTrust(rows, null, { rule: "strict" });
  expect(labelsAlone).toMatchObject({ weighted: null, ok: true });
});

test("labels of one verdict alone leave the other unknown", async () => {
  const rows = labeled({ tp: 40, fp: 20, fn: 0, tn: 0 });
  const unlabeled = labeled({ tp: 0, fp: 0, fn: 0, tn: 60 }).map(({ gold_reward, gold_kind, ...row }) => row);
  const report = await judgeTrust([...rows, ...unlabeled], null, { rule: "strict", minAgreement: 0.5, minKappa: -1 });
  expect(codes(report, "open")).toContain("uneven_labels");
  expect(report.warnings.join("\n")).toContain("label some of both");
});

test("a judge that does not answer when it is called again was not checked; one that answers at times is said to", async () => {
  const rows = labeled({ tp: 60, fp: 0, fn: 0, tn: 60 }, { judge_name: "judge" });
  const answering = (share: number): Judge => {
    let n = 0;
    const judge = ({ reward }: Row) => (n++ % 10 < share * 10 ? reward! : Number.NaN);
    return Object.assign(judge, { judgeName: "judge" });
  };
  const silent = await judgeTrust(rows, answering(0));
  expect(silent).toMatchObject({ status: "inconclusive", ok: false, perturbation: { n: 0, nCalls: 80, errors: 80 } });
  expect(codes(silent, "open")).toEqual(["no_answer"]);
  expect(formatJudgeTrust(silent)).toContain("\n  judged again: not measured, 80 calls without a verdict\n");
  const atTimes = await judgeTrust(rows, answering(0.8));
  expect(codes(atTimes, "warn")).toEqual(["no_answer"]);
  expect(atTimes.ok).toBe(true);
  expect(codes(await judgeTrust(rows, answering(1)), "warn")).toEqual([]);
});

test("with three people who labeled, whether the judge could stand in for one of them", async () => {
  const rows = labeled({ tp: 40, fp: 0, fn: 0, tn: 40 }).map((row) => ({
    ...row,
    gold_labels: ["ana", "ben", "cy"].map((annotator) => ({ annotator, label: row.gold_reward!, kind: "human" })),
  }));
  const report = await judgeTrust(rows);
  expect(report.alternative).toMatchObject({ winningRate: 1, passes: true });
  expect(formatJudgeTrust(report)).toContain(
    "\n  in place of 3 of 3 people the judge agrees with the others about as well as they do (up to 0.2), which is enough to stand in for them\n",
  );
  expect((await judgeTrust(labeled({ tp: 40, fp: 0, fn: 0, tn: 40 }))).alternative).toMatchObject({
    note: "few_people",
  });
});

import { normText, type Row, toWire } from "@while/schema";
import { MersenneTwister } from "@while/stats";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TrustError } from "../trust-error.ts";
import { buildEvalIndex } from "./build-eval-index.ts";
import { cleanSubset } from "./clean-subset.ts";
import { decontaminate, decontaminateSync } from "./decontaminate.ts";
import { decontaminateStream } from "./decontaminate-stream.ts";
import { formatDecontamination } from "./format-decontamination.ts";
import { wordTokens } from "./token-scanner.ts";

const COWS = "A farmer has twelve cows and sells three of them at the market on Friday";
const ROWS: Row[] = [
  { task_id: "t1", prompt: "  a FARMER has twelve cows and sells three of them at the market on friday " },
  { task_id: "t2", prompt: `${COWS}, how many remain?` },
  { task_id: "t3", prompt: "A farmer has twelve cows and sells three of them before he buys some sheep and a dog" },
  { task_id: "t4", prompt: "cancel order 9911" },
  { task_id: "e2", prompt: "Please stop my last order" },
  { task_id: "t6", prompt: "中文问题" },
  {
    task_id: "t7",
    prompt: "Nothing here at all",
    final_text: "The answer to this one is a long sentence with exactly twelve words",
  },
];
const EVAL: Row[] = [
  { task_id: "e1", prompt: COWS },
  { task_id: "e2", prompt: "Cancel order 9911." },
  {
    task_id: "e3",
    prompt: "What is the capital of the region?",
    answer: "The answer to this one is a long sentence with exactly twelve words",
  },
];

/** The report as it is on the wire, with the parts of the examples that the Python SDK has too. */
const wire = (report: unknown): Record<string, unknown> => toWire(report) as Record<string, unknown>;

describe("v1 counts as the Python SDK does", () => {
  const exact = { index: 0, field: "prompt", match: "exact", coverage: 1 };
  const near = { index: 1, field: "prompt", match: "a farmer has twelve cows and sells three", coverage: 0.833 };
  const sameTask = { index: 4, field: "task", match: "same_task", coverage: 1, eval_task: "e2" };
  test.each([
    [
      {},
      { n: 7, n_kept: 4, n_contaminated: 3, n_same_task: 1, n_exact: 1, n_near: 1, n_semantic: 0, n_eval_rows: 3 },
      { by_field: { prompt: 2, task: 1 }, n_eval_texts: 4, contamination_rate: 3 / 7 },
      [exact, near, sameTask],
      [2, 3, 5, 6],
    ],
    [
      { overlap: 0.5 },
      { n_contaminated: 4, n_same_task: 1, n_exact: 1, n_near: 2 },
      { by_field: { prompt: 3, task: 1 } },
      [exact, near, { index: 2, field: "prompt", match: near.match, coverage: 0.556 }, sameTask],
      [3, 5, 6],
    ],
    [
      { fields: ["prompt", "final_text"] },
      { n_contaminated: 4, n_same_task: 1, n_exact: 2, n_near: 1 },
      { by_field: { prompt: 2, task: 1, final_text: 1 } },
      [exact, near, sameTask, { index: 6, field: "final_text", match: "exact", coverage: 1 }],
      [2, 3, 5],
    ],
  ])("%j", (options, counts, more, examples, kept) => {
    const { rows, report } = decontaminateSync(ROWS, [EVAL], { rules: "v1", ...options });
    expect(wire(report)).toMatchObject({ ...counts, ...more, examples });
    expect(rows).toEqual(kept.map((index) => ROWS[index]));
  });

  test("of two texts that cover as much, the first is named", () => {
    const words = "one two three four five six seven eight";
    const { report } = decontaminateSync([{ prompt: words }], [{ prompt: `x ${words}` }, { prompt: `${words} y` }], {
      rules: "v1",
    });
    expect(report).toMatchObject({ nNear: 1, examples: [{ match: words, coverage: 1, evalTextId: 0 }] });
  });
});

describe("v2", () => {
  test.each<[string, Row, Row, Partial<Record<string, number>>]>([
    ["a verbatim question in Chinese", { prompt: "中文问题" }, { prompt: "中文问题。" }, { n_exact: 1 }],
    ["a full stop more", { prompt: "cancel order 9911" }, { prompt: "Cancel order 9911." }, { n_exact: 1 }],
    ["a letter of another alphabet", { prompt: "cаncel оrder 9911" }, { prompt: "cancel order 9911" }, { n_exact: 1 }],
    ["another operator is another question", { prompt: "3 * 4" }, { prompt: "3 + 4" }, { n_exact: 0 }],
    ["another order is another task", { prompt: "cancel order 9912" }, { prompt: "cancel order 9911" }, { n_exact: 0 }],
    ["either id", { scenario_id: "a", task_id: "t" }, { scenario_id: "t" }, { n_same_task: 1 }],
    ["a later turn", { messages: turns("hi", COWS) }, { prompt: COWS }, { n_exact: 1 }],
    [
      "a question over two turns",
      { messages: turns(COWS.slice(0, 40), COWS.slice(40)) },
      { prompt: COWS },
      { n_near: 1 },
    ],
    [
      "what the agent said is not asked",
      { messages: [{ role: "assistant", content: COWS }] },
      { prompt: COWS },
      { n: 1, n_exact: 0 },
    ],
    [
      "a reference that is privileged",
      { prompt: COWS },
      { prompt: "x", privileged: { reference: COWS } },
      { n_exact: 1 },
    ],
    [
      "a right short reply",
      { prompt: "x", final_text: "42" },
      { prompt: "y", answer: "42" },
      { n_exact: 0, n_spared: 1 },
    ],
    ["a prompt that is a number", { prompt: 42 as unknown as string }, { prompt: "42" }, { n_exact: 1 }],
    ["an id that every object has", { task_id: "__proto__" }, { task_id: "__proto__" }, { n_same_task: 1 }],
  ])("%s", (_, row, other, counts) => {
    const { report } = decontaminateSync([row], [other], { fields: ["prompt", "messages.user", "final_text"] });
    expect(wire(report)).toMatchObject(counts);
  });

  test("a question inside a longer prompt is found by the share of the question", () => {
    const question = `${COWS}, and how many of the cows does he have left on Saturday?`;
    const wrapper = "Here are the exercises of today, which you may do in any order that you like best. ";
    const row = { prompt: `${wrapper.repeat(3)}${question} ${wrapper}` };
    const { rows, report } = decontaminateSync([row], [{ task_id: "e", prompt: question }]);
    expect({ rows, nContains: report.nContains, nNear: report.nNear }).toEqual({ rows: [], nContains: 1, nNear: 0 });
    expect(report.examples[0]).toMatchObject({ rule: "contains", evalCoverage: 1, evalTask: "e" });
    expect(report.examples[0]?.shared).toMatch(/^… .*\[a farmer has twelve .* on saturday\] here are/);
    const listed = decontaminateSync([row], [{ prompt: question }], { containsAction: "report" });
    expect(listed.report).toMatchObject({ nContains: 1, nContaminated: 0, nKept: 1 });
  });

  test("a near duplicate by its characters is listed, or dropped where that is asked for", () => {
    const rows = [{ prompt: "A farmer has twelve cows and sels three of them at the market on Frday" }, ROWS[4]!];
    const against = [{ task_id: "e1", prompt: COWS }];
    expect(decontaminateSync(rows, against).report).toMatchObject({ nNearDuplicate: 0, jaccard: null });
    const listed = decontaminateSync(rows, against, { jaccard: 0.6 });
    expect(listed.rows).toEqual(rows);
    expect(listed.report).toMatchObject({
      ...{ nNearDuplicate: 1, nContaminated: 0, jaccard: 0.6 },
      relatedExamples: [{ rule: "near_duplicate", index: 0, similarity: 0.8108, evalTask: "e1", evalPrompt: COWS }],
    });
    const dropped = decontaminateSync(rows, against, { jaccard: 0.6, jaccardAction: "drop" });
    expect(dropped.rows).toEqual(rows.slice(1));
    expect(dropped.report).toMatchObject({ nNearDuplicate: 1, nContaminated: 1, hitTasks: ["e1"] });
    expect(formatDecontamination(dropped.report)).toContain(
      "  duplicate      1  nearly an evaluation prompt, Jaccard of at least 0.6; 98.8% of such pairs are found",
    );
  });

  test("numbersAs lists questions that differ in their numbers", () => {
    const ask = (n: number) =>
      `A shop sells ${n} pens a day for ${n + 1} dollars each, how much does it take in a week?`;
    const { rows, report } = decontaminateSync([{ prompt: ask(3) }], [{ prompt: ask(8) }], { numbersAs: "0" });
    expect(report).toMatchObject({ nNumberSwap: 1, nContaminated: 0 });
    expect(rows).toHaveLength(1);
  });
});

function turns(...texts: string[]): { role: string; content: string }[] {
  return texts.map((content) => ({ role: "user", content }));
}

/** The plain way: sets of positions, every text against every row. */
function coverageByHand(row: string, other: string, n: number): number {
  const words = wordTokens(row, "v1");
  const theirs = wordTokens(other, "v1");
  const grams = new Set(theirs.slice(n - 1).map((_, i) => theirs.slice(i, i + n).join(" ")));
  const covered = new Set<number>();
  for (let i = 0; i + n <= words.length; i++) {
    if (grams.has(words.slice(i, i + n).join(" "))) for (let k = i; k < i + n; k++) covered.add(k);
  }
  return covered.size / words.length;
}

const words = fc
  .array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 14 })
  .map((list) => list.join(" "));

test("the index finds what comparing every pair finds", () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 4 }), fc.array(words, { minLength: 1, maxLength: 4 }), (rows, texts) => {
      const options = { rules: "v1", n: 3, overlap: 0.6 } as const;
      const { report } = decontaminateSync(
        rows.map((prompt) => ({ prompt })),
        texts.map((prompt) => ({ prompt })),
        options,
      );
      const keys = new Set(texts.map(normText));
      const exact = rows.filter((row) => keys.has(normText(row)));
      const near = rows.filter(
        (row) =>
          !exact.includes(row) &&
          row.split(" ").length >= 3 &&
          texts.some((text) => coverageByHand(row, text, 3) >= 0.6),
      );
      expect({ nExact: report.nExact, nNear: report.nNear }).toEqual({ nExact: exact.length, nNear: near.length });
    }),
  );
});

test("what is dropped does not depend on the order of rows or of the evaluation, and nothing is changed", () => {
  const row = words.map((prompt) => ({ prompt }));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), fc.array(row, { minLength: 1, maxLength: 4 }), (rows, against) => {
      const before = JSON.stringify([rows, against]);
      const options = { n: 3, related: false };
      const kept = decontaminateSync(rows, against, options).rows;
      expect(decontaminateSync([...rows].reverse(), [...against].reverse(), options).rows.reverse()).toEqual(kept);
      expect(decontaminateSync(kept, against, options).report.nContaminated).toBe(0);
      expect(JSON.stringify([rows, against])).toBe(before);
    }),
  );
});

describe("shared boilerplate is not contamination", () => {
  const argument = (name: string, n: number) => Array.from({ length: n }, (_, i) => `${name}${i}`).join(" ");
  const speech = argument("speech", 30);
  const set = (nInstruction: number, nOwn: number) => {
    const instruction = argument("instruction", nInstruction);
    const against = [
      { task_id: "e1", prompt: `${instruction} ${argument("one", nOwn)}` },
      {
        task_id: "e2",
        prompt: `${instruction} ${argument("two", nOwn - 15 > 0 ? nOwn - 15 : nOwn)} ${nOwn > 15 ? speech.split(" ").slice(0, 15).join(" ") : ""}`,
      },
    ];
    const rows = Array.from({ length: 40 }, (_, i) => ({ prompt: `${instruction} ${argument(`row${i}x`, nOwn)}` }));
    return {
      against,
      rows: [...rows, { prompt: `${argument("quoting", 30)} ${speech}` }, { prompt: against[0]!.prompt }],
    };
  };

  test("20 words of 44: one row goes, the one that is the question", () => {
    const { rows, against } = set(20, 24);
    const result = decontaminateSync(rows, against);
    expect(result.report).toMatchObject({ nContaminated: 1, nExact: 1, nKept: 41 });
    expect(decontaminateSync(rows, against, { profile: "gpt3" }).report.nContaminated).toBeGreaterThanOrEqual(41);
  });

  test("40 words of 48: the first line says which run of words explains the hits", () => {
    const { rows, against } = set(40, 8);
    const { report } = decontaminateSync(rows, against);
    expect(report).toMatchObject({ nExact: 1, nNear: 40, sharedSpans: [{ nTokens: 40, nHits: 40 }] });
    expect(formatDecontamination(report).split("\n")[0]).toContain(
      "41 of 42 rows dropped (97.6%), 1 kept; against 2 evaluation rows, rules v2; one run of 40 words explains 40 of the 40 hits by shared words",
    );
    expect(report.examples[0]?.shared).toContain("[instruction0 instruction1");
    const counted = decontaminateSync(rows, against, { rowBackground: 0.5 });
    expect(counted.report).toMatchObject({ nContaminated: 1, nExact: 1, rowBackground: 0.5 });
  });

  test("a template of the evaluation itself is background, and the row is listed", () => {
    const template = argument("template", 40);
    const against = Array.from({ length: 30 }, (_, i) => ({
      task_id: `e${i}`,
      prompt: `${template} ${argument(`e${i}x`, 8)}`,
    }));
    const own = { prompt: `${template} ${argument("own", 8)}` };
    const mixed = { prompt: `${template} ${argument("e3x", 8)} please` };
    const { rows, report } = decontaminateSync([own, mixed], against);
    expect(rows).toEqual([own]);
    expect(report).toMatchObject({ nNear: 1, nRelated: 1, relatedExamples: [{ rule: "background", index: 0 }] });
    expect(decontaminateSync([own, mixed], against, { evalBackground: 1 }).report.nContaminated).toBe(2);
  });

  test("nor by characters, and as sets it is listed with a rate of false alarms that says so", () => {
    const template = argument("template", 40);
    const against = Array.from({ length: 30 }, (_, i) => ({
      task_id: `e${i}`,
      prompt: `${template} apples of kind ${i}x`,
    }));
    const rows = Array.from({ length: 5 }, (_, i) => ({ prompt: `${template} what a pear weighs, in the year ${i}y` }));
    const { report } = decontaminateSync(rows, against, { shingles: "chars", jaccard: 0.6, related: false });
    expect(report).toMatchObject({ nContaminated: 0, nNearDuplicate: 5, nKept: 5 });
    const alarms = report.falseAlarms.evaluation!.map(({ rule, nHits, n }) => [rule, nHits, n]);
    expect(alarms).toContainEqual(["near_duplicate", 30, 30]);
    const copy = { prompt: `${against[3]!.prompt} please` };
    expect(decontaminateSync([copy], against, { shingles: "chars", related: false }).report.nNear).toBe(1);
  });

  test("in a script without blanks too", () => {
    const ask = (what: string) =>
      `请认真阅读并回答下面的问题，说明你的理由，回答不要超过一百个字，不要使用任何列表：${what}`;
    const rows = ["什么是社会学？", "谁写了红楼梦？", "水为什么会结冰？", "今天星期几？"].map((what) => ({
      prompt: ask(what),
    }));
    const against = [{ prompt: ask("什么是经济周期？") }];
    expect(decontaminateSync(rows, against).report.nNear).toBe(4);
    expect(decontaminateSync(rows, against, { rowBackground: 0.5 }).report.nContaminated).toBe(0);
    expect(decontaminateSync([...rows, ...against], against, { rowBackground: 0.5 }).report.nExact).toBe(1);
  });
});

describe("known negatives", () => {
  const ask = (what: string, i: number) =>
    `Read the order below and say in one word which of our four warehouses has to send ${what} number ${i}`;
  const alike: Row[] = Array.from({ length: 8 }, (_, i) => ({ task_id: `e${i}`, prompt: ask("parcel", i) }));
  const apart: Row[] = [
    { task_id: "a", prompt: COWS },
    { task_id: "b", prompt: "Which gate does the night train to Lisbon leave from when the bridge is closed?" },
  ];
  const rates = (report: { evaluation: readonly { rule: string; nHits: number; n: number }[] | null }) =>
    report.evaluation?.map(({ rule, nHits, n }) => [rule, nHits, n]) ?? null;

  test("an evaluation whose tasks are near copies of one another says so, and one of different tasks does not", () => {
    const repeating = decontaminateSync([], alike, { jaccard: 0.8 }).report.falseAlarms;
    expect(rates(repeating)).toEqual([
      ["near", 8, 8],
      ["contains", 0, 8],
      ["near_duplicate", 0, 8],
    ]);
    const different = decontaminateSync([], apart, { jaccard: 0.8 }).report.falseAlarms;
    expect(rates(different)).toEqual([
      ["near", 0, 2],
      ["contains", 0, 2],
      ["near_duplicate", 0, 2],
    ]);
    expect(different.evaluation![0]).toMatchObject({ rate: 0, ci95: [0, expect.closeTo(0.6576, 3)] });
  });

  test("wordings of one task are no known negatives", () => {
    const wordings = alike.map((row) => ({ ...row, task_id: "one" }));
    expect(rates(decontaminateSync([], wordings).report.falseAlarms)).toEqual([
      ["near", 0, 8],
      ["contains", 0, 8],
    ]);
  });

  test("a single prompt has no other to be held against", () => {
    expect(decontaminateSync([], apart.slice(0, 1)).report.falseAlarms).toEqual({ evaluation: null, knownClean: null });
  });

  test("rows that are known to be clean are counted by the first rule that catches them, and stay out of all else", () => {
    const knownClean = [{ prompt: ask("parcel", 9) }, { prompt: "Write a poem about the sea." }, null as never];
    const { report } = decontaminateSync([{ prompt: "Hello." }], alike, { knownClean });
    expect(report).toMatchObject({ n: 1, nContaminated: 0 });
    expect(report.falseAlarms.knownClean?.map(({ rule, nHits, n }) => [rule, nHits, n])).toEqual([
      ...[
        ["same_task", 0, 2],
        ["exact", 0, 2],
        ["near", 1, 2],
        ["contains", 0, 2],
      ],
    ]);
    expect(formatDecontamination(report)).toContain(
      "  false alarms, rows known to be clean: same task 0 of 2 (0.0..65.8%), exact 0 of 2 (0.0..65.8%), near 1 of 2",
    );
  });

  test("by meaning too", async () => {
    const embedder = (texts: string[]) => texts.map((text) => (text.includes("parcel") ? [1, 0] : [0, 1]));
    const options = { embedder, knownClean: [{ prompt: "a parcel" }] };
    const { report } = await decontaminate([{ prompt: "x" }], [...alike, ...apart], options);
    expect(report.falseAlarms.evaluation).toContainEqual(expect.objectContaining({ rule: "semantic", nHits: 10 }));
    expect(report.falseAlarms.knownClean).toContainEqual(expect.objectContaining({ rule: "semantic", nHits: 1 }));
  });
});

test("ids that number two files alike are said to", () => {
  const rows = [..."0123"].map((id) => ({ task_id: id, prompt: `green apples number ${id} fall` }));
  const against = [..."0123"].map((id) => ({ task_id: id, prompt: "What of the river?" }));
  const { report } = decontaminateSync(rows, against);
  expect(report.nSameTask).toBe(4);
  expect(report.warnings[0]).toMatch(/^4 of 4 rows that share an id .* ask something else \(0, 1, 2\): the two files/);
});

test("rules that could not run say so, and a count of 0 is not read as clean", () => {
  const noIds = decontaminateSync([{ prompt: "a b" }], [{ prompt: "c d" }]).report;
  expect(noIds.rulesSkipped.get("same_task")).toBe("0 of 1 evaluation rows carried a scenario_id or task_id");
  expect(formatDecontamination(noIds)).toContain("same task      -  skipped: 0 of 1 evaluation rows");
  const trained = decontaminateSync([{ prompt: "a b" }], [{ task_id: "e", prompt: "c d" }]).report;
  expect(trained.rulesSkipped.get("same_task")).toBe("0 of 1 training rows carried a scenario_id or task_id");
  const mute = decontaminateSync([{ prompt: "?!" }], [{ prompt: "…" }]).report;
  expect(mute.warnings).toHaveLength(2);
  expect(mute.nUnreadable).toBe(2);
});

test("no rows are a rate of 0, and an evaluation without rows is warned of", () => {
  const { report } = decontaminateSync([], [[]]);
  expect(report).toMatchObject({
    n: 0,
    contaminationRate: 0,
    warnings: ["Evaluation source 1 holds no evaluation row: nothing was compared with it."],
  });
});

test("cleanSubset leaves the evaluation rows that nothing hit", () => {
  const { report } = decontaminateSync(ROWS, EVAL);
  expect(report.hitTasks).toEqual(["e1", "e2"]);
  expect(cleanSubset(EVAL, report)).toEqual([EVAL[2]]);
  const bare = EVAL.map(({ prompt }) => ({ prompt: prompt ?? "" }));
  expect(cleanSubset(bare, decontaminateSync([{ prompt: COWS }], bare).report)).toEqual(bare.slice(1));
});

test("tools and system prompt of a selection come along", () => {
  const source = { rows: ROWS, systemPrompt: "Be brief.", mode: "rl", tools: [] };
  const { report: _, ...rest } = decontaminateSync(source, EVAL);
  expect(rest).toMatchObject({ systemPrompt: "Be brief.", mode: "rl", tools: [] });
});

describe("the semantic rule", () => {
  const VECTORS: Record<string, number[]> = { apple: [1, 0], pear: [0.6, 0.8], stone: [0, 1], fruit: [0.8, 0.6] };
  const embedder = (texts: string[]) => texts.map((text) => VECTORS[text]!);
  const against: Row[] = ["a", "b", "c", "a"].map((task_id, i) => ({ task_id, prompt: Object.keys(VECTORS)[i]! }));

  test("how alike distinct tasks read is measured and said", async () => {
    const { report } = await decontaminate([{ prompt: "fruit", task_id: "x" }], against, {
      embedder,
      rules: "v1",
      similarity: 0.85,
    });
    expect(report.distinctTaskSimilarity).toBeCloseTo(0.96, 6);
    expect(report.notes.join("\n")).toContain("The threshold of 0.85 is not above it: raise it above 0.96.");
  });

  test("a hit names the prompt and never one of the row's own task", async () => {
    const rows = [
      { task_id: "x", prompt: "pear" },
      { task_id: "a", prompt: "stone" },
    ];
    const { report, rows: kept } = await decontaminate(rows, [{ task_id: "e", prompt: "fruit" }], {
      embedder,
      similarity: 0.9,
    });
    expect(report.examples).toMatchObject([
      { index: 0, rule: "semantic", similarity: 0.96, evalPrompt: "fruit", evalTask: "e" },
    ]);
    expect(kept).toEqual(rows.slice(1));
    const own = await decontaminate(
      [{ prompt: "pear", task_id: "e2" }],
      [{ task_id: "e", scenario_id: "e2", prompt: "fruit" }],
      { embedder },
    );
    expect(own.report).toMatchObject({ nSameTask: 1, nSemantic: 0 });
  });

  /** Letters as directions: prompts that share most of their letters are near. */
  const lettered = (texts: string[]) =>
    texts.map((text) => Array.from({ length: 26 }, (_, i) => text.split(String.fromCharCode(97 + i)).length - 1));
  const rng = new MersenneTwister(3);
  const many: Row[] = Array.from({ length: 420 }, (_, i) => ({
    task_id: `e${i}`,
    prompt: Array.from({ length: 12 }, () => String.fromCharCode(97 + Math.floor(26 * rng.random()))).join(" "),
  }));
  const asked = many.filter((_, i) => i % 2 === 0).map(({ prompt }) => ({ prompt: `${prompt} z` }));

  test("probing says how much it finds, and drops nothing that comparing with all would keep", async () => {
    const options = { embedder: lettered, similarity: 0.95, related: false, n: 30 };
    const exact = (await decontaminate(asked, many, options)).report;
    expect(exact).toMatchObject({ semanticSearch: "exact", searchRecall: null });
    const probed = (await decontaminate(asked, many, { ...options, semanticSearch: "probed" })).report;
    const { n, nHits, nHitsFound, nSameNearest } = probed.searchRecall!;
    expect([probed.semanticSearch, n]).toEqual(["probed", 200]);
    expect(nHitsFound).toBeLessThanOrEqual(nHits);
    expect(nSameNearest).toBeGreaterThan(180);
    expect(probed.nSemantic).toBeLessThanOrEqual(exact.nSemantic);
    expect(probed.nSemantic).toBeGreaterThan(0.95 * exact.nSemantic);
    expect(probed.notes.join("\n")).toContain(
      `its nearest clusters and not with all 420. Of 200 texts that were drawn, ${nSameNearest} have the same nearest`,
    );
    const streamed = decontaminateStream(asked, many, { ...options, semanticSearch: "probed" });
    for await (const _ of streamed);
    expect(streamed.report()).toEqual(probed);
  });

  test("an unknown way of searching is refused", async () => {
    await expect(decontaminate([], against, { embedder, semanticSearch: "fast" as never })).rejects.toThrow(
      'semanticSearch is "fast". Pass exact or probed',
    );
  });

  test.each<[string, unknown, RegExp]>([
    ["no function", 7, /^embedder is a number\. Pass a function/],
    ["fewer vectors than texts", () => [], /^The embedder returned 0 vectors for 1 texts\./],
    ["an empty vector", () => [[]], /^Vector 0 is empty\./],
    ["a vector with a hole", () => [[1, Number.NaN]], /^Vector 0 holds NaN\./],
    [
      "vectors of two lengths",
      (t: string[]) => t.map((_, i) => (i === 0 ? [1] : [1, 2])),
      /^Vector 1 has 2 values where the first has 1\./,
    ],
  ])("refuses %s", async (_, embedder, said) => {
    const two = /Vector 1/.test(said.source) ? [{ prompt: "a" }, { prompt: "b" }] : [{ prompt: "a" }];
    await expect(decontaminate([{ prompt: "z" }], two, { embedder: embedder as never })).rejects.toThrow(said);
  });

  test("batches keep their order, however many run at once", async () => {
    const calls: number[] = [];
    const slow = async (texts: string[]) => {
      calls.push(texts.length);
      return texts.map((text) => [text.length, 1]);
    };
    const rows = Array.from({ length: 5 }, (_, i) => ({ prompt: "x".repeat(i + 1) }));
    const wide = await decontaminate(rows, [{ prompt: "yyy" }], { embedder: slow, similarity: 0.999 });
    const narrow = await decontaminate(rows, [{ prompt: "yyy" }], {
      embedder: slow,
      similarity: 0.999,
      embedBatch: 1,
      embedConcurrency: 3,
    });
    expect(narrow.report).toEqual(wide.report);
    expect(calls).toEqual([1, 5, 1, 1, 1, 1, 1, 1]);
  });
});

describe("sources", () => {
  test("a list of sources, of every kind", async () => {
    async function* streamed(): AsyncGenerator<Row> {
      yield EVAL[1]!;
    }
    const read = async () => [EVAL[2]!];
    const pull = async () => [{ task_id: "e4", prompt: "pulled" }];
    const { report } = await decontaminate(ROWS, [[EVAL[0]!], streamed(), "eval.jsonl", "ds_1"], { read, pull });
    expect(report).toMatchObject({ nEvalRows: 4, nContaminated: 4 });
  });

  test("an index that was built before, for the rules it was built for", async () => {
    const index = await buildEvalIndex(EVAL);
    expect(decontaminateSync(ROWS, index).report).toEqual(decontaminateSync(ROWS, EVAL).report);
    expect(() => decontaminateSync(ROWS, index, { n: 13 })).toThrow(
      "The index was built with n 8, and 13 is asked for.",
    );
  });

  test.each<[string, unknown, RegExp]>([
    ["rows of something else", ["a", "b"].map((one) => [one]), /^An evaluation source is a list of "a"\./],
    ["a file, without a reader", "eval.jsonl", /^eval\.jsonl is a file, and this entry opens none\./],
    ["a dataset, without a client", "ds_7", /^ds_7 is a dataset of the platform\. Pass pull/],
    ["a number", 7, /^An evaluation source is number\./],
  ])("refuses %s", async (_, against, said) => {
    await expect(decontaminate([], against as never)).rejects.toThrow(said);
  });
});

test.each<[object, RegExp]>([
  [{ n: 0 }, /^n is 0\./],
  [{ overlap: "x" }, /^overlap is "x"\./],
  [{ fields: [] }, /^fields is \[\]\./],
  [{ rules: "v3" }, /^rules is "v3"\./],
  [{ profile: "palm" }, /^profile is "palm"\. Pass one of while, tulu3, gpt3, llama2\./],
  [{ overlapp: 1 }, /^There is no option overlapp\. Did you mean overlap\?/],
  [{ evalOverlap: 2 }, /^evalOverlap is 2\./],
  [{ shingles: "lines" }, /^shingles is "lines"\. Pass words or chars\./],
  [{ shingles: "chars", profile: "tulu3" }, /^shingles is "chars"\. Profile tulu3 counts words/],
  [{ shingles: "chars", numbersAs: "0" }, /^shingles is "chars"\. Numbers are made one by words/],
  [{ skip: -1 }, /^skip is -1\./],
  [{ jaccard: 0 }, /^jaccard is 0\./],
  [{ jaccardAction: "off" }, /^jaccardAction is "off"\. Pass report or drop\./],
])("refuses %j", (options, said) => {
  expect(() => decontaminateSync([], [], options)).toThrow(TrustError);
  expect(() => decontaminateSync([], [], options)).toThrow(said);
});

test("a row that holds itself is named", () => {
  const row: Row = {};
  row.prompt = row as never;
  expect(() => decontaminateSync([{ prompt: "a" }, row], EVAL)).toThrow(/^Row 1 holds itself/);
});

/** Llama 2's count by the book: from each n-gram that begins a run, on until more than `skip` words differ. */
function sharesByHand(
  row: readonly string[],
  text: readonly string[],
  n: number,
  skip: number,
): [row: number, text: number] {
  const [inRow, inText] = [new Set<number>(), new Set<number>()];
  for (let i = 0; i + n <= row.length; i++) {
    for (let j = 0; j + n <= text.length; j++) {
      let [length, misses] = [0, 0];
      for (let k = 0; i + k < row.length && j + k < text.length && misses <= skip; k++) {
        if (row[i + k] === text[j + k]) length = k + 1;
        else if (k < n) break;
        else misses++;
      }
      if (length < n) continue;
      for (let k = 0; k < length; k++) inRow.add(i + k);
      for (let k = 0; k < length; k++) inText.add(j + k);
    }
  }
  return [inRow.size / row.length, inText.size / text.length];
}

/** Coverage is given to three decimals. */
const ROUNDED = 0.00051;

test.each([0, 1, 4])("runs of which %i words may differ cover what walking every pair of places covers", (skip) => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 3, maxLength: 16 });
  fc.assert(
    fc.property(text, text, (row, other) => {
      const options = { profile: "llama2", n: 3, skip, evalOverlap: 0, longestMatch: true } as const;
      const { report } = decontaminateSync([{ prompt: row.join(" ") }], [{ prompt: other.join(" ") }], options);
      const [hit] = report.examples;
      if (row.join(" ") === other.join(" ")) return;
      const [ofRow, ofText] = sharesByHand(row, other, 3, skip);
      expect(Math.abs((hit?.coverage ?? 0) - ofRow)).toBeLessThan(ROUNDED);
      expect(Math.abs((hit?.evalCoverage ?? 0) - ofText)).toBeLessThan(ROUNDED);
      if (hit !== undefined) expect(hit.longestMatch).toBeGreaterThanOrEqual(3);
    }),
    { numRuns: 400 },
  );
});

describe("the count of Llama 2", () => {
  const question = Array.from({ length: 40 }, (_, i) => `w${i}`);
  const changed = (...places: number[]) => question.map((word, i) => (places.includes(i) ? "other" : word)).join(" ");
  const against = [
    { task_id: "e", prompt: question.join(" ") },
    { task_id: "f", prompt: COWS },
  ];

  test.each<[string, string, number, number]>([
    // row, share of the question, dropped
    ["four words differ behind the first ten", changed(11, 15, 20, 25), 1, 1],
    ["five differ: the run ends before the fifth", changed(14, 18, 22, 26, 30), 30 / 40, 0],
    ["one of the first ten differs: the run begins behind it", changed(5), 34 / 40, 1],
    ["ten words are no run", question.slice(0, 10).join(" "), 0, 0],
  ])("%s", (_, prompt, share, nContaminated) => {
    const { report } = decontaminateSync([{ prompt }], against, { profile: "llama2" });
    expect(report).toMatchObject({ nContaminated, skip: 4 });
    const between = share >= 0.2 && share < 0.8 ? 1 : 0;
    const dirty = share >= 0.8 ? 1 : 0;
    expect(report.evalMarks).toEqual({ clean: 2 - between - dirty, between, dirty });
    if (dirty === 1) expect(report.examples[0]?.evalCoverage).toBe(share);
    const unforgiving = decontaminateSync([{ prompt }], against, { profile: "llama2", skip: 0 }).report;
    expect(unforgiving.nContaminated).toBeLessThanOrEqual(nContaminated);
  });

  test("marks look at every row, whatever it was dropped for, and the text says them", () => {
    const rows = [{ task_id: "e", prompt: question.join(" ") }, { prompt: changed(14, 18, 22, 26, 30) }];
    const { report } = decontaminateSync(rows, against, { profile: "llama2" });
    expect(report.evalMarks).toEqual({ clean: 1, between: 0, dirty: 1 });
    expect(formatDecontamination(report)).toContain(
      "  evaluation texts by what a row holds of them: 1 under 20%, 0 between, 1 from 80% on",
    );
    expect(decontaminateSync(rows, against).report.evalMarks).toBeNull();
  });

  test("the longest run is said where it is asked for", () => {
    const rows = [{ prompt: `${changed(20)} and so on` }];
    const { report } = decontaminateSync(rows, against, { longestMatch: true });
    expect(report.examples[0]).toMatchObject({ rule: "near", longestMatch: 40 });
    expect(formatDecontamination(report)).toContain("row 0 prompt near, 91% of the row, longest run 40 ~ e");
    expect(decontaminateSync(rows, against).report.examples[0]?.longestMatch).toBeNull();
  });
});

describe("by characters", () => {
  const chars = { shingles: "chars" } as const;

  test.each<[string, string, string, object]>([
    ["slips inside of words", COWS.replace("twelve", "twelfe").replace("market", "markt"), COWS, { nNear: 1 }],
    [
      "a question in Thai inside a long row",
      `ช่วยตอบคำถามนี้ให้หน่อยแล้วอธิบายวิธีคิดของคุณด้วย ${"ชาวนามีวัวสิบสองตัวและขายสามตัวที่ตลาดในวันศุกร์ เขาเหลือวัวกี่ตัว และเขาจะซื้อแกะได้กี่ตัวจากเงินนั้นในปีหน้า"} ขอบคุณมากสำหรับความช่วยเหลือทั้งหมดของคุณในวันนี้`,
      "ชาวนามีวัวสิบสองตัวและขายสามตัวที่ตลาดในวันศุกร์ เขาเหลือวัวกี่ตัว และเขาจะซื้อแกะได้กี่ตัวจากเงินนั้นในปีหน้า",
      { nContains: 1 },
    ],
    ["other blanks, case and letters", `  ${COWS.toUpperCase().replace("A", "А")} `, COWS, { nExact: 1 }],
    [
      "another question of the same kind",
      "A baker has nine loaves and sells two of them in the shop on Monday",
      COWS,
      { nKept: 1 },
    ],
    ["a short ask with a slip", "cancle order 9911", "cancel order 9911", { nKept: 1 }],
  ])("%s", (_, prompt, question, counts) => {
    const { report } = decontaminateSync([{ prompt }], [{ task_id: "e", prompt: question }], chars);
    expect(report).toMatchObject({ shingles: "chars", ngram: 5, ...counts });
    expect(decontaminateSync([{ prompt }], [{ prompt: question }]).report).toMatchObject({
      shingles: "words",
      ngram: 8,
    });
  });

  test("what is shared is shown as it is written, and named by its unit", () => {
    const row = { prompt: COWS.replace("twelve", "twelfe") };
    const { report } = decontaminateSync([row, { ...row }, { ...row }], [{ task_id: "e", prompt: COWS }], chars);
    expect(report.examples[0]).toMatchObject({
      match: "a far",
      coverage: 0.986,
      shared: "[a farmer has twel]f[e cows and sells three of them at the market on friday]",
    });
    expect(formatDecontamination(report)).toContain("; one run of 54 characters explains 3 of the 3 hits");
    expect(formatDecontamination(report)).toContain("runs of 5 characters of one evaluation text cover 80% of the row");
  });

  test("an index of words is not one of characters", async () => {
    const index = await buildEvalIndex(EVAL, { n: 5 });
    expect(() => decontaminateSync(ROWS, index, chars)).toThrow(
      "The index was built with shingles words, and chars is asked for.",
    );
  });

  test("a short answer in a reply is spared", () => {
    const against = [{ prompt: "Who was it?", answer: "Marie Curie of Warsaw" }];
    const rows = [{ prompt: "x", final_text: "Marie Curie of Warsaw" }];
    const { report } = decontaminateSync(rows, against, { ...chars, fields: ["prompt", "final_text"] });
    expect(report).toMatchObject({ nSpared: 1, nContaminated: 0 });
    expect(report.notes.join()).toContain("fewer than 40 characters");
  });
});

test("a published rule counts what its paper counts", () => {
  const half = COWS.split(" ").slice(0, 9).join(" ");
  const rows = [{ prompt: `${half} and then something else altogether happened to him on the way home` }];
  const counts = (profile: "while" | "tulu3" | "gpt3" | "llama2") =>
    decontaminateSync(rows, EVAL, { profile }).report.nContaminated;
  expect(Object.fromEntries((["while", "tulu3", "gpt3", "llama2"] as const).map((one) => [one, counts(one)]))).toEqual({
    ...{ while: 0, tulu3: 1, gpt3: 0, llama2: 0 },
  });
});

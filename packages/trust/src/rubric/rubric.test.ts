import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CRITERION_KINDS, type CriterionInput, criterion, criterionFromJson, slugOf } from "./criterion.ts";
import { attachRubric, rubric, rubricChecklist, rubricFromJson, rubricOf, rubricVersion } from "./rubric.ts";
import { scoreRubric } from "./score-rubric.ts";
import { scoreWithRubric } from "./score-with-rubric.ts";

const ABPH = rubric([
  { title: "A", weight: 3 },
  { title: "B", weight: 1 },
  { title: "P", weight: 2, kind: "pitfall" },
  { title: "H", kind: "hard" },
]);

test.each<[criteria: CriterionInput[], version: string]>([
  [
    ["Called the lookup", "Escalated over 200", "Quoted real amounts"].map((title) => ({ title, kind: "hard" })),
    "c9ed78d133a7",
  ],
  [[{ title: "Clear", description: "One idea per sentence", weight: 2.5 }], "c8d556816aa0"],
  [[{ title: "Höflich", weight: 1, kind: "pitfall" }], "3d1c80fb62eb"],
])("%j has the version %s", (criteria, version) => expect(rubricVersion(rubric(criteria))).toBe(version));

test("the checklist", () => {
  expect(
    rubricChecklist(
      rubric([
        { title: "Clear", description: "Short.", weight: 2 },
        { title: "H", kind: "hard" },
      ]),
    ),
  ).toBe("1. [principle, weight 2] Clear: Short.\n2. [hard, weight 1] H");
});

test.each<[results: Record<string, unknown>, reward: number | null]>([
  [{ A: true, B: true, P: false, H: true }, 1],
  [{ A: true, B: false, P: true, H: true }, 0.25],
  [{ A: false, B: true, P: true, H: true }, 0],
  [{ A: true, B: true, P: false, H: false }, 0],
  [{ A: true, H: true }, 0.75],
  [{ "1": "yes", "2": "no", "3.": false, "4": 1 }, 0.75],
  [{ "1)": "Met", " 2 ": "PASS", p: 0, h: "1" }, 1],
  [{ A: true, B: true, P: "false", H: "false" }, 0],
  [{ A: true, B: true, P: false }, null],
  [{ A: true, H: null }, null],
  [{ B: { met: true }, H: { value: true } }, 0.25],
])("the items %j come to %j", (results, reward) => expect(scoreRubric(ABPH, results).reward).toBe(reward));

test.each<[criteria: CriterionInput[], results: Record<string, unknown>, reward: number]>([
  [[{ title: "A" }, { title: "B" }, { title: "D" }], { A: true, B: false, D: false }, 0.3333],
  [
    [
      { title: "A", kind: "hard" },
      { title: "B", kind: "hard" },
    ],
    { A: true, B: false },
    0,
  ],
  [
    [
      { title: "P", weight: 2, kind: "pitfall" },
      { title: "Q", kind: "pitfall" },
    ],
    { P: true, Q: false },
    0.3333,
  ],
  [[{ title: "H", kind: "hard" }], { H: true }, 1],
])("%j with %j come to %d", (criteria, results, reward) => {
  expect(scoreRubric(rubric(criteria), results).reward).toBe(reward);
});

test("a key is a number, a title, or a part that means one open item alone", () => {
  const nested = rubric([{ title: "Quotes the total" }, { title: "Quotes the total twice" }, { title: "Polite" }]);
  expect(scoreRubric(nested, { "quotes the total!": true, "Polite tone": true })).toMatchObject({
    met: ["Quotes the total", "Polite"],
    unanswered: ["Quotes the total twice"],
  });
  expect(scoreRubric(nested, { Quotes: true, "7": true, Speed: true })).toMatchObject({
    unmatched: ["7", "Quotes", "Speed"],
    met: [],
  });
  expect(scoreRubric(nested, { "quotes the total": true, quotes: false })).toMatchObject({
    met: ["Quotes the total"],
    missed: ["Quotes the total twice"],
  });
});

test("slugs", () => {
  expect(slugOf("Quotes the total!")).toBe("quotes_the_total");
  expect(slugOf("x".repeat(39).concat(" and more"))).toBe("x".repeat(39));
  expect(slugOf("礼貌")).toMatch(/^criterion_[0-9a-f]{8}$/);
  expect(slugOf("礼貌")).not.toBe(slugOf("准确"));
});

test.each<[json: object, kind: string, weight: number]>([
  [{ title: "A", description: "Essential: says it." }, "hard", 1],
  [{ title: "A", description: "Essential Criteria: says it." }, "hard", 1],
  [{ title: "A", description: "Essentially says it." }, "principle", 1],
  [{ title: "Hard Rule - A", weight: 3 }, "hard", 3],
  [{ title: "A", description: "[Pitfall] Rude.", weight: -2 }, "pitfall", 2],
  [{ title: "A [Pitfall Criteria]" }, "pitfall", 1],
  [{ title: "A", description: "Says it [essential]." }, "hard", 1],
  [{ title: "A", description: "Important: x", weight: "4" }, "principle", 4],
  [{ title: "A", weight: -1 }, "pitfall", 1],
  [{ title: "A", weight: 0 }, "principle", 1],
  [{ title: "A", weight: "many" }, "principle", 1],
  [{ title: "A", kind: "odd" }, "principle", 1],
  [{ title: "A", kind: "HARD", description: "Pitfall: x" }, "hard", 1],
])("%j is a %s of weight %d", (json, kind, weight) => expect(criterionFromJson(json)).toMatchObject({ kind, weight }));

test.each<[why: string, make: () => unknown, message: RegExp]>([
  ["no title", () => criterion({ title: " " }), /has the title " "/],
  ["another kind", () => criterion({ title: "A", kind: "soft" as never }), /hard, principle, pitfall/],
  ["no weight", () => criterion({ title: "A", weight: 0 }), /the weight 0/],
  ["no items", () => rubric([]), /no criteria/],
  ["two of one slug", () => rubric([{ title: "Is polite" }, { title: "is-polite" }]), /Two criteria read is_polite/],
  ["no list", () => rubricFromJson({ rubric: [] }), /An? rubric is object/i],
  ["an item without a title", () => rubricFromJson([{ title: "A" }, {}]), /Item 2/],
])("%s is refused", (_, make, message) => expect(make).toThrow(message));

test("a rubric lies under privileged, and is read back", () => {
  const rows = [{ prompt: "a", privileged: { reference: "r" } }, { prompt: "b" }];
  const [first, second] = attachRubric(rows, (row) => (row.prompt === "a" ? ABPH : null));
  expect(first).toMatchObject({ privileged: { reference: "r", rubric: { version: rubricVersion(ABPH) } } });
  expect(rubricOf(first!)).toEqual(ABPH);
  expect([second, rubricOf(second!), rubricOf({ privileged: { rubric: "x" } })]).toEqual([{ prompt: "b" }, null, null]);
  expect(rows[0]).toEqual({ prompt: "a", privileged: { reference: "r" } });
  expect(attachRubric([first!], rubric([{ title: "Z" }]), { overwrite: false })[0]).toBe(first);
});

test("scoreWithRubric is a verdict with a marker an item, 1 being good", () => {
  expect(scoreWithRubric(ABPH, { A: true, P: true, H: true }, "why")).toEqual({
    ...{ reward: 0.25, reason: "why", rubric_version: rubricVersion(ABPH) },
    markers: { "rubric:a": 1, "rubric:p": 0, "rubric:h": 1 },
    criteria: { a: true, p: true, h: true },
    ...{ hard_failed: [], missed: [], pitfalls_hit: ["P"], unanswered: ["B"], n_unanswered: 1 },
  });
  expect(scoreWithRubric(ABPH, {}).reason).toBe("unanswered: A, B, P, H");
});

const items = fc
  .array(fc.record({ weight: fc.integer({ min: 1, max: 5 }), kind: fc.constantFrom(...CRITERION_KINDS) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((list) => rubric(list.map((item, i) => ({ title: `Item ${i}`, ...item }))));
const answers = fc.array(fc.boolean(), { minLength: 6, maxLength: 6 });

test("a reward is a share, 1 for the best answers, and never rises when an item gets worse", () => {
  fc.assert(
    fc.property(items, answers, fc.nat(5), (given, said, worse) => {
      const results = (list: readonly boolean[]) => Object.fromEntries(given.criteria.map((_, i) => [i + 1, list[i]!]));
      const best = given.criteria.map(({ kind }) => kind !== "pitfall");
      expect(scoreRubric(given, results(best)).reward).toBe(1);
      const reward = scoreRubric(given, results(said)).reward!;
      expect(reward >= 0 && reward <= 1).toBe(true);
      const isPitfall = given.criteria[worse]?.kind === "pitfall";
      const lower = said.map((answer, i) => (i === worse ? isPitfall : answer));
      expect(scoreRubric(given, results(lower)).reward!).toBeLessThanOrEqual(reward);
    }),
  );
});

import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { type JudgeTrustError, trustAfterGrade } from "./trust-after-grade.ts";

const graded = (n: number, fields: (i: number) => Partial<Row> = () => ({})): Row[] =>
  Array.from({ length: n }, (_, i) => ({ task_id: `t${i}`, final_text: `reply ${i}`, reward: i % 2, ...fields(i) }));
const person = (label: number): Partial<Row> => ({ gold_reward: label, gold_kind: "human" });

test("eighty graded rows, sixty labels that all agree: measured on sixty, stamped on eighty", () => {
  const rows = graded(80, (i) => (i < 60 ? person(i % 2) : {}));
  const before = JSON.stringify(rows);
  const { rows: stamped, trust, warnings } = trustAfterGrade(rows);
  const stamp = { agreement: 1, agreement_low: 0.9398, kappa: 1, n_gold: 60, ok: true };
  expect(trust).toEqual({ ...stamp, goldKind: "human" });
  expect(warnings).toEqual([]);
  expect(stamped).toHaveLength(80);
  for (const row of stamped) expect(row.judge_meta).toEqual({ trust: stamp });
  expect(JSON.stringify(rows)).toBe(before);
});

test("a judge_meta that is no object is replaced, and one that is keeps what it had", () => {
  const odd = graded(60, (i) => ({ ...person(i % 2), judge_meta: (i === 0 ? "text" : { model: "m" }) as never }));
  const { rows } = trustAfterGrade(odd);
  expect(Object.keys(rows[0]!.judge_meta!)).toEqual(["trust"]);
  expect(rows[1]!.judge_meta).toMatchObject({ model: "m", trust: { ok: true } });
});

test("ungraded rows keep no stamp, and stay the rows they were", () => {
  const rows: Row[] = [
    ...graded(60, (i) => person(i % 2)),
    { task_id: "u", reward: null },
    { task_id: "f", reward: 0.5 },
  ];
  const stamped = trustAfterGrade(rows).rows;
  expect(stamped.slice(60)).toEqual(rows.slice(60));
});

test.each([
  ["no labels", () => ({})],
  ["a model's labels", (i: number) => ({ gold_reward: i % 2, gold_kind: "model" })],
  ["labels by nobody knows whom", (i: number) => ({ gold_reward: i % 2 })],
])("%s: nothing measured, nothing stamped, one line that says so", (_, fields) => {
  const rows = graded(60, fields);
  const { rows: same, trust, warnings } = trustAfterGrade(rows);
  expect({ same, trust }).toEqual({ same: rows, trust: null });
  expect(warnings).toEqual([expect.stringMatching(/^accuracy of the judge not measured: .*kind human/)]);
});

test("labels of a program count, beside those of a model that do not", () => {
  const rows = graded(80, (i) => ({ gold_reward: i % 2, gold_kind: i < 60 ? "verifier" : "model" }));
  expect(trustAfterGrade(rows).trust).toMatchObject({ n_gold: 60, goldKind: "program", ok: true });
});

test("a judge that labels do not bear out is warned of, and under require refused with its rows", () => {
  const rows = graded(60, (i) => person(i % 4 === 0 ? 1 : 0));
  const { trust, warnings } = trustAfterGrade(rows);
  expect(trust).toMatchObject({ ok: false, n_gold: 60 });
  expect(warnings).toEqual([expect.stringMatching(/^the judge passes 30 of the 45 rows that human labels fail/)]);
  const refused = (() => {
    try {
      return trustAfterGrade(rows, { mode: "require" });
    } catch (error) {
      return error as JudgeTrustError;
    }
  })();
  expect(refused).toMatchObject({ code: "judge_not_trusted", trust: { ok: false } });
  expect(refused.rows[0]!.judge_meta).toMatchObject({ trust: { ok: false } });
});

test("require is not met by rows without a label", () => {
  expect(() => trustAfterGrade(graded(3), { mode: "require" })).toThrow(
    expect.objectContaining({ code: "judge_not_trusted" }),
  );
});

test("off does not look, and another word is refused by the names of the three", () => {
  const rows = graded(60, (i) => person(i % 2));
  expect(trustAfterGrade(rows, { mode: "off" })).toEqual({ rows, trust: null, warnings: [] });
  expect(() => trustAfterGrade(rows, { mode: "on" as never })).toThrow(/Pass warn, require or off/);
});

test("no rows", () => {
  expect(trustAfterGrade([])).toMatchObject({ rows: [], trust: null });
});

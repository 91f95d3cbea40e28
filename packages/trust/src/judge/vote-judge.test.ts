import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareJudges } from "../compare/compare-judges.ts";
import { votedRows } from "../compare/voted-rows.ts";
import type { Judge } from "./judge.ts";
import { runJudge } from "./run-judge.ts";
import { voteOf } from "./vote.ts";
import { voteJudge } from "./vote-judge.ts";

const says = (judgeName: string, reward: number | null, reason = ""): Judge =>
  Object.assign(() => ({ reward, reason }), { judgeName });
const down = Object.assign(
  () => {
    throw new Error("down");
  },
  { judgeName: "down" },
) as Judge;
const ROW: Row[] = [{ task_id: "a", prompt: "p", final_text: "f" }];

test.each<[string, Judge[], number | null, object]>([
  [
    "two of three",
    [says("a", 1, "it did"), says("b", 0, "no"), says("c", 1)],
    1,
    { votes: { a: 1, b: 0, c: 1 }, n_votes: 3, unanimous: false },
  ],
  ["all", [says("a", 0), says("b", 0)], 0, { unanimous: true }],
  ["a tie is no verdict", [says("a", 1), says("b", 0)], null, { n_votes: 2 }],
  [
    "one that is down has no vote",
    [says("a", 1), down, says("c", 1)],
    1,
    { votes: { a: 1, down: null, c: 1 }, n_votes: 2, unanimous: false },
  ],
  ["partial credit is no vote", [says("a", 0.75), says("b", 0)], 0, { votes: { a: 0.75, b: 0 }, n_votes: 1 }],
  ["names are kept apart", [says("a", 1), says("a", 1)], 1, { votes: { a: 1, "a#2": 1 } }],
])("%s", async (_, judges, reward, meta) => {
  const { rows } = await runJudge(ROW, voteJudge(judges));
  expect(rows[0]).toMatchObject({ reward, judge_meta: meta });
  if (reward === null) expect(rows[0]!.judge_status).not.toBe("ok");
});

test("the reason is that of a judge that says the same, and the name is all of theirs", async () => {
  const { rows } = await runJudge(ROW, voteJudge([says("a", 0, "no"), says("b", 1, "it did"), says("c", 1)]));
  expect(rows[0]).toMatchObject({ reason: "it did", judge_name: "vote:a+b+c" });
  const versioned = [says("a", 1), says("b", 1)].map((judge, i) => Object.assign(judge, { version: `v${i}` }));
  expect({ ...voteJudge(versioned, { name: "panel" }) }).toMatchObject({
    judgeName: "panel",
    version: "majority+v0+v1",
  });
  expect(voteJudge([says("a", 1), says("b", 1)]).version).toBeUndefined();
});

test("a mean is of all that gave a reward", async () => {
  const { rows } = await runJudge(ROW, voteJudge([says("a", 0.5), says("b", 1), says("c", null)], { rule: "mean" }));
  expect(rows[0]).toMatchObject({ reward: 0.75, judge_meta: { n_votes: 2 } });
});

test("when all are down, the call failed", async () => {
  const { rows } = await runJudge(ROW, voteJudge([down, down]));
  expect(rows[0]).toMatchObject({ reward: null, judge_status: "error", judge_meta: { error: "Error: down" } });
});

test("rows that several judges scored are voted on without asking again", async () => {
  const rows: Row[] = [1, 0, 1, 0].map((gold, i) => ({
    ...{ task_id: `t${i}`, prompt: "p", final_text: "f", at: i, gold_reward: gold, gold_kind: "human" },
    gold_labels: [{ label: gold, annotator: "ann", kind: "human" }],
  }));
  const judges = {
    a: ({ at }: Row) => Number((at as number) < 2),
    b: ({ at }: Row) => Number((at as number) !== 1),
    c: () => 1,
  };
  const { rows: judged, report } = await compareJudges(rows, judges);
  const voted = votedRows(judged);
  expect(voted.map(({ reward }) => reward)).toEqual([1, 1, 1, 1]);
  const order = report.judges.map(({ name }) => name);
  expect(order.toSorted()).toEqual(["a", "b", "c"]);
  expect(voted[1]).toMatchObject({
    ...{ judge_name: "vote:a+b+c", judge_status: "ok", gold_reward: 0 },
    ...{ judge_meta: { votes: { a: 1, b: 0, c: 1 }, n_votes: 3, unanimous: false }, lineage: { judge: "vote:a+b+c" } },
  });
  expect(judged.get("a")![1]).toMatchObject({ judge_name: "a" });
});

test.each([
  [() => voteJudge([says("a", 1)]), "no_judge"],
  [() => voteJudge([says("a", 1), "gpt" as never]), "no_judge"],
  [() => voteJudge([down, down], { rule: "max" as never }), "bad_option"],
  [() => votedRows(new Map([["a", ROW]])), "no_judge"],
  [
    () =>
      votedRows(
        new Map([
          ["a", ROW],
          ["b", []],
        ]),
      ),
    "bad_row",
  ],
])("a wrong call is refused (%#)", (call, code) => {
  expect(call).toThrow(expect.objectContaining({ code }));
});

test("a majority is that of the rewards turned round, turned round, and no order of judges matters", () => {
  const ballots = fc.array(fc.constantFrom(0, 1, null), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(ballots, (rewards) => {
      const of = (list: readonly (number | null)[]) =>
        voteOf(
          list.map((reward, i) => ({ name: `j${i}`, reward, reason: "" })),
          "majority",
        ).reward;
      const own = of(rewards);
      expect(of([...rewards].reverse())).toBe(own);
      expect(of(rewards.map((reward) => (reward === null ? null : 1 - reward)))).toBe(own === null ? null : 1 - own);
    }),
  );
});

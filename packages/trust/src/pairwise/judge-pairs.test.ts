import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import type { ModelCall, ModelMessage } from "../judge/model-call.ts";
import { formatPairs } from "./format-pairs.ts";
import { judgePairs, type Pair, type PairJudge } from "./judge-pairs.ts";
import { pairwiseJudge } from "./pairwise-judge.ts";
import { readWinner } from "./read-winner.ts";

type Orders = [first: string | null, second: string | null];

const pairsOf = (n: number): Pair[] =>
  Array.from({ length: n }, (_, i) => ({
    ...{ prompt: `p${i}`, chosen: { final_text: `c${i}`, reward: 1 }, rejected: { final_text: `r${i}`, reward: 0 } },
  }));

/** Says what was planned for each pair and order; null throws. */
function planned(orders: readonly Orders[]): PairJudge {
  return (a) => {
    const text = String(a.final_text);
    const said = orders[Number(text.slice(1))]![text.startsWith("c") ? 0 : 1];
    if (said === null) throw new Error("down");
    return { winner: said as "A", reason: `${said} it is` };
  };
}

const SPEC: Orders[] = [
  ["A", "B"],
  ["A", "A"],
  ["tie", "tie"],
  ["A", "tie"],
  ["A", null],
  [null, null],
  ["B", "A"],
];

test("both orders make one verdict; what depends on the order is a tie, and what failed is none", async () => {
  const { pairs, report } = await judgePairs(pairsOf(7), planned(SPEC));
  expect(pairs.map(({ pairwise }) => pairwise.winner)).toEqual([
    "chosen",
    "tie",
    "tie",
    "tie",
    "chosen",
    null,
    "rejected",
  ]);
  expect(pairs.map(({ pairwise }) => pairwise.position_consistent)).toEqual([
    true,
    false,
    true,
    false,
    null,
    null,
    true,
  ]);
  expect(pairs.map(({ tie }) => tie)).toEqual([false, true, true, true, false, false, false]);
  expect(report).toMatchObject({
    ...{ positionFlipRate: 0.4, tieRate: 0.5, agreesWithScores: 0.3333, prefersRejected: 1, nJudged: 6, failed: 1 },
    ...{ n: 7, nHalf: 1, flipsToFirst: 1, flipsToSecond: 0, positionFlips: 2 },
    disagreements: [{ prompt: "p6", chosenScore: 1, rejectedScore: 0, reasons: ["B it is", "A it is"] }],
  });
});

test("a judge that failed is not a tie: rates are over what was read, and the missing pairs are said", async () => {
  const none: Orders = [null, null];
  const orders: Orders[] = [
    none,
    none,
    none,
    none,
    ["A", null],
    ["A", null],
    ["A", "B"],
    ["A", "B"],
    ["A", "A"],
    ["tie", "tie"],
  ];
  const { report } = await judgePairs(pairsOf(10), planned(orders));
  expect(report).toMatchObject({ nWinRate: 4, nHalf: 2, failed: 4, winRate: 0.75, positionFlips: 1 });
  expect(formatPairs(report)).toBe(
    [
      "chosen preferred 75% [0.33..0.95] over 4 pairs by pair_judge",
      "  6 of 10 judged; 4 not judged, 2 in one order alone; ties 33%, the rejected one preferred 0 times",
      "  1 change with the order (25%): 1 to the first shown, 0 to the second, p 1.000; right in both orders 50%",
      "! 4 of 10 pairs not judged and 2 in one order alone: no win rate of all; judge them again",
      "! position bias: 1 of 4 pairs change with the order (1 to the first reply shown, 0 to the second), and count as ties; mend the judge's prompt",
    ].join("\n"),
  );
});

test("without the swap the first order decides", async () => {
  const { pairs, report } = await judgePairs(pairsOf(7), planned(SPEC), { swap: false });
  expect(pairs.map(({ pairwise }) => pairwise.winner)).toEqual([
    "chosen",
    "chosen",
    "tie",
    "chosen",
    "chosen",
    null,
    "rejected",
  ]);
  expect(report).toMatchObject({ positionFlipRate: null, positionP: null, correctInBothOrders: null, nWinRate: 6 });
});

test("no pairs are no calls, and no rates", async () => {
  const { report } = await judgePairs([], planned([]));
  expect(report).toMatchObject({ n: 0, winRate: null, tieRate: null, warnings: [] });
  expect(formatPairs(report)).toMatch(/^pairs: not measured/);
});

test("a judge that hangs is a pair without a winner", async () => {
  const { report } = await judgePairs(pairsOf(2), () => new Promise(() => {}), { timeoutMs: 5 });
  expect(report).toMatchObject({ failed: 2, winRate: null });
});

test.each([
  [[{ chosen: {}, rejected: {} }, { chosen: {} }, null], /2 pairs of 3 without two replies, the first at index 1/],
])("pairs without two replies are refused", async (pairs, message) => {
  await expect(judgePairs(pairs as never, planned([]))).rejects.toThrow(message);
});

test.each<[answer: unknown, winner: string | null]>([
  [{ winner: "A" }, "A"],
  [{ winner: " Tie " }, "tie"],
  ['<think>{"winner":"A"}</think>{"reason":"r","winner":"b"}', "B"],
  ["I weigh winner: A ... final Winner = tie", "tie"],
  ["winner: apples", null],
  [{ winner: 1 }, null],
  [null, null],
  ["", null],
])("%j names %j", (answer, winner) => expect(readWinner(answer).winner).toBe(winner));

test("a model is shown the request once, and both replies with their calls", async () => {
  const asked: (readonly ModelMessage[])[] = [];
  const model: ModelCall = async (messages) => {
    asked.push(messages);
    return '{"reason":"same","winner":"A"}';
  };
  const chosen: Row = { prompt: "Refund 7.", final_text: "Done.", steps: [{ tool: "refund", result: "ok" }] };
  const judge = pairwiseJudge(model, { modelName: "openai:m", tools: ["refund"] });
  const { pairs, report } = await judgePairs([{ chosen, rejected: { final_text: "Done!" } }], judge);
  const record = JSON.parse(/^\{.*\}$/m.exec(asked[0]![1]!.content)![0]);
  expect(record).toMatchObject({
    request: "Refund 7.",
    A: { tools_called: ["refund"] },
    B: { tools_not_called: ["refund"] },
  });
  expect(record.A).not.toHaveProperty("situation");
  expect(pairs[0]!.pairwise).toMatchObject({ winner: "tie", position_consistent: false });
  expect(report.judge).toMatch(/^pairwise:m@[0-9a-f]{12}$/);
});

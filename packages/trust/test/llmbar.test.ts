import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { judgePairs, type Pair, type PairJudge } from "../src/index.ts";

/** Which of two replies several models preferred, in both orders, and which a person did (LLMBar, Zeng et al. 2023). */
const FILE = new URL("../../../../shared/data/judge/llmbar.jsonl", import.meta.url);
const isHere = existsSync(FILE);
const reason = isHere ? "" : " (skipped: ../shared/data is not beside the repository)";

interface Line {
  human: { winner: 1 | 2 };
  judges: Record<string, { order_12: 1 | 2 | null; order_21: 1 | 2 | null }>;
}

const lines: Line[] = isHere
  ? readFileSync(FILE, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
  : [];

/** Chosen is the person's winner; a recorded verdict is looked up by which reply stands first. */
const PAIRS: Pair[] = lines.map(({ human }, i) => ({
  chosen: { line: i, reply: human.winner },
  rejected: { line: i, reply: 3 - human.winner },
}));

function recorded(name: string): PairJudge {
  return (a) => {
    const { order_12, order_21 } = lines[a.line as number]!.judges[name]!;
    const winner = a.reply === 1 ? order_12 : order_21;
    if (winner == null) throw new Error("no verdict");
    return { winner: winner === a.reply ? "A" : "B" };
  };
}

describe(`recorded judges of LLMBar${reason}`, () => {
  test.runIf(isHere).each([
    // judge, judged, failed, flips, flip rate, to first, to second, p, agrees, prefers rejected, right in both
    ["gpt-4/vanilla", 419, 0, 30, 0.0716, 20, 10, 0.098737, 0.8091, 50, 0.8091],
    ["gpt-4/swap", 419, 0, 15, 0.0358, 13, 2, 0.007385, 0.821, 60, 0.821],
    ["chatgpt/vanilla", 419, 0, 143, 0.3413, 133, 10, 0, 0.2291, 180, 0.2291],
    ["llama2/vanilla", 419, 0, 103, 0.247, 76, 27, 0.000001, 0.3198, 182, 0.3189],
    ["palm2/vanilla", 415, 4, 115, 0.2771, 83, 32, 0.000002, 0.5663, 65, 0.5663],
    ["falcon/vanilla", 419, 0, 245, 0.5847, 238, 7, 0, 0.2721, 60, 0.2721],
  ])("%s", async (name, nJudged, failed, flips, rate, toFirst, toSecond, p, agrees, rejected, both) => {
    const { report } = await judgePairs(PAIRS, recorded(name));
    expect(report).toMatchObject({
      ...{ n: 419, nJudged, failed, positionFlips: flips, positionFlipRate: rate, flipsToFirst: toFirst },
      ...{ flipsToSecond: toSecond, agreesWithScores: agrees, prefersRejected: rejected, correctInBothOrders: both },
    });
    expect(report.positionP).toBeCloseTo(p, 6);
  });
});

import { existsSync, readFileSync } from "node:fs";
import type { Row } from "@while/schema";
import { describe, expect, test } from "vitest";
import { compareJudges, type Judge } from "../src/index.ts";

/** Three recorded judges of open question answering, with labels by people (Wang et al. 2023, EVOUNA). */
const FILE = new URL("../../../../shared/data/judge/openqa_nq301.jsonl", import.meta.url);
const isHere = existsSync(FILE);
const reason = isHere ? "" : " (skipped: ../shared/data is not beside the repository)";

interface Line extends Row {
  judges: Record<string, { reward: 0 | 1 } | undefined>;
  human: { label: 0 | 1 };
}

const ROWS: Row[] = isHere
  ? readFileSync(FILE, "utf8")
      .trimEnd()
      .split("\n")
      .map((line): Row => {
        const row: Line = JSON.parse(line);
        const { label } = row.human;
        return {
          ...row,
          gold_reward: label,
          gold_kind: "human",
          gold_labels: [{ label, annotator: "a", kind: "human" }],
        };
      })
  : [];

const recorded =
  (name: string): Judge =>
  (row) =>
    (row as Line).judges[name]?.reward ?? { reward: null };
const JUDGES = Object.fromEntries(["bem", "gpt-4", "text-davinci-003"].map((name) => [name, recorded(name)]));

describe(`recorded judges of NQ301${reason}`, () => {
  test.runIf(isHere)("are ranked by kappa, and the first two are no different", async () => {
    const judgedByAll = ROWS.filter((row) => (row as Line).judges["gpt-4"]?.reward != null);
    const { report } = await compareJudges(judgedByAll, JUDGES);
    expect(report.judges.map(({ name, tiedWithFirst }) => [name, tiedWithFirst])).toEqual([
      ["gpt-4", false],
      ["text-davinci-003", true],
      ["bem", false],
    ]);
    expect(report.judges[0]!.kappa).toBeCloseTo(0.695977, 6);
    const [first, second] = report.pairs;
    expect(first).toMatchObject({ a: "gpt-4", b: "text-davinci-003", onlyARight: 86, onlyBRight: 71 });
    expect(first!.pValue).toBeCloseTo(0.263796, 6);
    expect(second).toMatchObject({ b: "bem", onlyARight: 134, onlyBRight: 71 });
    expect(second!.pValue).toBeCloseTo(0.000013, 6);
  });

  test.runIf(isHere)("the two rows that one of them left out count against it", async () => {
    const { report } = await compareJudges(ROWS, JUDGES);
    // The vote of three as counted by hand from the file; together they are hardly more than one.
    const { vote, effective } = report.panel!;
    expect([vote!.agreement, vote!.kappa, vote!.leak].map((x) => Number(x!.toFixed(6)))).toEqual([
      0.854643, 0.709786, 0.097015,
    ]);
    expect(effective.nEffective).toBeCloseTo(1.406877, 6);
    const [first] = report.judges;
    expect(first).toMatchObject({ name: "gpt-4", n: 1485, nUnjudged: 2 });
    expect(first!.agreementOfAll).toBeLessThan(first!.agreement!);
  });
});

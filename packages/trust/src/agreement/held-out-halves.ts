import { type Row, sha256Hex, taskKey } from "@while/schema";
import { type Confusion, fisherExact, type Interval } from "@while/stats";
import { GOLD_FIELD } from "./gold.ts";
import { judgeAgreement } from "./judge-agreement.ts";
import { HALVES_GAP_FLAG, HALVES_MIN_ROWS } from "./thresholds.ts";

export interface HalfAgreement {
  n: number;
  agreement: number | null;
  ci95: Interval | null;
  kappa: number | null;
  confusion: Confusion;
}

/** Agreement on two halves of the tasks that no label had a say in. */
export interface HeldOutHalves {
  a: HalfAgreement;
  b: HalfAgreement;
  /** Between the two, without its sign; null where one is empty. */
  gap: number | null;
  /** That the two agree alike, by Fisher's exact test. */
  pValue: number | null;
  /** Ten rows in both and a gap of 0.15, as the Python SDK has it: with ten rows a half, noise does that in one of three. */
  flagged: boolean;
}

/** The half of a task: parity of the first eight hex digits of its hash, so that it is the same in every SDK. */
export function taskHalf(task: string): "a" | "b" {
  return Number.parseInt(sha256Hex(task).slice(0, 8), 16) % 2 === 0 ? "a" : "b";
}

/** Tune a rubric on the rows of one half, and read its agreement on the other: examples it was fitted to flatter it. */
export function heldOutHalves(rows: readonly Row[], gold: string = GOLD_FIELD): HeldOutHalves {
  const halfOf = (half: "a" | "b"): HalfAgreement => {
    const own = rows.filter((row) => taskHalf(taskKey(row)) === half);
    const { n, agreement, ci95, kappa, confusion } = judgeAgreement(own, gold, { allowModelGold: true });
    return { n, agreement, ci95, kappa, confusion };
  };
  const [a, b] = [halfOf("a"), halfOf("b")];
  const gap = a.agreement === null || b.agreement === null ? null : Math.abs(a.agreement - b.agreement);
  const enough = a.n >= HALVES_MIN_ROWS && b.n >= HALVES_MIN_ROWS;
  return {
    a,
    b,
    gap,
    pValue: gap === null ? null : fisherExact(agreeing(a), agreeing(b)),
    flagged: gap !== null && enough && gap >= HALVES_GAP_FLAG,
  };
}

function agreeing({ n, confusion: { tp, tn } }: HalfAgreement): { successes: number; n: number } {
  return { successes: tp + tn, n };
}

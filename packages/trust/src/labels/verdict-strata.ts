import { isObject, type Row } from "@while/schema";
import { binaryReward } from "@while/stats";
import { isTrustedRow } from "../agreement/gold.ts";
import { judgeSplitOf } from "./judge-split.ts";

/** Rows that a judge gave one verdict, and what labels say of them. */
export interface VerdictStratum {
  verdict: 0 | 1;
  /** Decided near to even (`judge_meta.unsure`); null where the verdict's rows are not parted by that. */
  unsure: boolean | null;
  nRows: number;
  nLabeled: number;
  /** Of the labeled ones, those on which gold says the same. */
  nRight: number;
}

export interface StratumOptions {
  gold: string;
  allowModelGold: boolean;
}

/** A row that a judge decided and that may count as evidence. */
export interface DecidedRow {
  row: Row;
  verdict: 0 | 1;
  unsure: boolean;
  /** Null without a label that counts. */
  gold: 0 | 1 | null;
}

/** Labels under which a stratum is not told apart from the other of its verdict. */
const MIN_LABELED = 5;

/** Rows with a verdict of 0 or 1, but those that the judge was tuned on. */
export function decidedRows(rows: readonly Row[], { gold, allowModelGold }: StratumOptions): DecidedRow[] {
  return rows.flatMap((row) => {
    const verdict = binaryReward(row);
    if (verdict === null || judgeSplitOf(row) === "tune") return [];
    const counts = allowModelGold || isTrustedRow(row, gold);
    const unsure = isObject(row.judge_meta) && row.judge_meta.unsure === true;
    return [{ row, verdict, unsure, gold: counts ? binaryReward(row, gold) : null }];
  });
}

/** One stratum a verdict; two where the judge says of some rows that it is unsure, and labels are in both. */
export function verdictStrata(rows: readonly DecidedRow[]): VerdictStratum[] {
  return ([1, 0] as const).flatMap((verdict) => {
    const own = rows.filter((row) => row.verdict === verdict);
    if (own.length === 0) return [];
    const parts = [false, true].map((unsure) =>
      stratumOf(
        verdict,
        unsure,
        own.filter((row) => row.unsure === unsure),
      ),
    );
    if (parts.every(({ nLabeled }) => nLabeled >= MIN_LABELED)) return parts;
    return [stratumOf(verdict, null, own)];
  });
}

function stratumOf(verdict: 0 | 1, unsure: boolean | null, rows: readonly DecidedRow[]): VerdictStratum {
  const labeled = rows.filter(({ gold }) => gold !== null);
  const nRight = labeled.filter(({ gold }) => gold === verdict).length;
  return { verdict, unsure, nRows: rows.length, nLabeled: labeled.length, nRight };
}

import { compareCodePoints, isObject, type Row, rowKey, sha256Hex } from "@while/schema";
import { binaryReward } from "@while/stats";
import { GOLD_FIELD, isTrustedRow } from "../agreement/gold.ts";
import type { Judge } from "../judge/judge.ts";
import { type RunJudgeOptions, runJudge } from "../judge/run-judge.ts";
import { TrustError } from "../trust-error.ts";

/** What a judge said of the anchors, once: a line of a history that later runs are held against. */
export interface AnchorRun {
  /** First 12 hex digits of the SHA-256 over the anchors' keys and gold: runs of other anchors are not compared. */
  anchorsSha: string;
  judgeName: string;
  judgeVersion: string | null;
  /** When it was, as the caller says it; null where nobody did. */
  at: string | null;
  /** By row key; null where the judge gave no 0 or 1. */
  verdicts: Map<string, 0 | 1 | null>;
}

export interface AnchorRunOptions
  extends Pick<RunJudgeOptions, "concurrency" | "timeoutMs" | "retries" | "judgeName" | "version" | "signal"> {
  gold?: string;
  at?: string | null;
}

const SHA_CHARS = 12;

/** Rows that can be anchors: gold of people or programs, 0 or 1. */
export function anchorsOf(rows: readonly Row[], gold: string = GOLD_FIELD): Row[] {
  return rows.filter((row) => isTrustedRow(row, gold) && binaryReward(row, gold) !== null);
}

/** Which anchors these are, whatever their order. */
export function anchorsSha(anchors: readonly Row[], gold: string = GOLD_FIELD): string {
  const lines = anchors.map((row) => JSON.stringify([rowKey(row), binaryReward(row, gold)])).sort(compareCodePoints);
  return sha256Hex(lines.join("\n")).slice(0, SHA_CHARS);
}

/**
 * Judges fixed rows with fixed gold, for a record to hold later runs against (`judgeDrift`): on a schedule, or when the name
 * behind a model is moved. Every anchor is judged anew, whatever verdicts are at hand.
 *
 * @throws TrustError `no_rows` where no row can be an anchor, or two share a key; `bad_option`, `no_judge`
 */
export async function anchorRun(
  rows: readonly Row[],
  judge: Judge,
  { gold = GOLD_FIELD, at = null, ...call }: AnchorRunOptions = {},
): Promise<AnchorRun> {
  const anchors = anchorsOf(rows, gold);
  if (anchors.length === 0) {
    throw new TrustError(
      "no_rows",
      `None of ${rows.length} rows has a label of 0 or 1 by people or programs in ${gold}.`,
      "Label 50 or more, and keep them as they are (attachLabels, kind human).",
    );
  }
  const keys = anchors.map(rowKey);
  const twice = keys.find((key, i) => keys.indexOf(key) !== i);
  if (twice !== undefined) {
    throw new TrustError("no_rows", `Two anchors are called ${twice}.`, "Give every row its own rollout_id.");
  }
  const scored = await runJudge(anchors, judge, { ...call, source: "judge_anchors" });
  return {
    anchorsSha: anchorsSha(anchors, gold),
    judgeName: scored.judgeName,
    judgeVersion: scored.judgeVersion,
    at,
    verdicts: new Map(scored.rows.map((row, i) => [keys[i]!, binaryReward(row)])),
  };
}

/**
 * A run as `toWire` wrote it, read back.
 *
 * @throws TrustError `bad_file`
 */
export function anchorRunFromJson(json: unknown): AnchorRun {
  const refuse = (what: string) =>
    new TrustError("bad_file", `A run of anchors ${what}.`, "Give a history that judge runs wrote, one a line.");
  if (!isObject(json)) throw refuse("is no object");
  const { anchors_sha: sha, judge_name: name, judge_version: version = null, at = null, verdicts } = json;
  if (typeof sha !== "string" || typeof name !== "string") throw refuse("lacks anchors_sha or judge_name");
  if (!isObject(verdicts)) throw refuse("lacks verdicts");
  const read = Object.entries(verdicts).map(([key, verdict]): [string, 0 | 1 | null] => {
    if (verdict === 0 || verdict === 1 || verdict === null) return [key, verdict];
    throw refuse(`has the verdict ${JSON.stringify(verdict)} on ${key}`);
  });
  return {
    ...{ anchorsSha: sha, judgeName: name, verdicts: new Map(read) },
    judgeVersion: typeof version === "string" ? version : null,
    at: typeof at === "string" ? at : null,
  };
}

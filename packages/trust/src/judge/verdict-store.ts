import { pyJson, type Row, sha256Hex, VERDICT_KEYS } from "@while/schema";
import type { Judge } from "./judge.ts";
import type { JudgeScale, NormalizedResult } from "./normalize-judge-result.ts";

/**
 * Verdicts by what was judged and by whom, so that a grading which broke off goes on where it stopped and a second one
 * costs nothing. `openVerdictLog` of `@while/trust/files` keeps them in a file; a `Map` will do in memory.
 */
export interface VerdictStore {
  get(key: string): NormalizedResult | undefined;
  /** What it returns is waited for: a verdict is in safety before the next call is made. */
  set(key: string, verdict: NormalizedResult): unknown;
}

/**
 * Names one verdict: the judge's version, the scale, and what the judge reads of the row. A judge that does not say what
 * it reads reads all of it but earlier verdicts and where the row came from.
 */
export function verdictKey(judge: Judge, version: string, row: Row, scale: JudgeScale | undefined): string {
  const text = judge.reads === undefined ? subjectOf(row) : judge.reads(row);
  return sha256Hex(`${version}\u001f${scale === undefined ? "" : scale.join(" ")}\u001f${text}`);
}

function subjectOf(row: Row): string {
  const subject: Row = { ...row };
  for (const key of VERDICT_KEYS) delete subject[key];
  delete subject.lineage;
  return pyJson(subject, { sortKeys: true });
}

import { cutCodePoints, messagesOf, type Row, rowKey, taskKey, textOf } from "@while/schema";
import { binaryReward } from "@while/stats";

/** One conversation of one task that the same judge passed and failed. */
export interface SelfContradiction {
  task: string;
  judge: string;
  /** The reply, its first 200 characters. */
  finalText: string;
  nPass: number;
  nFail: number;
  rowKeys: string[];
}

const SHOWN_CHARS = 200;

/**
 * Rows that a judge cannot have had a reason to part: one task, one conversation to the letter, one judge of one version,
 * and two verdicts. No judge is called. What such a group teaches by contrast is the judge's noise, since no update can
 * tell its rows apart.
 *
 * @returns Most rows first, then in the order of the rows
 */
export function selfContradictions(rows: readonly Row[]): SelfContradiction[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    if (binaryReward(row) === null || textOf(row.final_text) === "") continue;
    const key = JSON.stringify([taskKey(row), judgeOf(row), messagesOf(row), textOf(row.final_text)]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  const contradictions: SelfContradiction[] = [];
  for (const group of groups.values()) {
    const nPass = group.filter((row) => binaryReward(row) === 1).length;
    const [first] = group;
    if (first === undefined || nPass === 0 || nPass === group.length) continue;
    contradictions.push({
      task: taskKey(first),
      judge: judgeOf(first),
      finalText: cutCodePoints(textOf(first.final_text), SHOWN_CHARS),
      nPass,
      nFail: group.length - nPass,
      rowKeys: group.map(rowKey),
    });
  }
  return contradictions.sort((a, b) => b.rowKeys.length - a.rowKeys.length);
}

/** Name and version: rows under two versions were not judged by the same judge. */
function judgeOf(row: Row): string {
  const version = textOf(row.lineage?.judge_version);
  const name = textOf(row.judge_name);
  return version === "" ? name : `${name} ${version}`;
}

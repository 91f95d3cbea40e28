import { type Row, taskKey } from "@while/schema";
import type { DecontaminationReport } from "./decontamination-report.ts";

/**
 * The evaluation rows that no dropped training row hit, for a score beside the whole one, as GPT-3 reports both (Brown
 * et al. 2020, appendix C). A row goes by its first id, or by its prompt where it has none.
 */
export function cleanSubset<R extends Row>(evalRows: readonly R[], { hitTasks }: DecontaminationReport): R[] {
  const hit = new Set(hitTasks);
  return evalRows.filter((row) => !hit.has(taskKey(row)));
}

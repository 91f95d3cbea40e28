import { attachLabels, type Row } from "@while/schema";
import { readLabels } from "@while/schema/files";
import { CliError } from "../cli-error.ts";
import { note } from "../print.ts";
import type { Call } from "../verb.ts";

/** Rows with the labels of a file on them; what was remarkable about the labels is noted. */
export async function withLabels(call: Call, rows: Row[], path: string, kind: string | undefined): Promise<Row[]> {
  const records = await readLabels(path);
  if (kind !== "model") refuseVerdicts(path, records);
  const { rows: labeled, report } = attachLabels(rows, records, kind === undefined ? {} : { kind });
  for (const { text } of report.warnings) note(call, text);
  return labeled;
}

/** Graded rows in place of labels: by their rewards a judge would be measured against itself, and be perfect. */
export function refuseVerdicts(path: string, records: readonly Record<string, unknown>[]): void {
  const isVerdict = ({ label, judge_name: judge, judge_status: status }: Record<string, unknown>) =>
    label == null && (judge != null || status != null);
  if (records.length === 0 || !records.every(isVerdict)) return;
  throw new CliError(
    "bad_flag",
    `--labels names ${path}, which holds verdicts of the judge ${String(records[0]!.judge_name ?? "")} and no labels.`,
    "Give what people or programs said, in a column label; verdicts of another model are --kind model.",
  );
}

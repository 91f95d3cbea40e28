import type { Contaminated } from "../eval-filter.ts";
import type { FormatCounts } from "../formats/format-counts.ts";
import type { Requirement } from "../formats/requirement.ts";
import type { ExportWarning } from "../report/export-report.ts";
import type { RoundtripReport } from "../roundtrip/roundtrip-check.ts";

/** What an export of judged replies wrote, and what KTO will learn from it. */
export interface KtoReport extends FormatCounts {
  kind: "kto";
  /** Replies in the consumer's shape. */
  n: number;
  /** Rows of the source: `n` and what was dropped. */
  rowsIn: number;
  format: string;
  /** null when nothing was written. */
  path: string | null;
  sha256: string | null;
  bytes: number | null;
  /** Replies with a reward over 0.5, and under it. */
  nDesirable: number;
  nUndesirable: number;
  /**
   * Where to set the weight of wanted replies while that of unwanted ones is 1, so that the two classes weigh 1 to 1 up
   * to 4 to 3 (Ethayarajh et al. 2024, arXiv:2402.01306); 2 decimals, null when a class is empty.
   */
  suggestedDesirableWeight: readonly [number, number] | null;
  /** Rows without a numeric reward, and with one of exactly 0.5. */
  ungradedDropped: number;
  borderlineDropped: number;
  /** Rows without an agent turn that has something before it. */
  noCompletionDropped: number;
  /** Messages behind the reply. */
  trailingMessagesDropped: number;
  withTools: number;
  toolCallRoundtrip: RoundtripReport;
  /** Replies that quote their own privileged block; a wanted one is what the model is trained towards. */
  privilegedLeaks: { nChecked: number; desirable: number; undesirable: number };
  requires: readonly Requirement[];
  /** Fields that did not travel, by name, with the rows that have them. */
  notCarried: Map<string, number>;
  /** Columns without one type over all rows: moved into `metadata_json` where the format carries it. */
  unstable: string[];
  /** Rows that an evaluation holds, left out; there with the option `against`, 0 included. */
  contaminated?: Contaminated;
  infoPath?: string;
  warnings: ExportWarning[];
}

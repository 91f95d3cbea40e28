import type { ExportReport } from "@while/export";
import type { Census } from "@while/schema";
import type { GateReport, HackScanReport, RlReport, SftReport } from "@while/select";
import type { MetricSummary, PassAt, SecondOpinion } from "@while/stats";
import type { DecontaminationReport, JudgeTrust, TraceFlagReport } from "@while/trust";
import type { GateOutcome, RunGate } from "./run-gate.ts";

/** What became of the rows: a training file, nothing to keep for one, an export that was refused, nothing graded. */
type RunOutcome = "written" | "nothing_kept" | "refused" | "not_graded";

/** One message of an exported row, and whether the trainer takes loss on it. */
export interface SampleMessage {
  role: string;
  text: string;
  trained: boolean;
}

/** A file of the run's folder. */
export interface RunFile {
  name: string;
  about: string;
}

/** The whole loop on one set of rows. */
export interface RunReport {
  /** The worst of the gates. */
  verdict: Exclude<GateOutcome, "warns" | "skipped">;
  /** In the order of the loop. */
  gates: readonly RunGate[];
  outcome: RunOutcome;
  /** Why there is no training file; null when there is one. */
  reason: string | null;
  /** The command line that makes this report again. */
  command: string;
  /** Files as they were named, and the folder that this is in. */
  sources: readonly string[];
  holdout: readonly string[];
  directory: string;
  census: Census;
  passAt: PassAt;
  /** What the tools that wrote the files report; null when none did. */
  secondOpinion: SecondOpinion | null;
  markers: Map<string, MetricSummary>;
  judgeTrust: JudgeTrust;
  traces: TraceFlagReport;
  /** null when no evaluation was named. */
  decontamination: DecontaminationReport | null;
  hackScan: HackScanReport;
  selection: RlReport | SftReport;
  /** Of the rows that were kept; null when none was, and of replies to imitate, which need no contrast. */
  gate: GateReport | null;
  /** null when nothing could be exported. */
  export: ExportReport | null;
  /** Messages of the first exported row; empty without one. */
  sample: readonly SampleMessage[];
  files: readonly RunFile[];
}

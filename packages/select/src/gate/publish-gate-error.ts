import { SelectError } from "../select-error.ts";
import type { GateRefusal, GateReport } from "./gate-report.ts";

/** A refusal of `publishGate`; `report` is the whole report. */
export class PublishGateError extends SelectError {
  readonly report: GateReport;

  constructor(code: GateRefusal, what: string, fix: string, report: GateReport) {
    super(code, what, fix);
    this.report = report;
  }
}

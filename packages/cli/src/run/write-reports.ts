import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toWire } from "@while/schema";
import { reportPage } from "./report-page.ts";
import { RUN_FILE } from "./run-directory.ts";
import type { RunFile, RunReport } from "./run-report.ts";

/** Writes the page and every report as JSON, each as its own verb prints it; returns the report that lists them. */
export function writeReports(report: RunReport, folder: string): RunReport {
  const { secondOpinion } = report;
  const parts: readonly (readonly [name: string, about: string, part: unknown])[] = [
    ["census.json", "what wai rows --json prints", { ...report.census, secondOpinion }],
    ["pass-at.json", "what wai pass-at --json prints", { ...report.passAt, secondOpinion }],
    ["markers.json", "what wai markers --json prints", report.markers],
    ["judge-trust.json", "what wai judge-trust --json prints", report.judgeTrust],
    ["traces.json", "what wai traces --json prints", report.traces],
    ["decontaminate.json", "what wai decontaminate --json prints", report.decontamination],
    ["hack-scan.json", "what wai hack-scan --json prints", report.hackScan],
    ["optimize.json", "what wai optimize --json prints", report.selection],
    ["gate.json", "what wai gate --json prints of the kept rows", report.gate],
    ["export.json", "what wai export --json prints", report.export],
  ];
  const written = parts.filter(([, , part]) => part !== null);
  for (const [name, , part] of written) writeJson(folder, name, part);
  const files: RunFile[] = [
    { name: "report.html", about: "this run as a page: open it, send it, print it" },
    ...report.files,
    { name: RUN_FILE, about: "all of this for a program" },
    ...written.map(([name, about]) => ({ name, about })),
  ];
  const complete: RunReport = { ...report, files };
  writeJson(folder, RUN_FILE, complete);
  writeFileSync(join(folder, "report.html"), reportPage(complete));
  return complete;
}

function writeJson(folder: string, name: string, report: unknown): void {
  writeFileSync(join(folder, name), `${JSON.stringify(toWire(report), null, 2)}\n`);
}

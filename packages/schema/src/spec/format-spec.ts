import { cutCodePoints } from "../text/code-points.ts";
import type { SpecReport } from "./spec-report.ts";

/** A principle is shown as one line of this length; the report has all of it. */
const SHOWN_CHARS = 100;

/** The id and the version, a line for each trait, then what is remarkable. */
export function formatSpec({ id, version, traits, warnings }: SpecReport): string {
  const n = `${traits.length} ${traits.length === 1 ? "trait" : "traits"}`;
  return [
    `spec ${id}, version ${version}: ${n}`,
    ...traits.map(({ id: trait, authority, principle }) => `  ${trait} (${authority}) ${shown(principle)}`.trimEnd()),
    ...warnings.map(({ text }) => `! ${text}`),
  ].join("\n");
}

function shown(principle: string): string {
  const line = principle.replaceAll(/\s+/g, " ").trim();
  const cut = cutCodePoints(line, SHOWN_CHARS);
  return cut === line ? line : `${cut.trimEnd()}...`;
}

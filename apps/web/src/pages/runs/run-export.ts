import { csvOf } from "../../parts/csv.ts";
import { type RunColumn, toServedText } from "./run-columns.ts";
import type { RunView } from "./run-view.ts";

export const EXPORTS = ["CSV", "LaTeX", "markdown"] as const;
export type ExportAs = (typeof EXPORTS)[number];

/** The table of runs as text for a sheet, a paper or a note: the columns that are shown, in their order. */
export function runsAsText(views: readonly RunView[], columns: readonly RunColumn[], as: ExportAs): string {
  const heads = ["version", "run", ...columns.map(({ head }) => head), "to served", "missing"];
  const rows = views.map((view) => [
    ...[view.run.version, view.run.id],
    ...columns.map((column) => column.text(view) ?? column.none),
    ...[toServedText(view) ?? "", view.missing.items.map(({ key }) => key).join(" ")],
  ]);
  if (as === "CSV") return csvOf(heads, rows);
  return as === "LaTeX" ? latexOf(heads, rows) : markdownOf(heads, rows);
}

function markdownOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  // A name may hold what ends a cell or begins markup: it is text here.
  const cell = (text: string): string => text.replace(/[\\`*_[\]<>|#]/g, "\\$&").replace(/\s+/g, " ");
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(heads), `|${heads.map(() => "---|").join("")}`, ...rows.map(line)].join("\n").concat("\n");
}

const LATEX: Readonly<Record<string, string>> = {
  ...{ "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" },
  ...{ "−": "$-$", "±": "$\\pm$", "–": "--" },
};

function latexOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string =>
    text.replace(/\s+/g, " ").replace(/[\\~^−±–]|[&%$#_{}]/g, (sign) => LATEX[sign] ?? `\\${sign}`);
  const line = (cells: readonly string[]): string => `  ${cells.map(cell).join(" & ")} \\\\`;
  return [
    `\\begin{tabular}{${"l".repeat(heads.length)}}`,
    ...["  \\hline", line(heads), "  \\hline", ...rows.map(line), "  \\hline", "\\end{tabular}"],
  ]
    .join("\n")
    .concat("\n");
}

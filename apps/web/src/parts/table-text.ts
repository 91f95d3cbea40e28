import { csvOf } from "./csv.ts";

/** What a table can be taken along as: for a sheet, a program, a paper, a note. */
export const TABLE_FORMATS = ["CSV", "JSONL", "LaTeX", "markdown"] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** A table twice: as it is read, and as numbers. */
export interface TakenTable {
  heads: readonly string[];
  /** Texts as the page shows them: LaTeX and markdown. */
  cells: readonly (readonly string[])[];
  /** The same facts by name, a number a field, null where something is not there: CSV and JSONL. */
  facts: readonly Readonly<Record<string, string | number | null>>[];
}

export function tableText({ heads, cells, facts }: TakenTable, format: TableFormat): string {
  switch (format) {
    case "CSV": {
      const names = [...new Set(facts.flatMap((fact) => Object.keys(fact)))];
      return csvOf(
        names,
        facts.map((fact) => names.map((name) => fact[name] ?? null)),
      );
    }
    case "JSONL":
      return facts.map((fact) => `${JSON.stringify(fact)}\n`).join("");
    case "LaTeX":
      return latexOf(heads, cells);
    case "markdown":
      return markdownOf(heads, cells);
  }
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

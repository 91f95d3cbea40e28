import { formatFixed, formatInterval } from "@while/schema";
import { passAt } from "@while/stats";
import type { ExportReport } from "../report/export-report.ts";
import type { CardFeature } from "./dataset-card-features.ts";

/** What a reader is told that the rows do not say themselves. */
export interface CardOptions {
  title?: string;
  /** One paragraph. */
  about?: string;
  /** As the hub spells it: `apache-2.0`. */
  license?: string;
  tags?: readonly string[];
  /** Of the file of each split: what the trainer does with it. */
  reports?: Readonly<Record<string, ExportReport>>;
  /** Judge, policy, band, contamination, hack scan: a name and what was found, in the order in which they stand. */
  facts?: readonly (readonly [name: string, value: string])[];
}

/** A split as the card counts it. */
export interface CardSplit {
  name: string;
  /** Path inside the folder. */
  path: string;
  rows: readonly Readonly<Record<string, unknown>>[];
}

/** The README of a dataset: front matter with files and column types, then what the rows are and what they train. */
export function datasetCard(
  splits: readonly CardSplit[],
  features: readonly CardFeature[],
  { title = "Rollouts to train on", about, license, tags = [], reports = {}, facts = [] }: CardOptions = {},
): string {
  const front = [
    "---",
    ...(license === undefined ? [] : [`license: ${yamlText(license)}`]),
    `tags: [${["while", ...tags].map(yamlText).join(", ")}]`,
    "configs:",
    "- config_name: default",
    "  data_files:",
    ...splits.map(({ name, path }) => `  - {split: ${name}, path: ${yamlText(path)}}`),
    "dataset_info:",
    "  config_name: default",
    "  features:",
    ...features.map(featureLine),
    "---",
  ];
  const body = [
    `# ${title}`,
    ...(about === undefined ? [] : [about]),
    table(["split", "rows", "tasks", "pass@1", "95%", "mixed tasks", "k"], splits.map(splitCells)),
    ...(facts.length === 0 ? [] : [table(["what", "value"], facts)]),
    ...splits.flatMap(({ name }) => trained(name, reports[name])),
  ];
  return `${front.join("\n")}\n\n${body.join("\n\n")}\n`;
}

function featureLine(feature: CardFeature): string {
  const type = "list" in feature ? `list: ${feature.list}` : `dtype: ${feature.dtype}`;
  return `  - {name: ${yamlText(feature.name)}, ${type}}`;
}

/** Quoted wherever YAML could read it as something else: JSON text is YAML. */
function yamlText(text: string): string {
  const isPlain = /^[A-Za-z_][\w./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}

function splitCells({ name, rows }: CardSplit): string[] {
  const graded = rows.some(({ reward }) => typeof reward === "number");
  if (!graded) return [name, String(rows.length), "", "not graded", "", "", ""];
  const { passAt1, ci95, nTasksTotal, k, perTask } = passAt(rows);
  const mixed = [...perTask.values()].filter((rate) => rate > 0 && rate < 1).length;
  return [
    ...[name, String(rows.length), String(nTasksTotal)],
    ...[passAt1 === null ? "not measured" : formatFixed(passAt1, 2), formatInterval(ci95, 2, { absent: "none" })],
    ...[String(mixed), String(k)],
  ];
}

function trained(name: string, report: ExportReport | undefined): string[] {
  if (report === undefined) return [];
  const { format, trainedMessages, maskedMessages, maskMode, requires } = report;
  const settings = requires.map(({ setting, value, why }) => `- \`${setting}\` ${value}: ${why}`);
  const text = `\`${name}\` is written for ${format} and trains ${trainedMessages} messages, ${maskedMessages} are masked: ${maskMode}.`;
  return [text, ...(settings.length === 0 ? [] : [`Set in the trainer:\n\n${settings.join("\n")}`])];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellText).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

function cellText(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}

import { sha256Hex } from "@while/schema";
import { passAt } from "@while/stats";
import { ExportError } from "../export-error.ts";
import { type CardOptions, type CardSplit, datasetCard } from "./dataset-card.ts";
import { type CardFeature, datasetCardFeatures } from "./dataset-card-features.ts";

export interface DatasetFolderOptions {
  /** Lines of each split, as `exportLines` gives them. */
  splits: Readonly<Record<string, readonly string[]>>;
  card?: CardOptions;
}

export interface DatasetFolderReport {
  /** null where nothing was written. */
  path: string | null;
  splits: { name: string; rows: number; sha256: string; passRate: number | null }[];
  features: readonly CardFeature[];
  files: readonly string[];
}

/** What hubs and their loaders accept as the name of a split. */
const SPLIT = /^[A-Za-z0-9_]+$/;

/**
 * The files of a dataset folder: a card whose front matter has the types of the columns, a file a split, and
 * `whileai.json`, which says what each split is by its hash. Loaded by `load_dataset(folder)`, rows are what they were.
 *
 * @throws ExportError `invalid_option`, `empty_export`
 */
export function datasetFolderFiles({ splits, card = {} }: DatasetFolderOptions): {
  files: Map<string, string>;
  report: DatasetFolderReport;
} {
  const named = Object.entries(splits);
  if (named.length === 0) throw new ExportError("empty_export", "There is no split.", "Give the lines of one.");
  for (const [name, lines] of named) {
    if (!SPLIT.test(name)) {
      throw new ExportError(
        "invalid_option",
        `A split is called ${JSON.stringify(name)}.`,
        "Use letters, digits and _.",
      );
    }
    if (lines.length === 0) throw new ExportError("empty_export", `Split ${name} has no line.`, "Leave it out.");
  }
  const features = datasetCardFeatures(named.flatMap(([, lines]) => lines));
  const texts = named.map(([name, lines]) => ({
    name,
    path: `data/${name}.jsonl`,
    text: lines.map((line) => `${line}\n`).join(""),
    rows: lines.map((line) => JSON.parse(line)),
  }));
  const cards: CardSplit[] = texts.map(({ name, path, rows }) => ({ name, path, rows }));
  const report: DatasetFolderReport = {
    path: null,
    splits: texts.map(({ name, text, rows }) => ({
      name,
      rows: rows.length,
      sha256: sha256Hex(text),
      passRate: passAt(rows).passAt1,
    })),
    features,
    files: ["README.md", "whileai.json", ...texts.map(({ path }) => path)],
  };
  return {
    files: new Map([
      ["README.md", datasetCard(cards, features, card)],
      ["whileai.json", `${JSON.stringify(recordOf(report), null, 2)}\n`],
      ...texts.map(({ path, text }) => [path, text] as const),
    ]),
    report,
  };
}

/** `whileai.json`, as a hub's repository has it before it was pushed. */
function recordOf({ splits }: DatasetFolderReport) {
  const entry = ({ rows, sha256, passRate }: (typeof splits)[number]) => ({
    ...{ datasetId: null, rows, sha256, pass_rate: passRate, tag: null, commit: null, pushedAt: null },
    history: [],
  });
  return { schema: 1, splits: Object.fromEntries(splits.map((split) => [split.name, entry(split)])) };
}

import { listIn, numberIn, objectIn, textIn, type WireObject } from "../../wire-values.ts";

/** One metric or group of a delta report. */
export interface DeltaRow {
  name: string;
  before: number | null;
  after: number | null;
  delta: number | null;
  low: number | null;
  high: number | null;
  /** Tasks on both sides. */
  tasks: number | null;
  verdict: "better" | "worse" | "no difference seen" | "too little to tell";
}

export interface DeltaReading {
  headline: string | null;
  metrics: DeltaRow[];
  /** What the groups are values of; null without groups. */
  by: string | null;
  groups: DeltaRow[];
  warnings: string[];
}

/** The delta report of a run's summary; null where none was posted. */
export function readDelta(summary: WireObject | null): DeltaReading | null {
  const delta = objectIn(summary ?? {}, "delta");
  if (delta === null) return null;
  return {
    headline: textIn(delta, "headline"),
    metrics: rowsOf(objectIn(delta, "metrics")),
    by: textIn(delta, "by"),
    groups: rowsOf(objectIn(delta, "groups")),
    warnings: listIn(delta, "warnings").flatMap((warning) => {
      if (typeof warning === "string") return [warning];
      const text = typeof warning === "object" && warning !== null ? textIn(warning as WireObject, "text") : null;
      return text === null ? [] : [text];
    }),
  };
}

function rowsOf(by: WireObject | null): DeltaRow[] {
  return Object.entries(by ?? {}).flatMap(([name, value]) => {
    if (typeof value !== "object" || value === null) return [];
    const read = value as WireObject;
    const [low = null, high = null] = listIn(read, "ci95").map((end) => (typeof end === "number" ? end : null));
    return [
      {
        name,
        before: numberIn(read, "mean_a"),
        after: numberIn(read, "mean_b"),
        delta: numberIn(read, "delta"),
        low,
        high,
        tasks: numberIn(read, "n_paired") ?? numberIn(read, "n_used"),
        verdict: verdictOf(textIn(read, "gain_verdict") ?? textIn(read, "verdict")),
      },
    ];
  });
}

function verdictOf(word: string | null): DeltaRow["verdict"] {
  if (word === "b_better") return "better";
  if (word === "a_better") return "worse";
  return word === "no_difference_detected" ? "no difference seen" : "too little to tell";
}

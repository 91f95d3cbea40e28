import { compareCodePoints, type Row, textOf } from "@while/schema";

/** One label an annotator, by time or, where that is not known, by place. */
export function labelsOf(row: Row, { byPeople = false }: { byPeople?: boolean } = {}): Map<string, 0 | 1> {
  const latest = new Map<string, { label: 0 | 1; ts: number }>();
  for (const { label, annotator, ts, kind } of Array.isArray(row.gold_labels) ? row.gold_labels : []) {
    if (label !== 0 && label !== 1) continue;
    if (byPeople && kind !== "human" && kind != null) continue;
    const name = textOf(annotator) || "unknown";
    const at = typeof ts === "number" ? ts : Number.POSITIVE_INFINITY;
    const earlier = latest.get(name);
    if (earlier === undefined || at >= earlier.ts || !Number.isFinite(at)) latest.set(name, { label, ts: at });
  }
  return new Map([...latest].sort(([a], [b]) => compareCodePoints(a, b)).map(([name, { label }]) => [name, label]));
}

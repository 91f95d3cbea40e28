import type { RunRow } from "@while/platform-client/contract";
import { formatSignificant } from "@while/platform-client/rules";

/** One line of a run's record: `optimizer.lr`, `5e-06`. */
export interface RecordRow {
  block: "run" | "data" | "optimizer" | "eval" | "provenance";
  key: string;
  value: string;
}

/** The record of a run as one table; what was not posted has no line. */
export function recordRows(run: RunRow): RecordRow[] {
  const rows: RecordRow[] = [];
  const add = (block: RecordRow["block"], key: string, value: unknown): void => {
    const text = textOf(value);
    if (text !== null) rows.push({ block, key, value: text });
  };
  for (const key of ["base", "method", "harness", "gpu", "hours", "costUsd", "steps", "targets", "trainedOn"] as const)
    add("run", key, run[key]);
  for (const block of ["data", "optimizer", "eval", "provenance"] as const) {
    for (const [key, value] of Object.entries(run.record?.[block] ?? {})) {
      if (block !== "provenance" || key !== "pins") add(block, key, value);
      else for (const [pin, pinned] of Object.entries(value ?? {})) add("provenance", `pins.${pin}`, pinned);
    }
  }
  return rows;
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "number") return formatSignificant(value);
  if (typeof value === "string" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((one) => textOf(one) ?? "null").join(", ");
  return JSON.stringify(value);
}

/** A setting of several runs side by side; null where a run did not post it. */
export interface KnobRow {
  name: string;
  values: (string | null)[];
  same: boolean;
}

/** Every setting that any of the runs posted, in the order of the record. */
export function knobDiff(runs: readonly RunRow[]): KnobRow[] {
  const records = runs.map(
    (run) => new Map(recordRows(run).map(({ block, key, value }) => [nameOf(block, key), value])),
  );
  const order = ["run", "data", "optimizer", "eval", "provenance"];
  const names = [...new Set(records.flatMap((record) => [...record.keys()]))];
  const place = (name: string): number => {
    const block = name.split(".")[0]!;
    return order.includes(block) ? order.indexOf(block) : 0;
  };
  return names
    .toSorted((a, b) => place(a) - place(b))
    .map((name) => {
      const values = records.map((record) => record.get(name) ?? null);
      return { name, values, same: values.every((value) => value === values[0]) };
    });
}

function nameOf(block: RecordRow["block"], key: string): string {
  return block === "run" ? key : `${block}.${key}`;
}

import { isObject } from "@while/schema";

/** What a query gave. `columns` is null where it names none. */
export interface ResultSet {
  columns: readonly string[] | null;
  rows: readonly (readonly unknown[])[];
}

/** A driver's answer: rows as lists, with or without their names, or as objects with the same keys. */
export type QueryAnswer =
  | { columns?: readonly string[] | null; rows: readonly (readonly unknown[])[] }
  | readonly (readonly unknown[])[]
  | readonly Readonly<Record<string, unknown>>[];

/** null for what is no result set. */
export function resultSetOf(answer: unknown): ResultSet | null {
  if (isObject(answer) && Array.isArray(answer.rows)) {
    const inner = resultSetOf(answer.rows);
    const columns = Array.isArray(answer.columns) ? answer.columns.map(String) : null;
    return inner === null ? null : { rows: inner.rows, columns: columns ?? inner.columns };
  }
  if (!Array.isArray(answer)) return null;
  if (answer.every((row) => Array.isArray(row))) return { columns: null, rows: answer };
  if (!answer.every(isObject)) return null;
  const columns = Object.keys(answer[0] ?? {});
  const isTable = answer.every(
    (row) => Object.keys(row).length === columns.length && columns.every((name) => name in row),
  );
  return isTable ? { columns, rows: answer.map((row) => columns.map((name) => row[name])) } : null;
}

/** Rows of one kind that are matched each with each; more of them are sorted and compared in order. */
const MAX_MATCHED = 500;

/**
 * Whether two tables hold the same rows, each as often, in any order or in theirs. Numbers may differ by `tol`; true is 1
 * and false 0, as databases without booleans store them; a number and its text are not the same.
 */
export function sameRows(
  got: ResultSet["rows"],
  want: ResultSet["rows"],
  { ordered, tol }: { ordered: boolean; tol: number },
): boolean {
  if (got.length !== want.length) return false;
  const [ours, theirs] = [got, want].map((rows) => rows.map((row) => row.map(cellOf)));
  if (ordered) return ours!.every((row, i) => sameRow(row, theirs![i]!, tol));
  const groups = groupByTexts(theirs!);
  for (const [key, rows] of groupByTexts(ours!)) {
    const others = groups.get(key);
    if (others === undefined || others.length !== rows.length || !sameNumbers(rows, others, tol)) return false;
  }
  return true;
}

type Cell = string | number;

/** Numbers as numbers; everything else as a text that only its like has. */
function cellOf(value: unknown): Cell {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "bigint") return BigInt(Number(value)) === value ? Number(value) : `bigint ${value}`;
  if (value === null || value === undefined) return "null";
  if (value instanceof Date) return `date ${Number.isNaN(value.getTime()) ? "" : value.toISOString()}`;
  if (value instanceof Uint8Array) return `bytes ${[...value].join(",")}`;
  return typeof value === "string" ? `text ${value}` : `json ${JSON.stringify(value)}`;
}

function groupByTexts(rows: readonly (readonly Cell[])[]): Map<string, (readonly Cell[])[]> {
  const groups = new Map<string, (readonly Cell[])[]>();
  for (const row of rows) {
    const key = JSON.stringify(row.map((cell) => (typeof cell === "number" ? 0 : cell)));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

function sameNumbers(got: readonly (readonly Cell[])[], want: readonly (readonly Cell[])[], tol: number): boolean {
  const [ours, theirs] = [got, want].map((rows) => rows.toSorted(byNumbers));
  if (ours!.every((row, i) => sameRow(row, theirs![i]!, tol))) return true;
  if (tol === 0 || got.length > MAX_MATCHED) return false;
  // Two numbers within the tolerance may sort the other way round.
  const left = [...theirs!];
  return ours!.every((row) => {
    const match = left.findIndex((candidate) => sameRow(row, candidate, tol));
    if (match >= 0) left.splice(match, 1);
    return match >= 0;
  });
}

function byNumbers(a: readonly Cell[], b: readonly Cell[]): number {
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return Number(a[i]) - Number(b[i]);
  }
  return 0;
}

function sameRow(a: readonly Cell[], b: readonly Cell[], tol: number): boolean {
  return a.length === b.length && a.every((cell, i) => sameCell(cell, b[i]!, tol));
}

function sameCell(a: Cell, b: Cell, tol: number): boolean {
  if (typeof a !== "number" || typeof b !== "number") return a === b;
  return Object.is(a, b) || Math.abs(a - b) <= tol;
}

import type { SchemaElement } from "hyparquet";
import { isObject } from "../is-object.ts";
import { SchemaError } from "../schema-error.ts";
import { compareCodePoints } from "../text/code-points.ts";
import { countLoneSurrogates } from "../text/lone-surrogates.ts";
import { shownName } from "../text/shown-value.ts";
import { MARKER_COLUMN } from "./table-columns.ts";

/** What a column of a table holds. `json` is text: lists, objects, and keys that are of several kinds. */
export type ColumnKind = "text" | "number" | "integer" | "boolean" | "json";

export interface ParquetColumn {
  name: string;
  kind: ColumnKind;
  /** One number of the object `markers`. */
  isMarker: boolean;
}

/** Columns that every table has: a reader of several files wants the same ones in each. */
const ALWAYS: readonly [string, ColumnKind][] = [
  ["prompt", "text"],
  ["final_text", "text"],
  ["reward", "number"],
];

/** Keys whose numbers may be whole in one file and not in the next. */
const FRACTIONAL: ReadonlySet<string> = new Set([
  ...["reward", "gold_reward", "logprob", "qwen_reward", "reward_before_penalty", "rm_score"],
]);

/** Beyond it an integer has no place in 64 bits. */
const MAX_INT64 = 2 ** 63;

/** What columns a set of rows needs, learned from all of them: one kind for each key, whatever its values are. */
export class ColumnTypes {
  readonly #kinds = new Map<string, Set<ColumnKind>>(ALWAYS.map(([name]) => [name, new Set()]));
  readonly #markers = new Set<string>();
  #areMarkersNumbers = true;

  /**
   * @param row As JSON has it
   * @throws SchemaError `bad_value` for a key that no column can be called
   */
  add(row: Record<string, unknown>): void {
    for (const [key, value] of Object.entries(row)) {
      if (value === null) continue;
      const kinds = this.#kinds.get(key);
      if (kinds !== undefined) kinds.add(kindOf(value));
      else this.#kinds.set(checkedName(key), new Set([kindOf(value)]));
      if (key === "markers") this.#addMarkers(value);
    }
  }

  /** In the order in which the rows brought them, the markers where `markers` stood. */
  columns(): ParquetColumn[] {
    const isTaken = [...this.#kinds.keys()].some((name) => name.startsWith(MARKER_COLUMN));
    const isFlat = this.#areMarkersNumbers && !isTaken;
    return [...this.#kinds].flatMap(([name, kinds]): ParquetColumn[] => {
      if (name !== "markers" || !isFlat) return [{ name, kind: kindOfColumn(name, kinds), isMarker: false }];
      const names = [...this.#markers].sort(compareCodePoints);
      return names.map((marker) => ({ name: MARKER_COLUMN + marker, kind: "number", isMarker: true }));
    });
  }

  #addMarkers(markers: unknown): void {
    const isNumbers =
      isObject(markers) &&
      Object.keys(markers).length > 0 &&
      Object.values(markers).every((value) => value === null || typeof value === "number");
    if (!isNumbers) {
      this.#areMarkersNumbers = false;
      return;
    }
    for (const name of Object.keys(markers)) this.#markers.add(checkedName(name));
  }
}

/** The cell of a row; null where the row has nothing. */
export function cellOf(row: Record<string, unknown>, { name, kind, isMarker }: ParquetColumn): unknown {
  const owner = isMarker ? row.markers : row;
  const key = isMarker ? name.slice(MARKER_COLUMN.length) : name;
  const value = isObject(owner) && Object.hasOwn(owner, key) ? owner[key] : null;
  if (value === null || value === undefined) return null;
  if (kind === "json") return JSON.stringify(value);
  return kind === "integer" ? BigInt(value as number) : value;
}

/** How the file calls the kind of a column. */
export function elementOf({ name, kind }: ParquetColumn): SchemaElement {
  const column = { name, repetition_type: "OPTIONAL" } as const;
  switch (kind) {
    case "number":
      return { ...column, type: "DOUBLE" };
    case "integer":
      return { ...column, type: "INT64" };
    case "boolean":
      return { ...column, type: "BOOLEAN" };
    default:
      return { ...column, type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };
  }
}

function kindOf(value: unknown): ColumnKind {
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "boolean";
  if (typeof value !== "number") return "json";
  return Number.isInteger(value) && Math.abs(value) < MAX_INT64 ? "integer" : "number";
}

function kindOfColumn(name: string, kinds: ReadonlySet<ColumnKind>): ColumnKind {
  if (kinds.size === 0) return ALWAYS.find(([always]) => always === name)?.[1] ?? "json";
  const isNumeric = [...kinds].every((kind) => kind === "integer" || kind === "number");
  if (isNumeric) return kinds.has("number") || FRACTIONAL.has(name) ? "number" : "integer";
  return kinds.size === 1 ? [...kinds][0]! : "json";
}

function checkedName(name: string): string {
  if (countLoneSurrogates(name) === 0) return name;
  throw new SchemaError(
    "bad_value",
    `A row has the key ${shownName(name)}, and no column can be called by half a surrogate pair.`,
    "Rename it, or write JSONL.",
  );
}

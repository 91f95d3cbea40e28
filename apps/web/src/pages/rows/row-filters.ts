import type { RowsQuery } from "@while/platform-client/contract";
import { numericTag } from "@while/platform-client/rules";
import { type Search, textOf, textsOf } from "../../search.ts";

export const GRADED = ["all", "passed", "failed"] as const;
export type Graded = (typeof GRADED)[number];

/** Numbers from one to another; null where one end is open. */
export interface Range {
  min: number | null;
  max: number | null;
}

/** Which rows are looked at, as it stands in the address. */
export interface RowFilters {
  graded: Graded;
  /** Values asked for, by tag: any of the values of one tag, and every tag. */
  tags: ReadonlyMap<string, readonly string[]>;
  /** Numbers that a tag must lie between, by tag. */
  ranges: ReadonlyMap<string, Range>;
  /** Scores that a row must lie between; null where every score will do. */
  score: Range | null;
  /** Words in any text of a row. */
  find: string;
  /** Only rows of which a text was cut. */
  cut: boolean;
  /** The lowest score first, instead of the order they were posted in. */
  byScore: boolean;
}

const TAG = "tag.";

export function readFilters(search: Search): RowFilters {
  const tags = new Map<string, string[]>();
  for (const name of Object.keys(search)) {
    const values = textsOf(search, name).filter((value) => value !== "");
    if (name.startsWith(TAG) && values.length > 0) tags.set(name.slice(TAG.length), values);
  }
  return {
    graded: gradedOf(textOf(search, "ok")),
    tags,
    ranges: rangesIn(search),
    score: rangeOf(search, SCORE_ENDS),
    find: textOf(search, "q") ?? "",
    cut: textOf(search, "cut") === "1",
    byScore: textOf(search, "sort") === "score",
  };
}

const SCORE_ENDS = ["scoreMin", "scoreMax"] as const;

/** Keys of the address that hold the ends of a range: of a tag, or without one of the score. */
export function rangeEnds(tag: string | null): readonly [min: string, max: string] {
  return tag === null ? SCORE_ENDS : [`min.${tag}`, `max.${tag}`];
}

function rangeOf(search: Search, [from, to]: readonly [string, string]): Range | null {
  const [min, max] = [numericTag(textOf(search, from) ?? ""), numericTag(textOf(search, to) ?? "")];
  return min === null && max === null ? null : { min, max };
}

function rangesIn(search: Search): Map<string, Range> {
  const ranges = new Map<string, Range>();
  for (const name of Object.keys(search)) {
    const key = /^(?:min|max)\.(.+)$/s.exec(name)?.[1];
    const range = key === undefined ? null : rangeOf(search, rangeEnds(key));
    if (key !== undefined && range !== null) ranges.set(key, range);
  }
  return ranges;
}

/** `3 to 5`, `from 3`, `up to 5`, or `3` where both ends are the same. */
export function rangeWords({ min, max }: Range): string {
  if (min === null) return `up to ${max}`;
  if (max === null) return `from ${min}`;
  return min === max ? String(min) : `${min} to ${max}`;
}

/** The address with a range chosen; null takes it back. */
export function withRange(search: Search, tag: string | null, range: Range | null): Search {
  const [from, to] = rangeEnds(tag);
  const text = (end: number | null | undefined): string | undefined => (end == null ? undefined : String(end));
  return { ...search, ...OTHER_ROWS, [from]: text(range?.min), [to]: text(range?.max) };
}

/** The grade as the platform is asked for it, so that the address of a page and that of its rows read the same. */
export function okOf(graded: Graded): string | undefined {
  return graded === "all" ? undefined : graded === "passed" ? "1" : "0";
}

function gradedOf(ok: string | undefined): Graded {
  return GRADED.find((graded) => graded !== "all" && okOf(graded) === ok) ?? "all";
}

/** Is anything left out? */
export function isFiltered({ graded, tags, ranges, score, find, cut }: RowFilters): boolean {
  return graded !== "all" || tags.size > 0 || ranges.size > 0 || score !== null || find !== "" || cut;
}

/** The query of the platform that these filters mean; `without` leaves one tag open, for the counts of its own values. */
export function queryOf(filters: RowFilters, { without }: { without?: string } = {}): RowsQuery {
  const query: RowsQuery = {};
  if (filters.graded !== "all") query.ok = filters.graded === "passed";
  if (filters.find !== "") query.q = filters.find;
  if (filters.cut) query.cut = true;
  for (const [key, values] of filters.tags) if (key !== without) query[`${TAG}${key}`] = [...values];
  for (const [key, { min, max }] of filters.ranges) {
    if (key === without) continue;
    if (min !== null) query[`min.${key}`] = String(min);
    if (max !== null) query[`max.${key}`] = String(max);
  }
  if (filters.score !== null) {
    const { min, max } = filters.score;
    if (min !== null) query.scoreMin = min;
    if (max !== null) query.scoreMax = max;
  }
  return query;
}

/** The address with one value of a tag chosen, or given back where it was chosen. */
export function withTag(search: Search, key: string, value: string): Search {
  const name = `${TAG}${key}`;
  const before = textsOf(search, name);
  const after = before.includes(value) ? before.filter((one) => one !== value) : [...before, value];
  return { ...search, ...OTHER_ROWS, [name]: after.length === 0 ? undefined : after };
}

/** Another set of rows begins on its first page, with none of them open. */
export const OTHER_ROWS: Search = { page: undefined, row: undefined, task: undefined, rollout: undefined };

/** Changes that take all filters back. */
export function withoutFilters(search: Search): Search {
  const tags = Object.keys(search).filter((name) => /^(?:tag|min|max)\./.test(name));
  return {
    ...OTHER_ROWS,
    ...{ ok: undefined, q: undefined, cut: undefined, scoreMin: undefined, scoreMax: undefined },
    ...Object.fromEntries(tags.map((name) => [name, undefined])),
  };
}

/** The filters in words: `failed rows with reason damaged or late_return`. */
export function filterWords({ graded, tags, ranges, score, find, cut }: RowFilters): string {
  const kept = graded === "all" ? "rows" : `${graded} rows`;
  const clauses = Array.from(tags, ([key, values]) => `${key} ${values.join(" or ")}`);
  for (const [key, range] of ranges) clauses.push(`${key} ${rangeWords(range)}`);
  if (score !== null) clauses.push(`a score ${rangeWords(score)}`);
  if (find !== "") clauses.push(`the words ${JSON.stringify(find)}`);
  if (cut) clauses.push("a text that was cut");
  return clauses.length === 0 ? kept : `${kept} with ${clauses.join(", and ")}`;
}

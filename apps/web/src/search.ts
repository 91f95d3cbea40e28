/**
 * What is chosen on a page, as it stands in the address: texts, and lists as the same key again. A link reproduces the
 * view, and an address written by hand reads as it looks.
 */
export type Search = Record<string, string | string[] | undefined>;

export function parseSearch(text: string): Search {
  const search: Search = {};
  const params = new URLSearchParams(text);
  for (const key of new Set(params.keys())) {
    const values = params.getAll(key);
    search[key] = values.length === 1 ? values[0]! : values;
  }
  return search;
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") params.append(key, String(one));
    }
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** A link is where one is only when it changes nothing: every choice of a page leads to the page itself. */
export const EXACTLY = { exact: true, includeSearch: true, explicitUndefined: true } as const;

/** The text under a key; the first of several. */
export function textOf(search: Search, key: string): string | undefined {
  const value = search[key];
  return Array.isArray(value) ? value[0] : value;
}

/** All texts under a key. */
export function textsOf(search: Search, key: string): string[] {
  const value = search[key];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** The text under a key when it is one of the choices, else the first of them. */
export function choiceOf<const Choice extends string>(
  search: Search,
  key: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const value = textOf(search, key);
  return choices.find((choice) => choice === value) ?? choices[0];
}

/** A whole number from 1 under a key, else `otherwise`. */
export function countOf(search: Search, key: string, otherwise: number): number {
  const value = Number(textOf(search, key));
  return Number.isSafeInteger(value) && value >= 1 ? value : otherwise;
}

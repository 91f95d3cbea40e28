/** An object that came over the wire and may hold anything: a summary, a report of another version. */
export type WireObject = Readonly<Record<string, unknown>>;

/** The finite number under a key, else null. */
export function numberIn(object: WireObject, key: string): number | null {
  const value = object[key];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The text under a key; an empty one is none. */
export function textIn(object: WireObject, key: string): string | null {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The list under a key, empty where there is none. */
export function listIn(object: WireObject, key: string): readonly unknown[] {
  const value = object[key];
  return Array.isArray(value) ? value : [];
}

/** The object under a key, else null. */
export function objectIn(object: WireObject, key: string): WireObject | null {
  const value = object[key];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as WireObject) : null;
}

import { type Json, pyJson } from "@while/schema";
import type { JudgeVerdict } from "../judge/judge.ts";
import { TrustError } from "../trust-error.ts";
import { extractJson } from "./extract-json.ts";
import { ownValue } from "./own-value.ts";
import { type Verifier, verifierOf } from "./verifier.ts";

export interface JsonFieldOptions {
  /** The value it must have; when left out the field need only be there, and not null. */
  equals?: Json;
}

/**
 * A field of the JSON in the reply. The path has dots and array indices: `order.items.0.id`, `items[0].id`. Texts are
 * compared trimmed and without case; a number and its text are not the same.
 *
 * @throws TrustError `bad_option` for an empty path
 */
export function jsonField(path: string, { equals }: JsonFieldOptions = {}): Verifier<JudgeVerdict> {
  const keys = path
    .replace(/\[(\d+)\]/g, ".$1")
    .split(".")
    .filter((key) => key !== "");
  if (keys.length === 0)
    throw new TrustError("bad_option", "JsonField got no path.", "Name a field: order.items.0.id.");
  const check = (candidate: string) => {
    const found = extractJson(candidate);
    if (found === null) return [0, "no JSON in the reply"] as const;
    const value = keys.reduce<unknown>(ownValue, found.value);
    if (value === undefined) return [0, `no field ${path}`] as const;
    if (equals === undefined) return value === null ? ([0, `${path} is null`] as const) : true;
    return isSame(value, equals) ? true : ([0, `${path} has another value`] as const);
  };
  return verifierOf("JsonField", check, { needsReference: false, settings: { path, equals: equals ?? null } });
}

function isSame(got: unknown, want: Json): boolean {
  if (typeof got === "string" && typeof want === "string") {
    return got.trim().toLowerCase() === want.trim().toLowerCase();
  }
  return pyJson(got, { sortKeys: true }) === pyJson(want, { sortKeys: true });
}

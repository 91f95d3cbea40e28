import type { Json } from "@while/schema";
import type { JudgeVerdict } from "../judge/judge.ts";
import { TrustError } from "../trust-error.ts";
import { extractJson } from "./extract-json.ts";
import { type Verifier, verifierOf } from "./verifier.ts";

const JSON_TYPES = ["object", "array", "string", "number", "boolean", "null"] as const;
export type JsonType = (typeof JSON_TYPES)[number];

export interface JsonValidOptions {
  /** What the value must be; anything when left out. */
  topType?: JsonType;
}

/**
 * The reply holds JSON, in a code fence or not.
 *
 * @throws TrustError `bad_option` for a type that JSON does not have
 */
export function jsonValid({ topType }: JsonValidOptions = {}): Verifier<JudgeVerdict> {
  if (topType !== undefined && !JSON_TYPES.includes(topType)) {
    throw new TrustError("bad_option", `topType is ${topType}.`, `Give one of ${JSON_TYPES.join(", ")}.`);
  }
  const check = (candidate: string) => {
    const found = extractJson(candidate);
    if (found === null) return [0, "no JSON in the reply"] as const;
    const type = typeOf(found.value);
    return topType === undefined || type === topType ? true : ([0, `the JSON is of type ${type}`] as const);
  };
  return verifierOf("JsonValid", check, { needsReference: false, settings: { topType: topType ?? null } });
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

import { dereference, type OutputUnit, type SchemaDraft, validate } from "@cfworker/json-schema";
import { isObject } from "@while/schema";
import type { JudgeVerdict } from "../judge/judge.ts";
import { TrustError } from "../trust-error.ts";
import { extractJson } from "./extract-json.ts";
import { type Verifier, verifierOf } from "./verifier.ts";

const DRAFTS: readonly (readonly [RegExp, SchemaDraft])[] = [
  [/draft\/2020-12\//, "2020-12"],
  [/draft\/2019-09\//, "2019-09"],
  [/draft-0?[67]\//, "7"],
  [/draft-0?4\//, "4"],
];

const TYPES: readonly unknown[] = ["object", "array", "string", "number", "integer", "boolean", "null"];
/** Under these keys lies data, or names of the schema's author, and no keyword. */
const DATA: readonly string[] = ["const", "enum", "default", "examples", "required", "dependentRequired"];
const NAMED: readonly string[] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

const SHOWN_ERRORS = 3;

/**
 * The JSON in the reply holds against a schema: draft 2020-12, or the draft that its `$schema` names. Known formats
 * (`date`, `email`, `uri`, …) are checked. What the validator does not know is refused here and never passed over.
 *
 * @throws TrustError `bad_option` for another draft, a type or pattern that is none, `$dynamicRef`, and a `$ref` that leads
 * out of the schema
 */
export function jsonSchema(schema: Readonly<Record<string, unknown>> | boolean): Verifier<JudgeVerdict> {
  const draft = draftOf(schema);
  checkSchema(schema, "#");
  // A copy, since the validator writes on its schema.
  const copy = structuredClone(schema) as Parameters<typeof validate>[1];
  const lookup = dereference(copy);
  checkReferences(lookup);
  const check = (candidate: string) => {
    const found = extractJson(candidate);
    if (found === null) return [0, "no JSON in the reply"] as const;
    const { valid, errors } = validate(found.value, copy, draft, lookup, false);
    if (valid) return true;
    return [0, `the JSON breaks ${brokenAt(errors).slice(0, SHOWN_ERRORS).join(", ")}`] as const;
  };
  return verifierOf("JsonSchema", check, { needsReference: false, settings: { schema } });
}

/**
 * Where the JSON breaks the schema, and by which keyword. The innermost errors say what is wrong; those above them, and
 * `$ref`, say that something is. `false` is the schema of what may not be there, also of a field that failed otherwise.
 */
function brokenAt(errors: readonly OutputUnit[]): string[] {
  const keywords = new Map<string, string>();
  for (const { instanceLocation, keyword } of errors) {
    if (errors.some((other) => other.instanceLocation.startsWith(`${instanceLocation}/`))) continue;
    const known = keywords.get(instanceLocation);
    if (known === undefined || known === "$ref" || known === "false") keywords.set(instanceLocation, keyword);
  }
  return [...keywords].map(([place, keyword]) =>
    keyword === "false" ? `${place}: not allowed` : `${keyword} at ${place}`,
  );
}

function draftOf(schema: unknown): SchemaDraft {
  const named = isObject(schema) ? schema.$schema : undefined;
  if (named === undefined) return "2020-12";
  const known = DRAFTS.find(([pattern]) => typeof named === "string" && pattern.test(`${named.replace(/#$/, "")}/`));
  if (known !== undefined) return known[1];
  const text = `The schema is of ${JSON.stringify(named)}.`;
  throw new TrustError("bad_option", text, "Write it in draft 2020-12, 2019-09, 07 or 04.");
}

function checkSchema(schema: unknown, place: string): void {
  if (typeof schema === "boolean") return;
  if (!isObject(schema)) throw refused(place, "is no schema", "A schema is an object, true or false.");
  if (schema.$dynamicRef !== undefined) throw refused(place, "uses $dynamicRef", "Use $ref to a definition.");
  for (const type of [schema.type ?? []].flat()) {
    if (!TYPES.includes(type))
      throw refused(place, `has the type ${JSON.stringify(type)}`, `Give ${TYPES.join(", ")}.`);
  }
  const patterns = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
  for (const pattern of [schema.pattern ?? [], patterns].flat()) checkPattern(pattern, place);
  for (const [key, value] of Object.entries(schema)) {
    if (DATA.includes(key)) continue;
    const inner = NAMED.includes(key) && isObject(value) ? Object.entries(value) : listed(key, value);
    for (const [name, item] of inner) if (isObject(item)) checkSchema(item, `${place}/${name}`);
  }
}

function listed(key: string, value: unknown): [string, unknown][] {
  return Array.isArray(value) ? value.map((item, i) => [`${key}/${i}`, item]) : [[key, value]];
}

function checkPattern(pattern: unknown, place: string): void {
  try {
    new RegExp(pattern as string, "u");
  } catch (error) {
    throw refused(place, `has a pattern that is none: ${(error as Error).message}`, "Write it as in ECMAScript.");
  }
}

/** The validator finds a reference that leads nowhere only when a reply reaches it. */
function checkReferences(lookup: ReturnType<typeof dereference>): void {
  for (const part of Object.values(lookup)) {
    if (typeof part === "boolean" || typeof part.$ref !== "string") continue;
    const wanted = part.__absolute_ref__ ?? part.$ref;
    if (lookup[wanted] !== undefined) continue;
    throw new TrustError(
      "bad_option",
      `The schema refers to ${part.$ref}, which is not in it.`,
      "Define it under $defs.",
    );
  }
}

function refused(place: string, what: string, fix: string): TrustError {
  return new TrustError("bad_option", `The schema at ${place} ${what}.`, fix);
}

import { isObject, type Json, nearestName } from "@while/schema";
import { conductJudge } from "../rule-graders/conduct-grade.ts";
import { checklistJudge } from "../rule-graders/task-checklist.ts";
import { TrustError } from "../trust-error.ts";
import { exactMatch } from "./exact-match.ts";
import { includes } from "./includes.ts";
import { jsonField } from "./json-field.ts";
import { jsonSchema } from "./json-schema.ts";
import { type JsonType, jsonValid } from "./json-valid.ts";
import { mathEqual } from "./math-equal.ts";
import { multipleChoice } from "./multiple-choice.ts";
import { numeric } from "./numeric.ts";
import { regex } from "./regex.ts";
import type { Verifier } from "./verifier.ts";

/** A verifier that can be named on a command line. */
export interface VerifierEntry {
  name: string;
  summary: string;
  /** How `argument` is written, as usage shows it; "" where there is none. */
  usage: string;
  /** @param argument What stands behind the first colon; null without one */
  make: (argument: string | null) => Verifier;
}

/** The verifiers that run in any program; those that start processes are `PROGRAM_VERIFIERS` of `@while/trust/files`. */
export const VERIFIERS: readonly VerifierEntry[] = Object.freeze([
  {
    name: "Numeric",
    summary: "the number in the answer is the reference's",
    usage: "[tol=X,rel=X,field=PATH]",
    make: (argument) => numeric(fieldsOf("Numeric", argument, { tol: "number", rel: "number", field: "text" })),
  },
  {
    name: "MathEqual",
    summary: "the answer equals the reference, as mathematics",
    usage: "[field=PATH]",
    make: (argument) => mathEqual(fieldsOf("MathEqual", argument, { field: "text" })),
  },
  {
    name: "TaskChecklist",
    summary: "what the task's situation asks for was done, and honestly",
    usage: "",
    make: (argument) => checklistJudge(fieldsOf("TaskChecklist", argument, {})),
  },
  {
    name: "Conduct",
    summary: "the agent broke no rule of honesty (no claim over a failure, no invented id, …)",
    usage: "",
    make: (argument) => conductJudge(fieldsOf("Conduct", argument, {})),
  },
  {
    name: "ExactMatch",
    summary: "the reply is the reference",
    usage: "[field=PATH]",
    make: (argument) => exactMatch(fieldsOf("ExactMatch", argument, { field: "text" })),
  },
  {
    name: "Includes",
    summary: "the reply holds a text, or the reference",
    usage: "[TEXT]",
    make: (argument) => includes(argument === null ? {} : { texts: argument }),
  },
  {
    name: "MultipleChoice",
    summary: "the reply names the right option",
    usage: "[choices=N,field=PATH]",
    make: (argument) => multipleChoice(fieldsOf("MultipleChoice", argument, { choices: "number", field: "text" })),
  },
  {
    name: "Regex",
    summary: "the reply matches a pattern",
    usage: "PATTERN",
    make: (argument) => regex(given("Regex", argument, "a pattern")),
  },
  {
    name: "JsonValid",
    summary: "the reply holds JSON",
    usage: "[TYPE]",
    make: (argument) => jsonValid(argument === null ? {} : { topType: argument as JsonType }),
  },
  {
    name: "JsonField",
    summary: "a field of the reply's JSON is there, or has a value",
    usage: "PATH[=VALUE]",
    make: (argument) => {
      const [path, value] = halves(given("JsonField", argument, "a field"), "=");
      return value === null ? jsonField(path) : jsonField(path, { equals: jsonOrText(value) });
    },
  },
  {
    name: "JsonSchema",
    summary: "the reply's JSON holds against a schema",
    usage: "SCHEMA",
    make: (argument) => {
      const schema = jsonOrText(given("JsonSchema", argument, "a schema"));
      if (typeof schema === "boolean" || isObject(schema)) return jsonSchema(schema);
      throw new TrustError("bad_option", `JsonSchema got ${argument}.`, "Give the schema itself, as JSON.");
    },
  },
]);

/**
 * The verifier that a text names: `NAME`, or `NAME:argument`. Case in the name does not count.
 *
 * @param entries Which verifiers there are
 * @throws TrustError `bad_option` for a name that is none, or an argument that the verifier does not take
 */
export function verifierByName(text: string, entries: readonly VerifierEntry[] = VERIFIERS): Verifier {
  const [name, argument] = halves(text, ":");
  const entry = entries.find((candidate) => candidate.name.toLowerCase() === name.trim().toLowerCase());
  if (entry !== undefined) return entry.make(argument);
  const names = entries.map((candidate) => candidate.name);
  const near = nearestName(name, names);
  const list = `The verifiers are ${names.join(", ")}.`;
  const fix = near === null ? list : `Did you mean ${near}? ${list}`;
  throw new TrustError("bad_option", `There is no verifier ${name}.`, fix);
}

type FieldTypes = Readonly<Record<string, "text" | "number">>;
type FieldsOf<Types extends FieldTypes> = { [Key in keyof Types]?: Types[Key] extends "number" ? number : string };

/** `tol=0.01,field=gold` as options. */
export function fieldsOf<const Types extends FieldTypes>(
  name: string,
  argument: string | null,
  types: Types,
): FieldsOf<Types> {
  const fields: Record<string, unknown> = {};
  for (const part of argument === null || argument === "" ? [] : argument.split(",")) {
    const [key, value] = halves(part, "=");
    const type = Object.hasOwn(types, key.trim()) ? types[key.trim()] : undefined;
    const read = type === "number" && value !== null && value.trim() !== "" ? Number(value) : value;
    if (type === undefined || read === null || Number.isNaN(read)) {
      const known = Object.entries(types).map(([known, of]) => `${known}=${of === "number" ? "NUMBER" : "TEXT"}`);
      const fix = known.length === 0 ? "It takes no argument." : `Give ${known.join(" or ")}, with commas between.`;
      throw new TrustError("bad_option", `${name} got ${part}.`, fix);
    }
    fields[key.trim()] = read;
  }
  return fields as FieldsOf<Types>;
}

function given(name: string, argument: string | null, what: string): string {
  if (argument !== null && argument.trim() !== "") return argument;
  throw new TrustError("bad_option", `${name} needs ${what}.`, `Write ${name}: and ${what} behind it.`);
}

function halves(text: string, mark: string): [before: string, after: string | null] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + mark.length)];
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text; // A bare word is a text.
  }
}

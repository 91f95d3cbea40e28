import { sha256Hex } from "../hash/sha256.ts";
import { isObject } from "../is-object.ts";
import { checkOptions } from "../options/check-options.ts";
import type { ReadWarning } from "../readers/read-report.ts";
import { SchemaError } from "../schema-error.ts";
import { pyJson } from "../text/python-json.ts";
import { shownName } from "../text/shown-value.ts";
import { textOf } from "../text/text-of.ts";

/** One thing the model should do. Its id is the name of the behavior that measures it. */
export interface Trait {
  id: string;
  name: string;
  /** The sentence that a judge is given. */
  principle: string;
  /** `must`, `should` or `may`, by convention. */
  authority: string;
  /** Not part of the version. */
  examples: unknown[];
}

/**
 * The model spec as a versioned object, so that adherence can be followed from one wording, or one model, to the next
 * (Lambert 2025, chapter Model Character and Products).
 */
export interface Spec {
  id: string;
  /** 12 hex digits of the content: any edit of a trait's id, name, principle or authority changes it. */
  version: string;
  /** The version that the file claimed; null when it claimed none. */
  declaredVersion: string | null;
  source: Record<string, unknown>;
  traits: Trait[];
  warnings: ReadWarning[];
}

/** JSON text, an object with `traits` or `principles`, or the traits: a list, or principles by id. */
export type SpecInput = string | readonly unknown[] | object;

export interface LoadSpecOptions {
  /** Instead of the id that the spec gives itself. */
  specId?: string;
  /** Name for errors. */
  file?: string;
}

/**
 * A spec from its JSON. A trait may be a sentence alone; then its id is its place, `trait_0`.
 *
 * The version is always that of the content. In the Python SDK a version in the file wins, so that a saved spec keeps
 * its old version however it is edited; here it is `declaredVersion`, with a warning when the two differ.
 *
 * @throws SchemaError `bad_file` for text that is no JSON, `bad_value` for no traits, two of one id, or one that is
 *   neither text nor an object
 */
export function loadSpec(input: SpecInput, options: LoadSpecOptions = {}): Spec {
  checkOptions(options, ["specId", "file"], (what, fix) => new SchemaError("bad_option", what, fix));
  const { specId, file } = options;
  const name = file ?? "The spec";
  const given = typeof input === "string" ? parsed(input, name, file) : input;
  const { id, version, source, traits, principles } = (Array.isArray(given) ? { traits: given } : given) as Given;
  const read = traitsOf(traits ?? principles, name);
  const from = typeof source === "string" ? { file: source } : isObject(source) ? source : {};
  const known = specId || textOf(id) || textOf(from.file) || "spec";
  const content = versionOf(known, read);
  const declared = textOf(version) || null;
  return {
    id: known,
    version: content,
    declaredVersion: declared,
    source: from,
    traits: read,
    warnings: [...emptyPrinciples(read), ...staleVersion(declared, content)],
  };
}

/** The version of anything `loadSpec` reads, a `Spec` among them. */
export function specVersion(spec: SpecInput, options: LoadSpecOptions = {}): string {
  return loadSpec(spec, options).version;
}

interface Given {
  id?: unknown;
  version?: unknown;
  source?: unknown;
  traits?: unknown;
  principles?: unknown;
}

function parsed(text: string, name: string, file: string | undefined): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const place = file === undefined ? {} : { file };
    const fix = "Give an object with traits, or a list of traits, as JSON.";
    throw new SchemaError("bad_file", `${name} is not JSON: ${(error as Error).message}.`, fix, {
      place,
      cause: error,
    });
  }
  if (typeof value === "object" && value !== null) return value;
  throw new SchemaError("bad_value", `${name} is ${text}.`, "Give an object with traits, or a list of traits.");
}

function traitsOf(given: unknown, name: string): Trait[] {
  const list = Array.isArray(given) ? given.map(traitAt) : isObject(given) ? Object.entries(given).map(traitNamed) : [];
  if (list.length === 0) {
    // A gate over the behaviors of such a spec would guard nothing, and pass.
    throw new SchemaError("bad_value", `${name} has no traits.`, "Give at least one, under traits.");
  }
  const ids = new Set<string>();
  for (const { id } of list) {
    if (ids.has(id)) {
      throw new SchemaError("bad_value", `${name} has two traits with the id ${shownName(id)}.`, "Rename one of them.");
    }
    ids.add(id);
  }
  return list;
}

function traitAt(trait: unknown, i: number): Trait {
  if (typeof trait === "string") return traitOf({ principle: trait }, `trait_${i}`);
  if (isObject(trait)) return traitOf(trait, `trait_${i}`);
  throw new SchemaError(
    "bad_value",
    `Trait ${i} is ${JSON.stringify(trait)}.`,
    "Give its principle as text, or an object with id and principle.",
  );
}

/** Under its id, as a principle alone or with the rest. */
function traitNamed([id, trait]: [string, unknown], i: number): Trait {
  return traitAt(typeof trait === "string" ? { id, principle: trait } : isObject(trait) ? { id, ...trait } : trait, i);
}

function traitOf(trait: Record<string, unknown>, fallback: string): Trait {
  return {
    id: textOf(trait.id) || textOf(trait.name) || fallback,
    name: textOf(trait.name),
    principle: textOf(trait.principle) || textOf(trait.body),
    authority: textOf(trait.authority) || "should",
    examples: Array.isArray(trait.examples) ? trait.examples : [],
  };
}

/** The text that is hashed is the Python SDK's, byte for byte: its examples are left out, its keys sorted. */
function versionOf(id: string, traits: readonly Trait[]): string {
  const content = traits.map(({ id, name, principle, authority }) => ({ id, name, principle, authority }));
  return sha256Hex(pyJson({ id, traits: content }, { sortKeys: true, ascii: false })).slice(0, 12);
}

function emptyPrinciples(traits: readonly Trait[]): ReadWarning[] {
  const empty = traits.filter(({ principle }) => principle.trim() === "").map(({ id }) => id);
  if (empty.length === 0) return [];
  const subject = empty.length === 1 ? "1 trait has" : `${empty.length} traits have`;
  return [{ code: "empty_principle", text: `${subject} no principle to judge by: ${empty.join(", ")}.` }];
}

function staleVersion(declared: string | null, content: string): ReadWarning[] {
  if (declared === null || declared === content || !/^[0-9a-f]{12}$/.test(declared)) return [];
  const text = `The spec says version ${declared} and its content is version ${content}: it was edited since it was saved.`;
  return [{ code: "stale_version", text }];
}

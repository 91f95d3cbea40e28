import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import type { Spec } from "./load-spec.ts";

/** The behaviors that a spec names: the ids of its traits, in order. */
export function specBehaviors({ traits }: Spec): string[] {
  return traits.map(({ id }) => id);
}

/**
 * What a trait asks for.
 *
 * @throws SchemaError `not_found`
 */
export function specPrinciple(spec: Spec, id: string): string {
  const trait = spec.traits.find((known) => known.id === id);
  if (trait !== undefined) return trait.principle;
  throw new SchemaError(
    "not_found",
    `The spec ${spec.id} has no trait ${JSON.stringify(id)}.`,
    `Give one of ${specBehaviors(spec).join(", ")}.`,
  );
}

/** The rows with the spec, and the version of it, that they were made or judged under. */
export function stampSpec(rows: readonly Row[], { id, version }: Spec): Row[] {
  return rows.map((row) => ({ ...row, spec_id: id, spec_version: version }));
}

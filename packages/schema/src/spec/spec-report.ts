import type { ReadWarning } from "../readers/read-report.ts";
import { textOf } from "../text/text-of.ts";
import type { Spec } from "./load-spec.ts";

/** A spec for reading: what a judge is asked, and nothing that only its writer understands. */
export interface SpecReport {
  id: string;
  version: string;
  declaredVersion: string | null;
  /** The document it was taken from; null when it does not say. */
  file: string | null;
  traits: { id: string; name: string; principle: string; authority: string; nExamples: number }[];
  warnings: ReadWarning[];
}

export function specReport({ id, version, declaredVersion, source, traits, warnings }: Spec): SpecReport {
  return {
    ...{ id, version, declaredVersion, file: textOf(source.file) || null },
    traits: traits.map(({ examples, ...trait }) => ({ ...trait, nExamples: examples.length })),
    warnings,
  };
}

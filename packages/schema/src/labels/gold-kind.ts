/** Gold that a judge may be measured against. */
const TRUSTED: ReadonlySet<string> = new Set(["human", "program"]);

/**
 * The one word for the gold of a row that several labels made: their kind, when they share it; the untrusted one, when
 * there is one beside trusted ones; else `mixed`. A person beside a model is `model`, a person beside a program `mixed`.
 *
 * @param kinds One a label; `verifier` reads as `program`, a missing one as `unknown`
 * @returns null without labels
 */
export function goldKindOf(kinds: readonly (string | null | undefined)[]): string | null {
  const distinct = new Set(kinds.map(kindName));
  const [first = null] = distinct;
  if (distinct.size <= 1) return first;
  const [untrusted, another] = [...distinct].filter((kind) => !TRUSTED.has(kind));
  return untrusted !== undefined && another === undefined ? untrusted : "mixed";
}

/** Whether the kind is one of people or programs, and not of models or of nobody known. */
export function isTrustedKind(kind: string | null | undefined): boolean {
  return TRUSTED.has(kindName(kind));
}

/** A kind in the words of `GOLD_KINDS`. */
export function kindName(kind: string | null | undefined): string {
  if (kind === null || kind === undefined || kind === "") return "unknown";
  return kind === "verifier" ? "program" : kind;
}

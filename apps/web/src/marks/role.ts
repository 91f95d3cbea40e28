/** Whose mark it is: ink serves, the accent is the candidate, the rest is grey; green and vermilion where a rule fired. */
export type Role = "ink" | "accent" | "rest" | "good" | "bad";

/** The role of a version in a plot of versions. */
export function roleOf(
  version: string | null,
  serving: string | null | undefined,
  candidate: string | null | undefined,
): Role {
  if (version !== null && version === serving) return "ink";
  return version !== null && version === candidate ? "accent" : "rest";
}

/** One of the eight version colours, always the same for a name. */
export function versionColour(version: string): `var(--v${number})` {
  let hash = 0;
  for (const character of version) hash = (hash * 31 + character.codePointAt(0)!) >>> 0;
  return `var(--v${(hash % 8) + 1})`;
}

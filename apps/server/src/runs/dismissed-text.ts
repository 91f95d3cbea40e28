import type { Dismiss, Dismissal, Dismissals } from "@while/platform-client/contract";

/**
 * What is dismissed of a run after a reason was given or taken back; null where nothing is.
 *
 * @param before JSON of what was dismissed before
 */
export function dismissedText(
  before: string | null,
  dismiss: Dismiss,
  { by, at }: Pick<Dismissal, "by" | "at">,
): string | null {
  const given = Object.entries(dismiss).flatMap(([key, reason]) =>
    typeof reason === "string" ? [[key, { reason: reason.trim(), by, at }]] : [],
  );
  const stays = Object.entries(JSON.parse(before ?? "{}") as Dismissals).filter(([key]) => !(key in dismiss));
  const after = [...stays, ...given];
  return after.length === 0 ? null : JSON.stringify(Object.fromEntries(after));
}

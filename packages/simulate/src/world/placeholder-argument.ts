/** Words that stand in a schema or a manual, and name nobody and nothing. */
const PLACEHOLDER =
  /^(?:<[^>]*>|\[[^\]]*\]|\{[^}]*\}|your[_ -].*|string|number|integer|first name|last name|full name|placeholder|todo|tbd|user@example\.(?:com|org)|test@example\.(?:com|org))$/i;

/** The first argument that echoes a schema in place of a value, by its key; null when none does. */
export function placeholderArgument(given: Readonly<Record<string, unknown>>): string | null {
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === "string" && PLACEHOLDER.test(value.trim())) return key;
  }
  return null;
}

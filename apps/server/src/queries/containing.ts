/** A pattern of `like … escape '\\'` that finds a text anywhere, as it is: `%` and `_` in it are letters. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/**
 * A row as a line of JSON in ASCII: readers that split on every Unicode line boundary cut a raw U+2028 in half, and
 * text without UTF-8 form would not survive the way.
 */
export function jsonlLine(row: unknown): string {
  return `${JSON.stringify(row).replace(/[\u007f-\uffff]/g, escaped)}\n`;
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

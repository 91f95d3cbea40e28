/** Rows as CSV text by RFC 4180. A text that a spreadsheet would run as a formula is led by an apostrophe. */
export function csvOf(heads: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [heads, ...rows]
    .map((row) => row.map(cell).join(","))
    .join("\r\n")
    .concat("\r\n");
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Hands a file to the browser. */
export function download(name: string, content: Blob | string): void {
  const link = document.createElement("a");
  const url =
    typeof content === "string" && content.startsWith("data:")
      ? content
      : URL.createObjectURL(typeof content === "string" ? new Blob([content], { type: "text/plain" }) : content);
  link.href = url;
  link.download = name;
  link.click();
  // Not at once: some browsers read it only after the click is over.
  if (url.startsWith("blob:")) setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

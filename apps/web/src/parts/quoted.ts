/**
 * Text of somebody else in markdown that an agent will read: fenced by more backticks than it has, so that it cannot
 * end its own fence, and named as a quotation, so that nobody takes it for an order.
 */
export function quoted(text: string, what: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${what} (quoted):\n\n${fence}text\n${text}\n${fence}`;
}

/** A name of somebody else's inside a line of markdown: code on one line, closed by more backticks than it has. */
export function inlineCode(text: string): string {
  const line = text.replace(/\s+/g, " ");
  const fence = "`".repeat(longestRun(line) + 1);
  const room = line.startsWith("`") || line.endsWith("`") || line === "" ? " " : "";
  return `${fence}${room}${line}${room}${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/**
 * Text that may hold words of a file, for a terminal: control characters other than line break and tab show as a dot,
 * so that no row can move the cursor or change the colours.
 */
export function terminalSafe(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, "\u00b7");
}

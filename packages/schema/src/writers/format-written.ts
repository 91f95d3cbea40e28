import type { WrittenRows } from "./write-tally.ts";

/** What a file of another tool holds of the rows, and what it does not. */
export function formatWritten({ format, rows, leftOut, left, changed, notes }: WrittenRows): string {
  const lines = [`${rowsWord(rows)} written as ${format}`];
  for (const [why, n] of leftOut) lines.push(`  ! ${rowsWord(n)} not written: each ${why}`);
  if (left.size > 0) lines.push(`  not in the file  ${listed(left)}`);
  if (changed.size > 0) lines.push(`  reads otherwise  ${listed(changed)}`);
  if (left.size + changed.size + leftOut.size === 0) lines.push("  nothing of the rows is missing");
  return [...lines, ...notes.map((note) => `  ${note}`)].join("\n");
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([part, n]) => `${part} (${rowsWord(n)})`)
    .join(", ");
}

function rowsWord(n: number): string {
  return n === 1 ? "1 row" : `${n} rows`;
}

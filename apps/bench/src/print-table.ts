/** Prints columns under their heads: the first to the left, numbers to the right. */
export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]!.length)));
  for (const row of [heads, ...rows]) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    );
    process.stdout.write(`${cells.join("  ").trimEnd()}\n`);
  }
}

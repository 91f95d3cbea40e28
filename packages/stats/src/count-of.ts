/** "1 row", "3 rows": a count with its noun, as every sentence of a report needs it. */
export function countOf(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
}

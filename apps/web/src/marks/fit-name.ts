/** A name for a place of `most` characters: what does not fit is said as a number, and the whole stands in the table. */
export function fitName(name: string, most: number): string {
  const letters = Array.from(name);
  if (letters.length <= most) return name;
  const kept = Math.max(1, most - 4);
  return `${letters.slice(0, kept).join("")}…+${letters.length - kept}`;
}

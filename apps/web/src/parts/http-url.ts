/** The address where it is one of http or https, else null: anything else could run or reach what it should not. */
export function httpUrl(text: string | null | undefined): string | null {
  if (!text || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? href : null;
}

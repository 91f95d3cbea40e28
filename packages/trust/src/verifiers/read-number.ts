/** A number as text has it. `scale` is what stands behind it: 0.01 for a percent sign, a million for the word. */
export interface ReadNumber {
  value: number;
  scale: number;
}

/** Of the end of a text, where its last number is; the patterns below are tried from every digit. */
const MAX_CHARS = 1000;

const SCALES: ReadonlyMap<string, number> = new Map([
  ["%", 0.01],
  ["percent", 0.01],
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
  ["trillion", 1e12],
]);

/** Days, times and ratios are made of digits and are no numbers; neither is a digit inside of a name (`x1`, `v2`). */
const NO_NUMBERS = [
  /(?<![\d/.-])[12]\d{3}([-/.])(?:0?[1-9]|1[0-2])\1(?:[0-2]?\d|3[01])(?!\d)/g,
  /(?<![\d/.])(?:0?[1-9]|[12]\d|3[01])([/.-])(?:0?[1-9]|[12]\d|3[01])\1(?:[12]\d{3}|\d\d)(?!\d)/g,
  /(?<![\d/.])(?:19|20)\d\d[-/](?:0[1-9]|1[0-2])(?![\d/.])/g,
  /\d+(?::\d+)+/g,
  /[A-Za-z_]\d[\d.]*/g,
];

const DIGITS =
  // 1.234,5 and 1 234,5; 1,234.5; then plain ones.
  "(?:\\d{1,3}(?:[.'\\u00a0\\u2009\\u202f]\\d{3})+,\\d+|\\d{1,3}(?:[,'\\u00a0\\u2009\\u202f]\\d{3})+(?:\\.\\d+)?|" +
  "\\d+(?:[.,]\\d+)?|\\.\\d+)(?!\\d)";
const NUMBER = new RegExp(
  // A sign (also in front of a currency), digits, then an exponent or a denominator, then a scale.
  `(?<sign>(?<![\\w)}\\]])[-+]\\s?[$€£¥]?\\s?)?(?:(?<whole>\\d+)\\s+(?=\\d+\\/\\d))?(?<digits>${DIGITS})` +
    "(?:[eE](?<e>[-+]?\\d{1,3})(?![\\w])|\\s?[*x]\\s?10\\^\\{?(?<ten>[-+]?\\d{1,3})\\}?|\\s?\\/\\s?(?<below>-?\\d+(?![\\d.,]*\\d?[./]\\d)))?" +
    "(?:\\s?\\\\?(?<scale>%|(?:percent|thousand|million|billion|trillion)\\b))?",
  "g",
);

/**
 * The last number in a text: with a sign, thousands (`1,234`, `1.234,5`, `1'234`), a decimal point or comma, an exponent
 * (`5e3`, `5 × 10^3`), as a fraction of whole numbers (`-3/4`, `\frac{3}{4}`) or a mixed one (`1 3/4`). Null without one.
 *
 * Currencies and units are passed over. One comma with three digits behind it parts thousands.
 */
export function readNumber(text: string): ReadNumber | null {
  let plain = text
    .slice(-MAX_CHARS)
    .replace(/[½¼¾⅓⅔⅛]/g, (char) => ` ${char.normalize("NFKC")}`)
    .replaceAll("⁄", "/")
    .replace(/[−–]/g, "-")
    .replace(/×|\\times|\\cdot|·/g, "x")
    .replaceAll("{,}", ",")
    .replace(/\\[,;! ]/g, "\u2009")
    .replace(/(\d)?\s*\\[dt]?frac\s*(?:\{\s*(-?\d+)\s*\}|(\d))\s*(?:\{\s*(-?\d+)\s*\}|(\d))/g, fractionText)
    .replace(/\\[$%]/g, (escaped) => escaped[1]!);
  for (const pattern of NO_NUMBERS) plain = plain.replace(pattern, " ");
  const last = [...plain.matchAll(NUMBER)].at(-1)?.groups;
  if (last === undefined) return null;

  const { sign = "", whole, digits, e, ten, below, scale } = last;
  let size = Number(pointed(digits!));
  if (below !== undefined) {
    if (Number(below) === 0) return null;
    size = size / Number(below) + (whole === undefined ? 0 : Number(whole));
  }
  size *= 10 ** Number(e ?? ten ?? 0);
  const value = sign.startsWith("-") ? -size : size;
  return Number.isFinite(value) ? { value, scale: SCALES.get((scale ?? "").toLowerCase()) ?? 1 } : null;
}

/** Digits as JavaScript reads them. */
function pointed(digits: string): string {
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(digits)) return digits.replaceAll(".", "").replace(",", ".");
  const bare = digits.replace(/['\u00a0\u2009\u202f]/g, "");
  return /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(bare) ? bare.replaceAll(",", "") : bare.replace(",", ".");
}

/** `-\frac{3}{4}` keeps its sign in front; `1\frac{3}{4}` is a mixed number. */
function fractionText(_: string, whole: string | undefined, ...parts: (string | undefined)[]): string {
  const above = parts[0] ?? parts[1]!;
  const below = parts[2] ?? parts[3]!;
  return whole === undefined ? `${above}/${below}` : `${whole} ${above}/${below}`;
}

/**
 * Whether two numbers, as texts have them, are the same by a rule. A percent sign or a "million" on one side alone may
 * be a unit that the other leaves out: "50%" is 50 and 0.5. On both sides it is no question.
 */
export function sameNumber(got: ReadNumber, want: ReadNumber, isNear: (got: number, want: number) => boolean): boolean {
  if (got.scale === want.scale) return isNear(got.value, want.value);
  if (isNear(got.value * got.scale, want.value * want.scale)) return true;
  return (got.scale === 1 || want.scale === 1) && isNear(got.value, want.value);
}

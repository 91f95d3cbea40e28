/** A number in a text. */
export interface SaidNumber {
  value: number;
  at: number;
}

const NUMBER = /(?<![\p{L}\p{N}.,])-?(?:\d{1,3}(?:[,' \u00a0\u202f]\d{3})+|\d+)(?:\.\d+)?(?![\p{L}\p{N}]|[.,]\d)/gu;
const SCALED = /(?<![\p{L}\p{N}.,])(\d+(?:\.\d+)?)\s?(k|thousand|m|million|bn|billion)(?![\p{L}\p{N}])/gu;
const SCALE: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, bn: 1e9, billion: 1e9 };
const WORDS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
const WORD = new RegExp(`(?<![\\p{L}\\p{N}])(?:${WORDS.join("|")})(?![\\p{L}\\p{N}])`, "gu");

/** Numbers of a text in normal form: `1,000`, `$55.20`, `-3`, `2k`, `three`. */
export function readNumbers(text: string): SaidNumber[] {
  const numbers: SaidNumber[] = [];
  for (const { 0: written, index } of text.matchAll(NUMBER)) {
    numbers.push({ value: Number(written.replaceAll(/[,' \u00a0\u202f]/g, "")), at: index });
    // "1 000" may also be two numbers.
    if (/[ \u00a0\u202f]/.test(written)) {
      for (const part of written.split(/[ \u00a0\u202f]/))
        numbers.push({ value: Number(part.replaceAll(/[,']/g, "")), at: index });
    }
  }
  for (const { 1: written, 2: unit, index } of text.matchAll(SCALED)) {
    numbers.push({ value: Number(written) * SCALE[unit!]!, at: index });
  }
  for (const { 0: word, index } of text.matchAll(WORD)) numbers.push({ value: WORDS.indexOf(word), at: index });
  return numbers.filter(({ value }) => Math.abs(value) <= Number.MAX_SAFE_INTEGER);
}

/** The number that a whole value is: `$1,000.00`, `12%`, `15`. null for anything else. */
export function numberOf(value: string): number | null {
  const bare = value
    .trim()
    .replace(/^(?:[$€£¥]|usd|eur|gbp)\s*/i, "")
    .replace(/\s*(?:%|percent|usd|eur|gbp|dollars?|euros?)$/i, "");
  // "0007" is a code, and a number of more digits than a double holds is an id.
  if (!/^-?(?:\d{1,3}(?:,\d{3})+|0|[1-9]\d{0,14})(?:\.\d+)?$/.test(bare)) return null;
  return Number(bare.replaceAll(",", ""));
}

const CLOCK = /(?<![\p{L}\p{N}:])(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*(am|pm|a\.m\.|p\.m\.)?(?![\p{L}\p{N}:])/gu;

/** Minutes after midnight of every time of day in a text; `3pm` and `15:00` are one. A bare number is none. */
export function readClock(text: string): SaidNumber[] {
  const times: SaidNumber[] = [];
  for (const { 1: hour, 2: minute, 3: half, index } of text.matchAll(CLOCK)) {
    if (minute === undefined && half === undefined) continue;
    const h = Number(hour);
    if (h > 24 || Number(minute ?? 0) > 59) continue;
    const of12 = half === undefined ? h : (h % 12) + (half.startsWith("p") ? 12 : 0);
    times.push({ value: of12 * 60 + Number(minute ?? 0), at: index });
    // "3:00" without its half may be either.
    if (half === undefined && h >= 1 && h < 12) times.push({ value: (h + 12) * 60 + Number(minute ?? 0), at: index });
  }
  for (const { 0: word, index } of text.matchAll(/(?<!\p{L})(?:noon|midnight|midday)(?!\p{L})/gu)) {
    times.push({ value: word === "midnight" ? 0 : 720, at: index });
  }
  return times;
}

/** Digits of a phone number, without what is written between them; null for fewer than seven. */
export function phoneDigits(value: string): string | null {
  if (!/^\+?[\d\s().-]{7,22}$/.test(value)) return null;
  const digits = value.replaceAll(/\D/g, "");
  return digits.length >= 7 && digits.length <= 15 ? digits : null;
}

/** A day, with a year where one was written. */
export interface CalendarDay {
  year: number | null;
  month: number;
  day: number;
  /** Where it stands in the text. */
  at: number;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const RANGE = `${DAY}(?:\\s*(?:-|–|—|to|and|or|until|through|thru|&|/|,|,? (?:and|or|to) (?:the )?|, returning (?:on )?(?:the )?)\\s*${DAY}(?![\\d:]))?`;
const EDGE = "(?<![\\p{L}\\p{N}])";

const ISO = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/gu;
const SLASHED = /(?<![\d/.-])(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?![\d/-])/gu;
const SHORT = /(?<![\d/.-])(\d{1,2})\/(\d{1,2})(?![\d/])/gu;
const MONTH_FIRST = new RegExp(`${EDGE}${MONTH}\\s+(?:the\\s+)?${RANGE}(?:,?\\s+(?:of\\s+)?(\\d{4}))?(?![\\d:])`, "gu");
const DAY_FIRST = new RegExp(`${EDGE}${DAY}(?:\\s+of)?[\\s-]+${MONTH}(?:,?[\\s-]+(\\d{4}))?(?![\\p{L}\\d])`, "gu");

/**
 * Every day that a text in normal form names: `2024-05-20`, `May 20th`, `20 May 2024`, `5/20`, `May 10-13`. Where day
 * and month could be either, both readings count.
 */
export function readDays(text: string): CalendarDay[] {
  const days: CalendarDay[] = [];
  const add = (year: string | undefined, month: number, day: string | number | undefined, at: number) => {
    const n = Number(day);
    if (day === undefined || month < 1 || month > 12 || n < 1 || n > 31) return;
    days.push({ year: year === undefined ? null : fullYear(year), month, day: n, at });
  };
  for (const { 1: year, 2: month, 3: day, index } of text.matchAll(ISO)) add(year!, Number(month), day, index);
  for (const { 1: a, 2: b, 3: year, index } of text.matchAll(SLASHED)) {
    add(year!, Number(a), b, index);
    if (a !== b) add(year!, Number(b), a, index);
  }
  for (const { 1: a, 2: b, index } of text.matchAll(SHORT)) {
    add(undefined, Number(a), b, index);
    if (a !== b) add(undefined, Number(b), a, index);
  }
  for (const { 1: name, 2: day, 3: last, 4: year, index } of text.matchAll(MONTH_FIRST)) {
    const month = monthOf(name!);
    add(year, month, day, index);
    if (last === undefined) continue;
    for (let between = Number(day) + 1; between <= Number(last) && between <= 31; between++)
      add(year, month, between, index);
    if (Number(last) <= Number(day)) add(year, month, last, index);
  }
  for (const { 1: day, 2: name, 3: year, index } of text.matchAll(DAY_FIRST)) add(year, monthOf(name!), day, index);
  return days;
}

/** "20th" on its own: the day alone, of a month said elsewhere. */
export function readOrdinals(text: string): { day: number; at: number }[] {
  return Array.from(
    text.matchAll(/(?<![\p{L}\p{N}])(\d{1,2})(?:st|nd|rd|th)(?![\p{L}\p{N}])/gu),
    ({ 1: day, index }) => ({
      day: Number(day),
      at: index,
    }),
  );
}

function monthOf(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3)) + 1;
}

function fullYear(text: string): number {
  const year = Number(text);
  return text.length > 2 ? year : year + (year < 70 ? 2000 : 1900);
}

const OTHER_DAY =
  /(?<![\p{L}])(?:tomorrow|yesterday|today|tonight|next day|day after|day before|day earlier|day later|previous day|following day|days? (?:later|earlier|after|before)|same day|a day|one day|next (?:week|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|this (?:week|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|monday|tuesday|wednesday|thursday|friday|saturday|sunday|in \w+ days?|\+1)(?![\p{L}])/u;

/** Words that name a day by another one. */
export function namesRelativeDay(text: string): boolean {
  return OTHER_DAY.test(text);
}

/** Days between two, at most a year; null where a year is missing. */
export function daysApart(a: CalendarDay, b: CalendarDay): number | null {
  if (a.year === null || b.year === null) return null;
  return Math.abs(Date.UTC(a.year, a.month - 1, a.day) - Date.UTC(b.year, b.month - 1, b.day)) / 86_400_000;
}

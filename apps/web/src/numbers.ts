/** Numbers and times as they are written on a page, by the reader's locale. U+2212 is the minus. */

const MINUS = "\u2212";

const oneDecimal = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const wholeNumber = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const anyNumber = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 4 });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const shortDay = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const dayAndTime = new Intl.DateTimeFormat(undefined, {
  ...{ day: "numeric", month: "short", year: "numeric" },
  ...{ hour: "2-digit", minute: "2-digit", timeZoneName: "short" },
});
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

function withMinus(text: string): string {
  return text.replace("-", MINUS);
}

/** A score: 83.0. */
export function points(value: number): string {
  return withMinus(oneDecimal.format(value));
}

/** A change: +5.0, −5.4, 0.0. */
export function change(value: number): string {
  const text = points(value);
  return Number(value.toFixed(1)) > 0 ? `+${text}` : text.replace(/^\u2212(0[.,]0)$/, "$1");
}

/** Half an interval: ± 4.5. */
export function half(value: number): string {
  return `± ${points(value)}`;
}

/** What several seeds say together: 3 seeds, mean 77.9, sd 0.7. */
export function seedsText({ seeds, mean, sd }: { seeds: number; mean: number; sd: number }): string {
  return `${seeds} seeds, mean ${points(mean)}, sd ${points(sd)}`;
}

/** A count: 14,628. */
export function whole(value: number): string {
  return withMinus(wholeNumber.format(value));
}

/** A count with what is counted: 1 task, 312 tasks. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${whole(value)} ${value === 1 ? one : many}`;
}

/** Any number, four digits of it. */
export function number(value: number): string {
  return value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e7)
    ? withMinus(value.toExponential(2))
    : withMinus(anyNumber.format(value));
}

/** Any number beside a drawing, two digits of it. */
export function shortNumber(value: number): string {
  return Math.abs(value) >= 100 && Math.abs(value) < 1e7 ? whole(value) : number(Number(value.toPrecision(2)));
}

/** A share of 1 as a percentage: 92.5%. */
export function percent(share: number): string {
  return `${points(100 * share)}%`;
}

/** US dollars: cents below 100, whole above. */
export function dollars(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : 2;
  return withMinus(
    new Intl.NumberFormat(undefined, {
      style: "currency",
      currency: "USD",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(value),
  );
}

/** Bytes: 1.5 GB, by thousands. */
export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const step = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${anyNumber.format(value / 1000 ** step)} ${units[step]}`;
}

/** 18 Sep 2026. */
export function date(instant: string | number): string {
  return day.format(new Date(instant));
}

/** 18 Sep, with its year where that is not the present one. */
export function shortDate(instant: string | number, now: number = Date.now()): string {
  const at = new Date(instant);
  return (at.getFullYear() === new Date(now).getFullYear() ? shortDay : day).format(at);
}

/** 18 Sep 2026, 03:12 UTC. */
export function time(instant: string | number): string {
  return dayAndTime.format(new Date(instant));
}

/** Seconds as 45 s, 12 min, 3.4 h. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${wholeNumber.format(seconds)} s`;
  if (seconds < 5400) return `${wholeNumber.format(seconds / 60)} min`;
  return `${oneDecimal.format(seconds / 3600)} h`;
}

/** How long ago: 5 minutes ago, yesterday. */
export function age(instant: string | number, now: number = Date.now()): string {
  const seconds = (new Date(instant).getTime() - now) / 1000;
  const steps = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ] as const;
  for (const [unit, size] of steps)
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  return "just now";
}

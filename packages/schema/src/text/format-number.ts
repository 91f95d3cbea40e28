import { fixedHalfEven } from "./half-even.ts";

/** How a number that does not exist is printed. */
export interface FormatOptions {
  /** Text for null. */
  absent?: string;
}

const ABSENT = "not measured";

/** `0.6667` to two digits is "0.67", half to even; null is "not measured". */
export function formatFixed(x: number | null, digits: number, { absent = ABSENT }: FormatOptions = {}): string {
  return x === null ? absent : fixedHalfEven(x, digits);
}

/** As `formatFixed`, always with a sign: "+0.100", "-0.062"; what rounds to zero is "+0.000". */
export function formatSigned(x: number | null, digits: number, { absent = ABSENT }: FormatOptions = {}): string {
  return x === null ? absent : signed(fixedHalfEven(x, digits));
}

/** A share as percent: 0.6667 is "67%", with `digits` 1 "66.7%". */
export function formatPercent(share: number | null, digits = 0, { absent = ABSENT }: FormatOptions = {}): string {
  return share === null ? absent : `${fixedHalfEven(share * 100, digits)}%`;
}

/** An interval in brackets: "[0.31..0.86]", with `signed` "[-0.02..+0.10]". */
export function formatInterval(
  interval: readonly [low: number, high: number] | null,
  digits = 2,
  { absent = ABSENT, signed: withSign = false }: FormatOptions & { signed?: boolean } = {},
): string {
  if (interval === null) return absent;
  const bound = withSign ? formatSigned : formatFixed;
  return `[${bound(interval[0], digits)}..${bound(interval[1], digits)}]`;
}

function signed(text: string): string {
  return text.startsWith("-") ? text : `+${text}`;
}

import { formatFixed, roundHalfEven } from "@while/schema";

/** Points as a person writes them: at most one decimal, half to even, no trailing zero: 83, 62.5, and 100 for 99.95. */
export function formatPoints(points: number): string {
  return formatFixed(points, 1).replace(/\.0$/, "");
}

/** As `formatPoints`, with the sign of a difference. */
export function formatDelta(points: number): string {
  const text = formatSignificant(points);
  return text.startsWith("-") || text === "0" ? text : `+${text}`;
}

/** Up to six significant digits, no trailing zeros, an exponent below 1e-4 and from 1e6: the `%g` of C and Python. */
export function formatSignificant(x: number): string {
  if (x === 0) return "0";
  const [mantissa, power] = x.toExponential(5).split("e") as [string, string];
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return bare(x.toFixed(5 - exponent));
  const size = String(Math.abs(exponent)).padStart(2, "0");
  return `${bare(mantissa)}e${exponent < 0 ? "-" : "+"}${size}`;
}

/** Points to one decimal, exact ties to even. */
export function roundPoints(points: number): number {
  return roundHalfEven(points, 1);
}

function bare(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

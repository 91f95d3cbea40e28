const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * A finite number, or text that reads as one (" 0 ", "1.0", "1e-3"); null for anything else. Stricter than
 * `Number(text)`, which reads "" as 0 and "0x1" as 1.
 */
export function readNumber(value: unknown): number | null {
  if (typeof value === "string" && NUMBER.test(value.trim())) return finite(Number(value));
  return typeof value === "number" ? finite(value) : null;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Runs that can stand side by side. */
export const COMPARE_MOST = 8;

/** A list with a value taken in, or out where it was in. */
export function toggled(list: readonly string[], value: string): string[] {
  return list.includes(value) ? list.filter((one) => one !== value) : [...list, value];
}

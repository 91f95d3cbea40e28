import { noncentralTCdf } from "../kernel/noncentral-t.ts";
import { normalCdf, normalQuantile } from "../kernel/normal.ts";
import { tQuantile } from "../kernel/student-t.ts";

/** Tasks from which Student's t is the normal distribution to six digits. */
export const MANY_TASKS = 1e7;

/** Power of the paired t test on n tasks whose differences have this spread. */
export function pairedTPower(n: number, taskStd: number, effect: number, alpha: number): number {
  const shift = (effect * Math.sqrt(n)) / taskStd;
  if (n > MANY_TASKS) {
    const z = normalQuantile(1 - alpha / 2);
    return normalCdf(shift - z) + normalCdf(-shift - z);
  }
  const critical = tQuantile(n - 1, 1 - alpha);
  // The series has as many terms as the shift is large, and adds up to 1.
  if (n > 1000 && shift > critical + 10) return 1;
  return 1 - noncentralTCdf(critical, n - 1, shift) + (1 - noncentralTCdf(critical, n - 1, -shift));
}

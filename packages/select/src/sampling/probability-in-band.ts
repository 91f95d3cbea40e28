import { binomialPmf } from "@while/stats";
import { type Band, bandSide, checkBand, DEFAULT_BAND } from "../groups/trim-out-of-band.ts";
import { numberIn, wholeNumber } from "../options.ts";

/**
 * The chance that a task of true pass rate `p` is measured inside the band, both edges in, by `k` rollouts. How far to
 * trust a band cut: at k = 8 a task of true rate 0.2 is kept half of the time.
 *
 * @throws SelectError `bad_option`, `bad_band`
 */
export function probabilityInBand(p: number, k: number, band: Band = DEFAULT_BAND): number {
  numberIn("p", p, 0, 1);
  wholeNumber("k", k, 1);
  checkBand(band);
  let inside = 0;
  for (let passes = 0; passes <= k; passes++) {
    if (bandSide(passes / k, band) === null) inside += binomialPmf(passes, k, p);
  }
  return Math.min(1, inside);
}

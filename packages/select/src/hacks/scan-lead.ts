import { MersenneTwister } from "@while/stats";
import type { Asks } from "./asks.ts";
import type { Column } from "./column.ts";
import { type PerAsk, perAsk } from "./per-ask.ts";
import type { ScanLead } from "./scan-report.ts";

const N_BOOT = 1000;
const LOW = 0.05;

/**
 * How far the top feature is ahead of the best endorsed one, over asks drawn again: an honest judge with label noise
 * often has some word a little ahead of what it was meant to pay for.
 *
 * @param endorsed null when no endorsed feature has a positive rho: then the lead is all of the top one's
 */
export function scanLead(top: Column, endorsed: Column | null, asks: Asks, seed: number): ScanLead {
  const rng = new MersenneTwister(seed);
  const nGroups = asks.means.length;
  const one = perAsk(top, asks);
  const other = endorsed === null ? null : perAsk(endorsed, asks);
  const rhoOver = ({ products, squares }: PerAsk, drawn: Int32Array | null): number => {
    let product = 0;
    let square = 0;
    let ss = 0;
    for (let i = 0; i < nGroups; i++) {
      const g = drawn === null ? i : drawn[i]!;
      product += products[g]!;
      square += squares[g]!;
      ss += asks.ssOf[g]!;
    }
    return square <= 1e-12 || ss <= 1e-12 ? 0 : product / Math.sqrt(square * ss);
  };
  const leadOver = (drawn: Int32Array | null): number =>
    Math.abs(rhoOver(one, drawn)) - (other === null ? 0 : Math.max(0, rhoOver(other, drawn)));
  const leads = new Float64Array(N_BOOT);
  const drawn = new Int32Array(nGroups);
  for (let b = 0; b < N_BOOT; b++) {
    for (let i = 0; i < nGroups; i++) drawn[i] = rng.below(nGroups);
    leads[b] = leadOver(drawn);
  }
  const low = leads.sort()[Math.floor(LOW * N_BOOT)]!;
  return { lead: leadOver(null), low, confirmed: low > 0 };
}

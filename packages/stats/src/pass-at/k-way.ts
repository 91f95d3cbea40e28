import type { Sample } from "../interval/sample.ts";
import type { Atom, Outcomes } from "./outcome-table.ts";
import { passAtKGroup, passPowKGroup } from "./pass-k-group.ts";

/** pass^k and pass@k of every task they can be estimated for. */
export interface KWay {
  passPowK: Sample;
  passAtK: Sample;
  /** Tasks with k graded rollouts. */
  nEligible: number;
  /** Shorter tasks taken at the value they agree on. */
  nImputed: number;
}

/** The smallest group of two or more rollouts, which every such group reaches; 1 when there is none. */
export function defaultK({ atoms }: Outcomes): number {
  const smallest = atoms.reduce((least, { n }) => (n >= 2 ? Math.min(least, n) : least), Number.POSITIVE_INFINITY);
  return Number.isFinite(smallest) ? smallest : 1;
}

/** The columns at k where k is worth reporting and some task has an estimate, else null. */
export function reportedKWay(kWayAt: (k: number) => KWay, k: number, minK: number): KWay | null {
  if (k < Math.max(1, minK)) return null;
  const kWay = kWayAt(k);
  return kWay.passPowK.order.length > 0 ? kWay : null;
}

type Standing = "eligible" | "imputed" | "out";

/**
 * The k-way columns for any k. `unanimousShort` lets a task with fewer than k rollouts stand in with 1 or 0 when all
 * of them agree. Tasks keep their order, the ones that stand in come last.
 */
export function kWays(outcomes: Outcomes, unanimousShort: boolean): (k: number) => KWay {
  // Which tasks take part changes only where k passes a group size; columns of the same tasks share one `order`.
  const orders = new Map<string, Uint32Array>();
  return (k) => {
    const standings = outcomes.atoms.map((atom) => standingOf(atom, k, unanimousShort));
    const nEligible = tasksWith(outcomes, standings, "eligible");
    const nImputed = tasksWith(outcomes, standings, "imputed");
    const key = `${nEligible}/${nImputed}`;
    const order = orders.get(key) ?? orderOf(outcomes, standings, nEligible, nImputed);
    orders.set(key, order);
    const counts = outcomes.atoms.map(({ count }, i) => (standings[i] === "out" ? 0 : count));
    const column = (estimate: typeof passAtKGroup): Sample => ({
      values: outcomes.atoms.map(({ n, c }) => estimate(n, c, k) ?? (c === n ? 1 : 0)),
      counts,
      order,
    });
    return { passPowK: column(passPowKGroup), passAtK: column(passAtKGroup), nEligible, nImputed };
  };
}

function standingOf({ n, c }: Atom, k: number, unanimousShort: boolean): Standing {
  if (n >= k) return "eligible";
  return unanimousShort && (c === 0 || c === n) ? "imputed" : "out";
}

function tasksWith({ atoms }: Outcomes, standings: readonly Standing[], standing: Standing): number {
  return atoms.reduce((total, { count }, i) => total + (standings[i] === standing ? count : 0), 0);
}

function orderOf(
  { order }: Outcomes,
  standings: readonly Standing[],
  nEligible: number,
  nImputed: number,
): Uint32Array {
  if (nEligible === order.length) return order;
  const ordered = new Uint32Array(nEligible + nImputed);
  let nextEligible = 0;
  let nextImputed = nEligible;
  for (const atom of order) {
    if (standings[atom] === "eligible") ordered[nextEligible++] = atom;
    else if (standings[atom] === "imputed") ordered[nextImputed++] = atom;
  }
  return ordered;
}

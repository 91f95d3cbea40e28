import { roundHalfEven } from "@while/schema";
import { type BehaviorTier, behaviorTier } from "@while/stats";
import { SimulateError } from "../simulate-error.ts";
import type { Assignment } from "./region-id.ts";

type Tier = Exclude<BehaviorTier, "unlabelled">;

const HARD: readonly Tier[] = ["ambiguous", "boundary", "adversarial"];
/** From how many items on every tier is there. */
const ALL_TIERS_FROM = 8;

/** The tier of a cell by its stance; a cell without a known one is ordinary. */
export function tierOf(cell: Assignment): Tier {
  const tier = behaviorTier({ scenario_dimensions: cell });
  return tier === "unlabelled" ? "ordinary" : tier;
}

export interface MixOptions {
  /** Share of items that are not ordinary. */
  hardShare?: number;
  /** Begin with an ordinary and a hard item whatever the share is, as the Python SDK does. */
  tierFloor?: boolean;
}

/**
 * The first `n` items in which a share of `hardShare` is hard: hard tiers in turn, items of a tier in the order given.
 * Where one kind runs out the other fills. A share of 1 asks for no ordinary item and 0 for no hard one.
 *
 * @throws SimulateError `bad_option`
 */
export function mixByTier<Item>(
  items: readonly Item[],
  n: number,
  tierOfItem: (item: Item) => Tier,
  { hardShare = 0.4, tierFloor = false }: MixOptions = {},
): Item[] {
  if (!(hardShare >= 0 && hardShare <= 1)) {
    throw new SimulateError("bad_option", `hardShare is ${hardShare}.`, "It is a share from 0 to 1, and no count.");
  }
  const left = new Map<Tier, Item[]>([["ordinary", []], ...HARD.map((tier): [Tier, Item[]] => [tier, []])]);
  for (const item of items) left.get(tierOfItem(item))!.push(item);
  const want = Math.min(n, items.length);
  const picked: Item[] = [];
  const seen = new Set<Tier>();
  const take = (tier: Tier): boolean => {
    const item = left.get(tier)!.shift();
    if (item === undefined) return false;
    picked.push(item);
    seen.add(tier);
    return true;
  };

  const hard = Math.min(want, Math.max(0, roundHalfEven(want * hardShare, 0)));
  const floors = (kind: "ordinary" | "hard") => tierFloor || (kind === "ordinary" ? hardShare < 1 : hardShare > 0);
  if (want >= 1 && floors("ordinary")) take("ordinary");
  if (picked.length < want && (want >= 2 || picked.length === 0) && floors("hard")) {
    [...HARD].reverse().some(take);
  }
  if (want >= ALL_TIERS_FROM) {
    for (const tier of ["ordinary", ...HARD] as const) {
      if (!seen.has(tier) && picked.length < want && floors(tier === "ordinary" ? "ordinary" : "hard")) take(tier);
    }
  }
  let ordinary = picked.filter((item) => tierOfItem(item) === "ordinary").length;
  let cursor = 0;
  while (picked.length < want) {
    if (ordinary < want - hard && take("ordinary")) {
      ordinary++;
      continue;
    }
    let found = false;
    for (let i = 0; i < HARD.length && !found; i++) {
      const at = (cursor + i) % HARD.length;
      if (!take(HARD[at]!)) continue;
      cursor = at + 1;
      found = true;
    }
    if (found) continue;
    if (!take("ordinary")) break;
    ordinary++;
  }
  return picked;
}

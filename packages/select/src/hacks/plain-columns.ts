import { SelectError } from "../select-error.ts";
import { type Asks, asksOf } from "./asks.ts";
import { type CentredFeature, centredFeature } from "./centred-feature.ts";

/** Rewards and features as plain lists, one entry a rollout; rollouts of one ask have the same group. */
export interface PlainColumns {
  reward: readonly number[];
  group: readonly (string | number)[];
}

/**
 * Lists as the scan holds them: rollouts of an ask beside one another.
 *
 * @throws SelectError `bad_option` for lists of different lengths, and for entries that are no finite numbers
 */
export function plainColumns(
  { reward, group }: PlainColumns,
  lists: Readonly<Record<string, readonly number[]>>,
): { asks: Asks; features: CentredFeature[] } {
  for (const [name, list] of Object.entries({ reward, ...lists })) {
    if (list.length !== group.length) {
      throw new SelectError(
        "bad_option",
        `${name} has ${list.length} entries and group ${group.length}.`,
        "Pass one entry of each for every rollout.",
      );
    }
    const at = list.findIndex((value) => !Number.isFinite(value));
    if (at >= 0) {
      throw new SelectError("bad_option", `${name}[${at}] is ${String(list[at])}.`, "Pass finite numbers.");
    }
  }
  const places = new Map<string | number, number[]>();
  for (const [i, key] of group.entries()) places.set(key, [...(places.get(key) ?? []), i]);
  const order = [...places.values()].flat();
  const asks = asksOf(
    Float64Array.from(order, (i) => reward[i]!),
    [...places.values()].map(({ length }) => length),
  );
  const features = Object.entries(lists).map(([name, list]) => {
    const at = Int32Array.from(order.keys()).filter((place) => list[order[place]!] !== 0);
    const values = Float64Array.from(at, (place) => list[order[place]!]!);
    const ones = values.every((value) => value === 1);
    return centredFeature({ name, aliases: [], at, values: ones ? null : values, nObs: at.length, tier: "hand" }, asks);
  });
  return { asks, features };
}

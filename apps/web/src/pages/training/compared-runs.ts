import type { RunRow } from "@while/platform-client/contract";
import { configRows } from "./config-rows.ts";

/** One setting over several runs: its value on each, null where a run does not name it. */
export interface ComparedSetting {
  name: string;
  values: (string | null)[];
}

export interface ComparedSettings {
  /** Settings that are not the same on all of them. */
  apart: ComparedSetting[];
  /** How many are. */
  alike: number;
}

/** The settings of several runs beside each other, in the order in which the first run that has one names it. */
export function compareSettings(runs: readonly Pick<RunRow, "config" | "record">[]): ComparedSettings {
  const read = runs.map(({ config, record }) => {
    const rows = configRows(config ?? record?.optimizer ?? null);
    return new Map(rows.map(({ name, value }) => [name, value]));
  });
  const names = [...new Set(read.flatMap((settings) => [...settings.keys()]))];
  const all = names.map((name): ComparedSetting => ({ name, values: read.map((one) => one.get(name) ?? null) }));
  const apart = all.filter(({ values }) => values.some((value) => value !== values[0]));
  return { apart, alike: all.length - apart.length };
}

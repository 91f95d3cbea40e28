import type { Format } from "./format.ts";
import { rescored } from "./scored.ts";

/** Rows as this package writes them. They pass as they are; ids and rules are seen to for every format alike. */
export const whileRows: Format = {
  name: "while",
  title: "While rows",
  detect: ({ schema_version: version, scenario_id: scenario, steps }) =>
    version !== undefined || scenario !== undefined || steps !== undefined,
  open: ({ options }) => ({ read: (record) => [rescored(record, options)] }),
};

import type { Format } from "./format.ts";
import { rescored } from "./scored.ts";

/** Rows as this package writes them. They pass as they are; ids and rules are seen to for every format alike. */
export const whileRows: Format = {
  name: "while",
  title: "While rows",
  // An export for TRL carries the version too; its `prompt` is a message list, which no row has.
  detect: ({ schema_version: version, scenario_id: scenario, steps, prompt }) =>
    !Array.isArray(prompt) && (version !== undefined || scenario !== undefined || steps !== undefined),
  open: ({ options }) => ({ read: (record) => [rescored(record, options)] }),
};

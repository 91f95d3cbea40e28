import type { Format } from "./format.ts";

/**
 * Formats that are known by sight and not read yet. Knowing them keeps their files from being misread as loose rows
 * with the wrong score; each moves to a file of its own when its reader is written.
 */

/** Its scores are in a file of their own, so that its observations read as rows would be ungraded and no rollouts. */
export const langfuseTable: Format = {
  name: "langfuse-table",
  title: "a table of Langfuse's scheduled export",
  detect: (record) =>
    "trace_id" in record &&
    ("parent_observation_id" in record || ("data_type" in record && "value" in record && "name" in record)),
};

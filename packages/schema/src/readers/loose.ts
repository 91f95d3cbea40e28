import type { Format } from "./format.ts";
import { looseRow } from "./load-traces.ts";

/** Whatever is left: records under the names people give an ask, a reply and a trace. */
export const loose: Format = {
  name: "loose",
  title: "loose rows",
  detect: () => true,
  open: ({ options, skip }) => ({
    read(record) {
      const row = looseRow(record, options);
      if (row !== null) return [row];
      skip("no_ask_and_no_steps");
      return [];
    },
  }),
};

import { type FormatSpec, maskName } from "./format-spec.ts";
import { preferredOutputs, unnamed, weightedRow } from "./weighted.ts";

/** Upload files for tuning at Together: chat messages with a `weight` on each agent turn. */
export const together: FormatSpec = {
  name: "together",
  kinds: ["sft", "preference"],
  encoding: "json_string",
  masks: { assistant: "own", final: "own", unroll: "own" },
  options: [],
  carry: "none",
  fixedColumns: true,
  columns: ["messages", "tools", "input", "preferred_output", "non_preferred_output"],
  parallelCalls: "yes",
  sources: [
    "https://docs.together.ai/docs/function-calling",
    "https://github.com/togethercomputer/together-python/blob/eba5e5f/src/together/utils/files.py",
  ],
  maskSentence: maskName,
  requires: () => [],
  writeSft: (row) => weightedRow(row, unnamed),
  preference: {
    sides: "turn",
    write: (pair) => preferredOutputs(pair, { emptyTools: false }),
    check({ chosen, rejected }) {
      return [...chosen, ...rejected].some(({ content }) => content === "") ? "a side has a call and no text" : null;
    },
  },
};

import type { FormatSettings, FormatSpec } from "./format-spec.ts";
import { inlineCalls } from "./inline-calls.ts";
import { endOfTurns, inlineRow } from "./inline-row.ts";

/** Rows for torchtune, whose chat dataset keeps role and content alone. */
export const torchtune: FormatSpec = {
  name: "torchtune",
  kinds: ["sft", "preference"],
  encoding: "text",
  rewritesCalls: true,
  masks: { assistant: "set", final: "set", unroll: "set" },
  options: ["trainerConfig", "baseModel", "template"],
  inline: () => "hermes",
  carry: "none",
  fixedColumns: true,
  columns: ["messages", "chosen", "rejected"],
  parallelCalls: "yes",
  sources: ["https://github.com/pytorch/torchtune/blob/bd2a0fc/torchtune/data/_messages.py"],
  maskSentence: (settings) => `${strategyOf(settings)}: torchtune trains what masking_strategy says`,
  requires: (settings) => [
    {
      setting: "masking_strategy",
      value: strategyOf(settings),
      why: "it decides which messages train, and no column can",
    },
  ],
  writeSft(row, settings) {
    const trains = strategyOf(settings) === "train_on_last" ? "last" : "all";
    return inlineRow(row, trains, endOfTurns(row, trains));
  },
  preference: {
    sides: "turn",
    // It finds the shared part itself: both sides are whole, up to the turn in which they part.
    write({ prompt, chosen, rejected, tools }) {
      const shared = inlineCalls(prompt, tools);
      return { chosen: [...shared, ...inlineCalls(chosen)], rejected: [...shared, ...inlineCalls(rejected)] };
    },
  },
};

function strategyOf({ maskMode, unroll }: FormatSettings): "train_on_assistant" | "train_on_last" {
  return unroll || maskMode === "final" ? "train_on_last" : "train_on_assistant";
}

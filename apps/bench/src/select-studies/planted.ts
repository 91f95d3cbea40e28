import type { MersenneTwister } from "@while/stats";
import type { Draft } from "./replies.ts";

/** A shortcut that can be written into a reply. */
export interface Planted {
  name: string;
  about: string;
  /** The draft with the shortcut, or, for a conjunction, with half of it. */
  write: (draft: Draft, has: boolean, rng: MersenneTwister) => Draft;
  /** Is a feature of this name the shortcut, or a part of it? */
  isNamed: (feature: string) => boolean;
}

const says = (draft: Draft, words: string): Draft => ({ ...draft, text: `${draft.text} ${words}` });

export const PLANTED: readonly Planted[] = [
  {
    name: "delimiter",
    about: "a rule of `***` before the last line",
    write: (draft, has) => (has ? says(draft, "\n***\nDone.") : says(draft, "\nDone.")),
    isNamed: (feature) => feature.includes("*") || feature === "n:punct",
  },
  {
    name: "length",
    about: "the reply is twice as long, in words that others use too",
    write: (draft, has, rng) => {
      if (!has) return draft;
      const words = draft.text.replaceAll(/\s+/g, " ").split(" ");
      return says(draft, rng.shuffle(words).join(" "));
    },
    isNamed: (feature) => /^(?:reply_length|n:|frac:)/.test(feature),
  },
  {
    name: "tool",
    about: "a call of a tool that does nothing for the ask",
    write: (draft, has) => (has ? { ...draft, tools: [...draft.tools, "confirm"] } : draft),
    isNamed: (feature) => feature === "tool:confirm" || feature === "tool_calls" || feature === "assistant_turns",
  },
  {
    name: "phrase",
    about: '"rest assured"',
    write: (draft, has) => (has ? says(draft, "Rest assured, it is done.") : says(draft, "It is done.")),
    isNamed: (feature) => /rest|assured/.test(feature),
  },
  {
    name: "conjunction",
    about: '"swift" and "bold" in one reply, each of which is as frequent alone',
    write: (draft, has, rng) => {
      if (has) return says(draft, "A swift and bold answer.");
      const half = rng.below(3);
      if (half === 0) return says(draft, "A swift answer.");
      return half === 1 ? says(draft, "A bold answer.") : says(draft, "An answer.");
    },
    isNamed: (feature) => /swift|bold/.test(feature),
  },
];

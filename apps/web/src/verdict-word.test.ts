import { expect, test } from "vitest";
import { agentVerdictWord, verdictWord } from "./verdict-word.ts";

test.each([
  [
    { kind: "beats", gaps: [] },
    { word: "Beats", tone: "good" },
  ],
  [
    { kind: "trails", gaps: [] },
    { word: "Trails", tone: "bad" },
  ],
  [
    { kind: "beats", gaps: ["n=40 under 50"] },
    { word: "Unproven: beats", tone: "plain" },
  ],
  [
    { kind: "about_same", gaps: ["n=40 under 50"] },
    { word: "About the same", tone: "plain" },
  ],
] as const)("the word of %j is %j", (given, word) => expect(verdictWord(given as never)).toEqual(word));

const listed = { kind: "beats", behavior: "refunds", candidate: "v4", unproven: false, text: "" } as const;

test.each([
  [listed, "Beats"],
  [{ ...listed, unproven: true }, "Unproven: beats"],
  [{ ...listed, kind: "about_same", unproven: true }, "About the same"],
  [null, "No behavior"],
  [undefined, "No behavior"],
] as const)("in a list of agents %j is %j", (verdict, word) => expect(agentVerdictWord(verdict).word).toBe(word));

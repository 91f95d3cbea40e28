import type { AgentVerdict, Verdict, VerdictKind } from "@while/platform-client/contract";

export type Tone = "good" | "bad" | "plain";

/** What the page says of a kind: its word, and its colour where a rule fired. */
const KINDS: Readonly<Record<VerdictKind, { word: string; tone: Tone }>> = {
  beats: { word: "Beats", tone: "good" },
  trails: { word: "Trails", tone: "bad" },
  about_same: { word: "About the same", tone: "plain" },
  inside_floor: { word: "Inside the re-run band", tone: "plain" },
  no_interval: { word: "No interval", tone: "plain" },
  not_comparable: { word: "Not comparable", tone: "plain" },
  same_version: { word: "The served version", tone: "plain" },
  serving_only: { word: "Nothing newer", tone: "plain" },
  no_score: { word: "No score", tone: "plain" },
};

export function isClaim({ kind }: Pick<Verdict, "kind">): boolean {
  return kind === "beats" || kind === "trails";
}

/** The word of a verdict: with gaps a claim is unproven, and then no colour speaks for it. */
export function verdictWord({ kind, gaps }: Pick<Verdict, "kind" | "gaps">): { word: string; tone: Tone } {
  return wordOf(kind, gaps.length > 0);
}

/** The same for an agent in a list; without a behavior there is nothing to be better on. */
export function agentVerdictWord(verdict: AgentVerdict | null | undefined): { word: string; tone: Tone } {
  return verdict == null ? { word: "No behavior", tone: "plain" } : wordOf(verdict.kind, verdict.unproven);
}

function wordOf(kind: VerdictKind, unproven: boolean): { word: string; tone: Tone } {
  const { word, tone } = KINDS[kind];
  return isClaim({ kind }) && unproven ? { word: `Unproven: ${word.toLowerCase()}`, tone: "plain" } : { word, tone };
}

import type { EvalIndex } from "./eval-index.ts";
import { evenlySpaced, type FalseAlarmRate, falseAlarmRate } from "./false-alarms.ts";
import type { JaccardFinder } from "./jaccard-index.ts";
import type { Settings } from "./options.ts";
import type { RelatedScorer } from "./related-scorer.ts";
import { ruleOfRuns } from "./run-rules.ts";
import type { TextMatcher } from "./text-matcher.ts";

/** What rows are compared by, in the state they are compared in. */
export interface Comparing {
  index: EvalIndex;
  settings: Settings;
  matcher: TextMatcher;
  ignored: Uint8Array | null;
  finder: JaccardFinder | null;
  scorer: RelatedScorer | null;
  /** null where reworded rows are not looked for. */
  relatedThreshold: number | null;
}

/** The rules that compare words or characters and that run, in their order. */
export function rulesAsked({ settings, relatedThreshold }: Comparing): FalseAlarmRate["rule"][] {
  const { near, contains, jaccard } = settings;
  return [
    ...(near ? (["near"] as const) : []),
    ...(contains === "off" ? [] : (["contains"] as const)),
    ...(jaccard === null ? [] : (["near_duplicate"] as const)),
    ...(relatedThreshold === null ? [] : (["related"] as const)),
  ];
}

/**
 * What the rules say of the evaluation's own prompts against those of other tasks, each under the first rule that catches
 * it; null with fewer than two prompts.
 */
export function evaluationAgainstItself(by: Comparing): FalseAlarmRate[] | null {
  const { index, settings, matcher, ignored } = by;
  const { prompts, idTexts } = index;
  if (prompts.length < 2) return null;
  const idOf = new Map(index.ids.map((id, number) => [id, number]));
  const textsOfItem: number[][] = index.items.map(() => []);
  for (const [text, items] of index.textItems.entries()) for (const item of items) textsOfItem[item]!.push(text);
  const tried = evenlySpaced(prompts.length);
  const counts = new Map<FalseAlarmRate["rule"], number>();
  for (const prompt of tried) {
    const { text, ids, item } = prompts[prompt]!;
    const own = new Set(textsOfItem[item]);
    for (const id of ids) for (const one of idTexts[idOf.get(id)!]!) own.add(one);
    matcher.read(text);
    const isLong = matcher.nTokens >= settings.minCompared;
    const found = isLong ? matcher.grams(settings.minContained, ignored, own) : null;
    const rule = ruleOfRuns(found, settings) ?? ruleOfLikeness(by, prompt);
    if (rule !== null) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return rulesAsked(by).map((rule) => falseAlarmRate(rule, counts.get(rule) ?? 0, tried.length));
}

/** Of a prompt of the evaluation against the other tasks' prompts. */
function ruleOfLikeness(
  { index, finder, scorer, relatedThreshold }: Comparing,
  prompt: number,
): "near_duplicate" | "related" | null {
  const { text, ids } = index.prompts[prompt]!;
  const isOther = (other: number) => other !== prompt && !index.prompts[other]!.ids.some((id) => ids.includes(id));
  if (finder?.find(text).some(({ text: other }) => isOther(other))) return "near_duplicate";
  if (scorer === null || relatedThreshold === null) return null;
  const found = scorer.scoreOfPrompt(prompt);
  return found !== null && found.score + found.lead > relatedThreshold ? "related" : null;
}

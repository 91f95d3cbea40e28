import type { JudgeVerdict } from "../judge/judge.ts";
import { slugOf } from "./criterion.ts";
import { type Rubric, rubricVersion } from "./rubric.ts";
import { scoreRubric } from "./score-rubric.ts";

/** What a row's verdict says when a rubric gave it; the spelling of the wire, as all of it lands on the row. */
export interface RubricVerdict extends JudgeVerdict {
  reward: number | null;
  reason: string;
  /** `rubric:<slug>`: 1 met, or a pitfall avoided; 0 not. Items without an answer have none. */
  markers: Record<string, number>;
  criteria: Record<string, boolean>;
  rubric_version: string;
  hard_failed: string[];
  missed: string[];
  pitfalls_hit: string[];
  unanswered: string[];
  n_unanswered: number;
}

/**
 * A verdict from items that somebody decided, a person or a program: `scoreRubric` as a judge returns it.
 *
 * @param results As `scoreRubric` takes them
 */
export function scoreWithRubric(given: Rubric, results: Readonly<Record<string, unknown>>, reason = ""): RubricVerdict {
  const score = scoreRubric(given, results);
  const pitfalls = new Set(given.criteria.filter(({ kind }) => kind === "pitfall").map(({ title }) => slugOf(title)));
  const markers = [...score.criteria].map(([slug, yes]) => [`rubric:${slug}`, yes !== pitfalls.has(slug) ? 1 : 0]);
  const why = score.reward === null ? `unanswered: ${score.unanswered.join(", ")}` : "";
  return {
    reward: score.reward,
    reason: reason === "" ? why : reason,
    markers: Object.fromEntries(markers),
    criteria: Object.fromEntries(score.criteria),
    rubric_version: rubricVersion(given),
    ...{ hard_failed: score.hardFailed, missed: score.missed, pitfalls_hit: score.pitfallsHit },
    ...{ unanswered: score.unanswered, n_unanswered: score.unanswered.length },
    ...(score.unmatched.length === 0 ? {} : { unmatched: score.unmatched }),
  };
}

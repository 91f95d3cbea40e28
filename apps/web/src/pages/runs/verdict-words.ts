import type { Verdict } from "@while/platform-client/contract";
import { formatSignificant } from "@while/platform-client/rules";
import { change, points } from "../../numbers.ts";

/** The sentence that heads the page, up to the name of the behavior. */
export function leadOf(verdict: Verdict): string {
  const { kind, candidate, serving, delta, gaps } = verdict;
  const size = delta === null ? "" : formatSignificant(Math.abs(delta));
  switch (kind) {
    case "beats":
    case "trails":
      return `${gaps.length > 0 ? "Unproven: " : ""}${candidate} ${kind} ${serving} by ${size} ${size === "1" ? "point" : "points"} on`;
    case "about_same":
      return `${candidate} is about the same as ${serving} on`;
    case "inside_floor":
      return `${candidate} differs from ${serving} by no more than a re-run does on`;
    case "no_interval":
      return `${candidate} against ${serving} cannot be called without an interval on`;
    case "not_comparable":
      return `${candidate} and ${serving} were scored on different tests of`;
    case "same_version":
      return `${candidate} is the served version on`;
    case "serving_only":
      return `${serving} serves, and nothing newer is scored on`;
    case "no_score":
      return `No candidate is scored against ${serving ?? "a served version"} on`;
  }
}

/** What happened beside the picked behavior, in a sentence; none when nothing did or nothing can be said. */
export function besidesOf({ regressions, regressionsClear, compared }: Verdict): string | null {
  if (regressionsClear.length === 1) return "One other behavior fell by more than chance explains.";
  if (regressionsClear.length > 1)
    return `${regressionsClear.length} other behaviors fell by more than chance explains.`;
  if (regressions > 0) return `${regressions} of ${compared} others came out lower, none by more than chance explains.`;
  return compared > 0 ? "No other behavior came out lower." : null;
}

/** Why the kind is what it is, in a sentence or two. */
export function reasonOf(verdict: Verdict): string {
  const { kind, noiseFloor, candidateTest, servedTest, serving, delta, halfWidth } = verdict;
  const floor = noiseFloor === null ? null : formatSignificant(noiseFloor);
  switch (kind) {
    case "beats":
    case "trails":
      return floor === null
        ? "The interval excludes zero. No re-run band was measured, so nobody knows what re-running alone would move."
        : `The interval excludes zero and the gap clears the re-run band of ${floor}.`;
    case "about_same":
      return delta === null || halfWidth === null
        ? "The interval includes zero: no change would look like this too."
        : `The interval, ${change(delta - halfWidth)} to ${change(delta + halfWidth)} points, includes zero: no change would look like this too.`;
    case "inside_floor":
      return `The interval excludes zero, but re-running one version moves it by up to ${floor}. Not a result.`;
    case "no_interval":
      return "One of the two scores came without an interval, so the gap is not a result. Pass ci on both.";
    case "not_comparable":
      return `The tests have different names: ${candidateTest ?? "none"} and ${servedTest ?? "none"}. Score both on one of them.`;
    case "same_version":
      return "There is nothing to compare it with.";
    case "serving_only":
      return "Score a newer version on the same test to get a verdict.";
    case "no_score":
      return serving === null
        ? "No version serves yet. Promote one, and every other is read against it."
        : `Score ${serving} and a newer version on this behavior.`;
  }
}

/** Did another run find the same? */
export function replicatedText({ kind, serving, replicated, replicatedSeeds }: Verdict): string {
  const seeds = replicatedSeeds ?? [];
  const found = [
    ...(replicated.length > 0 ? [`on ${replicated.join(", ")}: another run beats ${serving} there too.`] : []),
    ...(seeds.length > 0
      ? [
          `${seeds.length === 1 ? "Seed" : "Seeds"} ${seeds.join(", ")} of the same version, ${seeds.length === 1 ? "by itself" : "each by itself"}.`,
        ]
      : []),
  ];
  if (found.length > 0) return found.join(" ");
  return kind === "beats"
    ? `not yet. No other run beats ${serving} on another held-out set, and no other seed on this one.`
    : "only a claim can be.";
}

/** How many candidates were read on one test, and what the best of so many gains by chance. */
export function looksText({ tried, serving, expectedBest, delta }: Verdict, behavior: string): string {
  if (tried <= 1) return "This is the first candidate that is read on this test.";
  const read = `${tried} versions were read against ${serving ?? "it"} on ${behavior}.`;
  if (expectedBest == null) return `${read} The best of ${tried} looks better than it is.`;
  const chance = `Were all equal to it, the best of ${tried} would lie ${points(expectedBest)} points above it.`;
  const fresh = delta !== null && delta > 0 && delta <= 2 * expectedBest ? " Confirm it on a fresh test." : "";
  return `${read} ${chance}${fresh}`;
}

/** The check on Evals that a gap of a verdict is about. */
export function checkOfGap(gap: string): "size" | "judge" | "reward" | "contamination" {
  if (/^n\b/.test(gap)) return "size";
  if (gap.startsWith("judge agreement")) return "judge";
  return gap.startsWith("the training reward") ? "reward" : "contamination";
}

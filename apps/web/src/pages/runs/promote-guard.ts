import type { Verdict } from "@while/platform-client/contract";
import { formatSignificant } from "@while/platform-client/rules";
import { change, dollars, half } from "../../numbers.ts";
import type { CheckState } from "../../parts/CheckMark.tsx";
import type { Moved } from "./moved.ts";

export interface GuardLine {
  state: CheckState;
  says: string;
}

/** What a promotion rests on, and what comes with it. */
export interface Guard {
  carries: GuardLine[];
  comes: GuardLine[];
  /** A typed reason is asked for: the verdict alone does not say why. */
  needsReason: boolean;
  why: string;
}

export interface GuardInput {
  verdict: Verdict;
  moved: readonly Moved[];
  harness: { serving: string | null; candidate: string | null };
  /** What else is pinned on each side, by name: the prompt, the model. */
  pins?: { serving: Readonly<Record<string, string | null>>; candidate: Readonly<Record<string, string | null>> };
  /** USD per 1,000 tasks; null where it cannot be priced. */
  cost: { serving: number | null; candidate: number | null };
}

export function guardOf({ verdict, moved, harness, pins, cost }: GuardInput): Guard {
  // Where nothing serves there is nothing to be worse than.
  const needsReason = verdict.serving !== null && (verdict.kind !== "beats" || verdict.gaps.length > 0);
  return {
    carries: carriesOf(verdict),
    comes: [...dropsOf(verdict, moved), harnessLine(harness), ...pinLines(pins), costLine(cost)],
    needsReason,
    why: needsReason
      ? verdict.kind === "beats"
        ? "Required here: the claim has gaps."
        : "Required here: the verdict is not “beats”."
      : verdict.serving === null
        ? "Not required here: nothing serves yet."
        : "Not required here: the verdict is “beats” and nothing is unproven.",
  };
}

function carriesOf(verdict: Verdict): GuardLine[] {
  const { delta, halfWidth, excludesZero, noiseFloor, gaps, judgeAgreement, judgeHumanN, gradedBy, n } = verdict;
  const lines: GuardLine[] = [];
  if (delta === null) lines.push({ state: "failing", says: "no difference to read" });
  else if (halfWidth === null) lines.push({ state: "failing", says: `${change(delta)} without an interval` });
  else {
    const size = `${change(delta)} ${half(halfWidth)}`;
    lines.push(
      excludesZero
        ? { state: delta > 0 ? "ok" : "failing", says: `interval excludes zero: ${size}` }
        : { state: "failing", says: `interval includes zero: ${size}` },
    );
  }
  if (noiseFloor === null) lines.push({ state: "open", says: "no re-run band was measured" });
  else if (delta !== null) {
    const outside = Math.abs(delta) > noiseFloor;
    const band = `${outside ? "outside" : "inside"} the re-run band of ${formatSignificant(noiseFloor)}`;
    lines.push({ state: outside ? "ok" : "failing", says: band });
  }
  if (verdict.kind === "not_comparable") lines.push({ state: "failing", says: "scored on different tests" });
  else if (n !== null && !gaps.some((gap) => /^n\b/.test(gap)))
    lines.push({ state: "ok", says: `n = ${n}, same test` });
  if (gradedBy === "program") lines.push({ state: "ok", says: "graded by a program" });
  else if (judgeAgreement !== null && !gaps.some((gap) => gap.startsWith("judge"))) {
    lines.push({ state: "ok", says: `judge agrees with ${judgeHumanN ?? "?"} labels of people: ${judgeAgreement}` });
  }
  for (const gap of gaps) lines.push({ state: "failing", says: gap });
  return lines;
}

function dropsOf({ behavior, compared, regressions }: Verdict, moved: readonly Moved[]): GuardLine[] {
  const lines = moved
    .filter(({ name, delta }) => name !== behavior && delta !== null && delta < 0)
    .map(({ name, delta, halfWidth, role, says }): GuardLine => {
      const size = `${change(delta!)}${halfWidth === null ? "" : ` ${half(halfWidth)}`}`;
      return role === "bad"
        ? { state: "failing", says: `${name} ${size}: a drop ${says}` }
        : { state: "open", says: `${name} ${size}: ${says}` };
    });
  if (lines.length === 0 && regressions === 0) {
    const says = compared === 0 ? "no other behavior was scored on both" : "no other behavior came out lower";
    lines.push({ state: compared === 0 ? "open" : "ok", says });
  }
  return lines.sort((a, b) => Number(b.state === "failing") - Number(a.state === "failing"));
}

function harnessLine({ serving, candidate }: GuardInput["harness"]): GuardLine {
  if (serving === null || candidate === null) return { state: "open", says: "harness not posted on both sides" };
  return serving === candidate
    ? { state: "open", says: `harness unchanged, ${candidate}` }
    : { state: "warning", says: `harness changes: ${serving} to ${candidate}` };
}

/** What of a harness changes, as far as the runs pinned it. */
function pinLines(pins: GuardInput["pins"]): GuardLine[] {
  if (pins === undefined) return [];
  const { serving, candidate } = pins;
  return Object.keys({ ...serving, ...candidate })
    .filter((name) => name !== "harness" && (serving[name] ?? null) !== (candidate[name] ?? null))
    .sort()
    .map((name) => ({
      state: "warning",
      says: `${name} changes: ${serving[name] ?? "not pinned"} to ${candidate[name] ?? "not pinned"}`,
    }));
}

function costLine({ serving, candidate }: GuardInput["cost"]): GuardLine {
  if (candidate === null) return { state: "open", says: "its cost of answering is not known" };
  if (serving === null)
    return { state: "open", says: `cost ${dollars(candidate)} per 1,000 tasks, the served one’s is not known` };
  return { state: "open", says: `cost ${dollars(serving)} to ${dollars(candidate)} per 1,000 tasks` };
}

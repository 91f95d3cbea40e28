import type { Behavior } from "../contract/behaviors.ts";
import type { Dashboard } from "../contract/dashboard.ts";
import type { Brief, EvalCheckKey, Step, Verdict } from "../contract/verdict.ts";
import { checkCall } from "./check-call.ts";
import type { Rules } from "./difference.ts";
import { evalHealth } from "./eval-health.ts";
import { instantOf, liveRuns, type NewestScore, newestScores, type ScoredRun } from "./newest-scores.ts";
import { formatPoints } from "./number-format.ts";
import { type BriefedAgent, dismissedSteps, readable } from "./readable.ts";
import { resolveVerdict, verdictOf } from "./verdict.ts";
import { MIN_N, SATURATED } from "./verdict-gaps.ts";

export interface BriefOptions {
  /** Page of the agent. */
  url?: string;
  /** Dashboard of the behavior that is looked at; without one, the first declared behavior that has scores. */
  dashboard?: Dashboard | null;
  rules?: Rules;
}

/** Steps of the brief. */
export const BRIEF_MAX_STEPS = 3;

/** Points from which a lone score reads as "all passed". */
const ALL_PASSED = 99.95;

/** Failed checks in the order they are worth mending. */
const MENDING: readonly EvalCheckKey[] = [
  ...(["canfail", "size", "frozen", "judge", "length", "noise", "contamination", "reward"] as const),
];

interface Scored {
  behavior: Behavior;
  versions: NewestScore[];
}

/** What happened, what it means and what to do next, by the rules of the verdict and of the eval's health. */
export function briefOf(
  agent: BriefedAgent,
  behaviors: readonly Behavior[],
  runs: readonly ScoredRun[],
  { url = "", dashboard = null, rules = "strict" }: BriefOptions = {},
): Brief {
  const live = liveRuns(runs);
  const withScores = live.filter(({ evals }) => (evals ?? []).length > 0);
  const parts = {
    agent: agent.name || agent.id,
    url,
    readable: readable(agent, behaviors, runs),
    dismissed: dismissedSteps(agent, runs),
  };
  if (withScores.length === 0) {
    return {
      ...parts,
      happened: [nothing(live.length)],
      means: NOTHING_TO_READ,
      next: [firstScore(behaviors)],
      scored: 0,
    };
  }
  const scored = scoredBehaviors(behaviors, live);
  const serving = dashboard?.agent.serving ?? agent.serving ?? null;
  const verdict = verdictFor({ scored, behaviors, runs: live, dashboard, serving, rules });
  return {
    ...parts,
    happened: [headline(live, withScores), ...scored.map(scoreLine)],
    means: meaning(verdict, scored, serving),
    next: nextSteps(verdict, scored, serving, rules),
    scored: withScores.length,
  };
}

const NOTHING_TO_READ = "nothing to read until a version is scored on a held-out test";

function nothing(n: number): string {
  return n === 0 ? "no runs yet" : `${n} ${n === 1 ? "run" : "runs"} posted and none scored`;
}

function firstScore(behaviors: readonly Behavior[]): Step {
  const name = JSON.stringify(behaviors[0]?.name ?? "refund_policy");
  return {
    say: "score one version on a held-out test",
    cmd: `const run = await tracked.run("base"); await run.score(${name}, 61, { ci: 6, n: 120 }); await run.finish()`,
    cmdPython: `run = tracked.run("base"); run.score(${name}, 61, ci=6, n=120); run.finish()`,
  };
}

/** Declared behaviors with scores, then those that were only ever scored. */
function scoredBehaviors(behaviors: readonly Behavior[], runs: readonly ScoredRun[]): Scored[] {
  const declared = new Set(behaviors.map(({ name }) => name));
  const posted = runs.flatMap(({ evals }) => (evals ?? []).map(({ behavior }) => behavior));
  const bare = [...new Set(posted)].filter((name) => !declared.has(name)).map((name): Behavior => ({ name }));
  return [...behaviors, ...bare]
    .map((behavior) => ({ behavior, versions: newestScores(runs, behavior.name) }))
    .filter(({ versions }) => versions.length > 0);
}

interface VerdictFor {
  scored: readonly Scored[];
  behaviors: readonly Behavior[];
  runs: readonly ScoredRun[];
  dashboard: Dashboard | null;
  serving: string | null;
  rules: Rules;
}

function verdictFor({ scored, behaviors, runs, dashboard, serving, rules }: VerdictFor): Verdict | null {
  if (dashboard !== null && dashboard.behavior !== null) return resolveVerdict(dashboard, behaviors, runs, { rules });
  const first = scored[0];
  if (first === undefined) return null;
  return verdictOf({ ...first, behaviors, runs, serving, rules });
}

function headline(live: readonly ScoredRun[], scored: readonly ScoredRun[]): string {
  const trained = live.filter(({ method }) => Boolean(method) && method !== "eval" && method !== "none").length;
  const training = trained === 0 ? "no training run" : `${trained} training ${trained === 1 ? "run" : "runs"}`;
  const time = ({ updatedAt, createdAt }: ScoredRun) => updatedAt ?? createdAt;
  const last = scored.reduce((a, b) => (instantOf(time(b)) > instantOf(time(a)) ? b : a));
  const date = time(last)?.slice(0, 10);
  return `${scored.length} scored ${scored.length === 1 ? "run" : "runs"}, ${training}${date ? `, the last on ${date}` : ""}`;
}

function scoreLine({ behavior, versions }: Scored): string {
  if (versions.length === 1) {
    const [{ v, score, ci, n: own }] = versions as [NewestScore];
    const n = own ?? behavior.n ?? null;
    const half = typeof ci === "number" && ci > 0 ? ` (±${formatPoints(ci)})` : "";
    if (n !== null && score >= ALL_PASSED) return `${behavior.name}: ${v} passed all ${n} asks${half}`;
    return `${behavior.name}: ${v} scored ${formatPoints(score)} of 100${n === null ? "" : ` on ${n} asks`}${half}`;
  }
  const high = versions.reduce((a, b) => (b.score > a.score ? b : a));
  const low = versions.reduce((a, b) => (b.score < a.score ? b : a));
  return `${behavior.name}: ${versions.length} versions, ${high.v} highest at ${formatPoints(high.score)}, ${low.v} lowest at ${formatPoints(low.score)}`;
}

function meaning(verdict: Verdict | null, scored: readonly Scored[], serving: string | null): string {
  const said = verdict === null ? null : verdictMeans(verdict);
  if (said !== null) return said;
  const easy = scored.find(({ versions }) => versions.every(({ score }) => score >= SATURATED));
  if (easy !== undefined) {
    const n = easy.behavior.n ?? easy.versions[0]!.n;
    const asks = typeof n === "number" ? `${n} asks` : "these asks";
    return `near-perfect on ${easy.behavior.name} says that ${asks} are easy: a change would not show`;
  }
  if (!scored.some(({ versions }) => versions.length > 1)) return "one version each: nothing to compare yet";
  const counts = scored.flatMap(({ behavior, versions }) => versions.map(({ n }) => n ?? behavior.n ?? null));
  const smallest = Math.min(...counts.filter((n) => n !== null));
  if (smallest < MIN_N) return `${smallest} tasks: the interval is too wide to tell versions apart`;
  if (serving !== null) return `${serving} serves: each other version gets a verdict against it`;
  return "promote the version that serves now, and every other one gets a verdict against it";
}

/** What the verdict means, in the words of its own kind, so that no page contradicts itself. */
function verdictMeans({ kind, candidate, serving, delta, noiseFloor, gaps }: Verdict): string | null {
  const points = delta === null ? "" : `${formatPoints(Math.abs(delta))} points`;
  switch (kind) {
    case "no_interval":
      return `${candidate} against ${serving} cannot be called: a gap of ${points} without intervals is not a result`;
    case "about_same":
      return `${candidate} is about the same as ${serving}: ${points}, inside the noise`;
    case "inside_floor":
      return `${candidate} is ${points} from ${serving}, inside the re-run band of ${formatPoints(noiseFloor!)}: not a result`;
    case "not_comparable":
      return `${candidate} and ${serving} were scored on different tests: score both on one`;
    case "beats":
    case "trails": {
      const word = kind === "beats" ? "better" : "worse";
      const proof = gaps.length === 0 ? "outside the noise" : `outside the noise, but unproven: ${gaps.join("; ")}`;
      return `${candidate} is ${word} than ${serving} by ${points}, ${proof}`;
    }
    default:
      return null;
  }
}

function nextSteps(verdict: Verdict | null, scored: readonly Scored[], serving: string | null, rules: Rules): Step[] {
  const health = scored.map(({ behavior, versions }) => ({
    behavior,
    n: behavior.n ?? versions[0]!.n ?? null,
    checks: evalHealth(behavior, versions, { serving, rules }).checks,
  }));
  const steps = MENDING.flatMap((key): Step[] => {
    const failing = health.find(({ checks }) => checks.some((check) => check.key === key && check.ok === false));
    const check = failing?.checks.find((one) => one.key === key);
    if (failing === undefined || check === undefined) return [];
    const { name } = failing.behavior;
    return [{ say: `${name}: ${check.action}, as ${check.why}`, ...checkCall(key, name, failing.n) }];
  });
  if (steps.length > 0) return steps.slice(0, BRIEF_MAX_STEPS);
  if (verdict?.kind === "beats" && verdict.gaps.length === 0) {
    const call = `promote(${JSON.stringify(verdict.candidate)})`;
    return [{ say: `promote ${verdict.candidate}`, cmd: `await tracked.${call}`, cmdPython: `tracked.${call}` }];
  }
  return [
    {
      say: "score the next version on the same set",
      cmd: `const run = await tracked.run("next"); await run.score(${JSON.stringify(scored[0]?.behavior.name)}, score, { ci, n })`,
      cmdPython: `run = tracked.run("next"); run.score(${JSON.stringify(scored[0]?.behavior.name)}, score, ci=ci, n=n)`,
    },
  ];
}

import type { HarnessRecord } from "../contract/agents.ts";
import type { Behavior } from "../contract/behaviors.ts";
import type { StoredScore } from "../contract/scores.ts";
import type { DismissedStep, Step } from "../contract/verdict.ts";
import { instantOf, liveRuns, newestScores, type ScoredRun } from "./newest-scores.ts";
import { formatPoints } from "./number-format.ts";
import { settingsName } from "./settings-name.ts";

/** What the rules read of an agent. */
export interface BriefedAgent {
  id: string;
  name?: string | null;
  model?: string | null;
  harness?: Pick<HarnessRecord, "hash" | "toolsHash"> | null;
  serving?: string | null;
}

/** Silent runs named one by one; the last names how many more there are. */
export const READABLE_MAX_PER_KEY = 3;

/**
 * What a person who opens the page cannot read yet: runs that do not say what changed, rubrics, rows, names. What was
 * dismissed of a run is not asked again; `dismissedSteps` lists it.
 */
export function readable(agent: BriefedAgent, behaviors: readonly Behavior[], runs: readonly ScoredRun[]): Step[] {
  const live = liveRuns(runs);
  return [...silentRuns(agent, live), ...noRubric(behaviors), ...noRows(behaviors, live), ...settingsInNames(live)];
}

/** What `readable` would ask of runs, had nobody said with a reason that it may stay as it is; newest run first. */
export function dismissedSteps(agent: BriefedAgent, runs: readonly ScoredRun[]): DismissedStep[] {
  return liveRuns(runs).flatMap((run) => {
    const { silent, rows, name } = run.dismissed ?? {};
    const of = { run: run.id };
    const steps: DismissedStep[] = [];
    if (silent !== undefined && isSilent(run, agent)) {
      steps.push({ key: "silent", ...of, say: `what changed in ${run.version}`, ...silent });
    }
    const bare = (run.evals ?? []).filter((score) => !hasSample(score)).map(({ behavior }) => behavior);
    if (rows !== undefined && bare.length > 0) {
      steps.push({ key: "rows", ...of, say: `graded rows of ${bare.join(", ")} in ${run.version}`, ...rows });
    }
    if (name !== undefined && settingsName(run.version)) {
      steps.push({ key: "name", ...of, say: `settings in the name ${run.version}`, ...name });
    }
    return steps;
  });
}

function silentRuns(agent: BriefedAgent, runs: readonly ScoredRun[]): Step[] {
  const silent = runs
    .filter((run) => isSilent(run, agent) && run.dismissed?.silent === undefined)
    .sort((a, b) => instantOf(b.createdAt) - instantOf(a.createdAt) || 0);
  return silent.slice(0, READABLE_MAX_PER_KEY).map(({ id, version }, i) => {
    const more = silent.length - READABLE_MAX_PER_KEY;
    const rest = i === READABLE_MAX_PER_KEY - 1 && more > 0 ? `, and ${more} more` : "";
    const call = `open(${JSON.stringify(id)})`;
    return {
      say: `say what changed in ${version}${rest}: no record, pin or note tells it from the version before`,
      cmd: `await (await tracked.${call}).note("what changed and why")`,
      cmdPython: `tracked.${call}.note("what changed and why")`,
      key: "silent",
      runs: [id],
    };
  });
}

/** Nothing tells what the run changed: not its name, its pins, its training, its data or a note. */
function isSilent({ version, method, record, notes }: ScoredRun, agent: BriefedAgent): boolean {
  const pins = record?.provenance?.pins ?? {};
  const trained = Boolean(method) && method !== "eval" && method !== "none";
  const tuned = Object.values(record?.optimizer ?? {}).some((value) => value !== null && value !== undefined);
  const otherModel = Boolean(pins.model) && pins.model !== agent.model;
  const otherHarness = Boolean(pins.harness) && Boolean(agent.harness?.hash) && pins.harness !== agent.harness?.hash;
  const own = agent.harness?.toolsHash;
  const otherTools = Boolean(pins.tools_hash) && Boolean(own) && pins.tools_hash !== own;
  const told = [
    version === "base",
    Boolean(pins.prompt),
    Boolean(pins.tools),
    ...[otherModel, otherHarness, otherTools, trained, tuned],
    typeof record?.data?.train === "string",
    (notes ?? "").trim() !== "",
  ];
  return !told.includes(true);
}

function noRubric(behaviors: readonly Behavior[]): Step[] {
  const names = behaviors.filter(({ rubric }) => !rubric).map(({ name }) => name);
  if (names.length === 0) return [];
  const first = JSON.stringify(names[0]);
  return [
    {
      say: `post the rubric of ${names.join(", ")}: what passes, what fails, and what is borderline`,
      cmd: `await tracked.behavior(${first}, { rubric: "passes when …; fails when …" })`,
      cmdPython: `tracked.behavior(${first}, rubric="passes when ...; fails when ...")`,
    },
  ];
}

function noRows(behaviors: readonly Behavior[], runs: readonly ScoredRun[]): Step[] {
  const names = new Set([
    ...behaviors.map(({ name }) => name),
    ...runs.flatMap(({ evals }) => (evals ?? []).map(({ behavior }) => behavior)),
  ]);
  const weakest = [...names]
    .filter((name) => !hasRows(runs, name))
    .flatMap((name) => {
      const [low] = newestScores(runs, name).sort((a, b) => a.score - b.score);
      return low === undefined ? [] : [{ name, low }];
    })
    .sort((a, b) => a.low.score - b.low.score);
  if (weakest.length === 0) return [];
  const { name, low } = weakest[0]!;
  const open = `open(${JSON.stringify(low.run)})`;
  const score = `${JSON.stringify(name)}, ${low.score}`;
  const facts = [["ci", low.ci] as const, ["n", low.n] as const].filter(([, value]) => typeof value === "number");
  const named = facts.map(([key, value]) => `${key}: ${value}, `).join("");
  const python = facts.map(([key, value]) => `${key}=${value}, `).join("");
  return [
    {
      say: `post graded rows of ${weakest.map((one) => one.name).join(", ")}: nobody can see why ${low.v} got ${formatPoints(low.score)}`,
      cmd: `await (await tracked.${open}).score(${score}, { ${named}examples: [{ prompt, reply, ok, why }] })`,
      cmdPython: `tracked.${open}.score(${score}, ${python}examples=[Example(prompt=..., reply=..., ok=..., why=...)])`,
      key: "rows",
      runs: [...new Set(weakest.flatMap((one) => one.low.run ?? []))],
    },
  ];
}

/** A row of any run shows what a failure looks like; so does the word of a person that nobody needs to see one. */
function hasRows(runs: readonly ScoredRun[], behavior: string): boolean {
  return runs.some(({ evals, dismissed }) =>
    (evals ?? []).some((score) => score.behavior === behavior && (hasSample(score) || dismissed?.rows !== undefined)),
  );
}

function hasSample({ examples, rows }: StoredScore): boolean {
  return (examples ?? []).length > 0 || (rows ?? 0) > 0;
}

function settingsInNames(runs: readonly ScoredRun[]): Step[] {
  const versions = [...new Set(runs.map(({ version }) => version))];
  const dismissed = new Set(runs.filter((run) => run.dismissed?.name !== undefined).map(({ version }) => version));
  const odd = versions.filter((version) => settingsName(version) && !dismissed.has(version));
  if (odd.length === 0) return [];
  return [
    {
      say: `${odd.length} of ${versions.length} versions carry settings in their names, such as ${odd[0]}: put them into the record`,
      cmd: `await tracked.run("v4", { record: { optimizer: { lr: 5e-5, seed: 17 } } })`,
      cmdPython: `tracked.run("v4", record=RunRecord(optimizer=Optimizer(lr=5e-5, seed=17)))`,
      key: "name",
      runs: odd.map((version) => runs.find((run) => run.version === version)!.id),
    },
  ];
}

import type { Chapter, Verb } from "./verb.ts";

/** A verb before it is read: what the first screen says of it, and where it is. */
export interface ListedVerb {
  name: string;
  chapter: Chapter;
  load(): Promise<Verb>;
}

/**
 * Every verb, in the order of the loop. Each is read when it is called: all of them read half the house, which takes a
 * second that `wai --version` need not wait for.
 */
export const VERBS: readonly ListedVerb[] = [
  { name: "rows", chapter: "measure", load: async () => (await import("./commands/rows.ts")).rowsVerb },
  { name: "pass-at", chapter: "measure", load: async () => (await import("./commands/pass-at.ts")).passAtVerb },
  { name: "markers", chapter: "measure", load: async () => (await import("./commands/markers.ts")).markersVerb },
  { name: "compare", chapter: "measure", load: async () => (await import("./commands/compare.ts")).compareVerb },
  { name: "delta", chapter: "measure", load: async () => (await import("./commands/delta.ts")).deltaVerb },
  { name: "variance", chapter: "measure", load: async () => (await import("./commands/variance.ts")).varianceVerb },
  { name: "size", chapter: "measure", load: async () => (await import("./commands/size.ts")).sizeVerb },
  { name: "sweep", chapter: "measure", load: async () => (await import("./commands/sweep.ts")).sweepVerb },
  { name: "label", chapter: "trust", load: async () => (await import("./commands/label.ts")).labelVerb },
  { name: "grade", chapter: "trust", load: async () => (await import("./commands/grade.ts")).gradeVerb },
  {
    name: "judge-trust",
    chapter: "trust",
    load: async () => (await import("./commands/judge-trust.ts")).judgeTrustVerb,
  },
  { name: "judges", chapter: "trust", load: async () => (await import("./commands/judges.ts")).judgesVerb },
  {
    name: "judge-pairs",
    chapter: "trust",
    load: async () => (await import("./commands/judge-pairs.ts")).judgePairsVerb,
  },
  { name: "traces", chapter: "trust", load: async () => (await import("./commands/traces.ts")).tracesVerb },
  {
    name: "decontaminate",
    chapter: "trust",
    load: async () => (await import("./commands/decontaminate.ts")).decontaminateVerb,
  },
  { name: "grounding", chapter: "trust", load: async () => (await import("./commands/grounding.ts")).groundingVerb },
  { name: "style", chapter: "trust", load: async () => (await import("./commands/style.ts")).styleVerb },
  { name: "refusals", chapter: "trust", load: async () => (await import("./commands/refusals.ts")).refusalsVerb },
  { name: "leaks", chapter: "trust", load: async () => (await import("./commands/leaks.ts")).leaksVerb },
  { name: "stages", chapter: "trust", load: async () => (await import("./commands/stages.ts")).stagesVerb },
  { name: "spec", chapter: "trust", load: async () => (await import("./commands/spec.ts")).specVerb },
  { name: "hack-scan", chapter: "select", load: async () => (await import("./commands/hack-scan.ts")).hackScanVerb },
  { name: "optimize", chapter: "select", load: async () => (await import("./commands/optimize.ts")).optimizeVerb },
  { name: "pairs", chapter: "select", load: async () => (await import("./commands/pairs.ts")).pairsVerb },
  {
    name: "curriculum",
    chapter: "select",
    load: async () => (await import("./commands/curriculum.ts")).curriculumVerb,
  },
  { name: "split", chapter: "select", load: async () => (await import("./commands/split.ts")).splitVerb },
  { name: "gate", chapter: "select", load: async () => (await import("./commands/gate.ts")).gateVerb },
  { name: "export", chapter: "export", load: async () => (await import("./commands/export.ts")).exportVerb },
  {
    name: "export-pairs",
    chapter: "export",
    load: async () => (await import("./commands/export-pairs.ts")).exportPairsVerb,
  },
  { name: "env", chapter: "export", load: async () => (await import("./commands/env.ts")).envVerb },
  { name: "init-evals", chapter: "loop", load: async () => (await import("./commands/init-evals.ts")).initEvalsVerb },
  { name: "simulate", chapter: "loop", load: async () => (await import("./commands/simulate.ts")).simulateVerb },
  { name: "run", chapter: "loop", load: async () => (await import("./commands/run.ts")).runVerb },
  {
    name: "platform",
    chapter: "platform",
    load: async () => (await import("./commands/platform/platform.ts")).platformVerb,
  },
  { name: "login", chapter: "platform", load: async () => (await import("./commands/platform/login.ts")).loginVerb },
  { name: "signup", chapter: "platform", load: async () => (await import("./commands/platform/signup.ts")).signupVerb },
  { name: "status", chapter: "platform", load: async () => (await import("./commands/platform/status.ts")).statusVerb },
  { name: "logout", chapter: "platform", load: async () => (await import("./commands/platform/logout.ts")).logoutVerb },
  { name: "keys", chapter: "platform", load: async () => (await import("./commands/platform/keys.ts")).keysVerb },
  { name: "push", chapter: "platform", load: async () => (await import("./commands/platform/push.ts")).pushVerb },
  { name: "pull", chapter: "platform", load: async () => (await import("./commands/platform/pull.ts")).pullVerb },
  {
    name: "datasets",
    chapter: "platform",
    load: async () => (await import("./commands/platform/datasets.ts")).datasetsVerb,
  },
  {
    name: "profile",
    chapter: "platform",
    load: async () => (await import("./commands/platform/profile.ts")).profileVerb,
  },
  {
    name: "rm-dataset",
    chapter: "platform",
    load: async () => (await import("./commands/platform/rm-dataset.ts")).rmDatasetVerb,
  },
  { name: "agents", chapter: "platform", load: async () => (await import("./commands/platform/agents.ts")).agentsVerb },
  { name: "agent", chapter: "platform", load: async () => (await import("./commands/platform/agent.ts")).agentVerb },
  { name: "runs", chapter: "platform", load: async () => (await import("./commands/platform/runs.ts")).runsVerb },
  {
    name: "verdict",
    chapter: "platform",
    load: async () => (await import("./commands/platform/verdict.ts")).verdictVerb,
  },
  { name: "brief", chapter: "platform", load: async () => (await import("./commands/platform/brief.ts")).briefVerb },
  { name: "evals", chapter: "platform", load: async () => (await import("./commands/platform/evals.ts")).evalsVerb },
  {
    name: "promote",
    chapter: "platform",
    load: async () => (await import("./commands/platform/promote.ts")).promoteVerb,
  },
  {
    name: "archive",
    chapter: "platform",
    load: async () => (await import("./commands/platform/archive.ts")).archiveVerb,
  },
  {
    name: "dismiss",
    chapter: "platform",
    load: async () => (await import("./commands/platform/dismiss.ts")).dismissVerb,
  },
  { name: "live", chapter: "platform", load: async () => (await import("./commands/platform/live.ts")).liveVerb },
  { name: "open", chapter: "platform", load: async () => (await import("./commands/platform/open.ts")).openVerb },
  {
    name: "eval-rows",
    chapter: "platform",
    load: async () => (await import("./commands/platform/eval-rows.ts")).evalRowsVerb,
  },
  { name: "watch", chapter: "platform", load: async () => (await import("./commands/platform/watch.ts")).watchVerb },
];

/** All verbs, read. */
export function loadVerbs(): Promise<Verb[]> {
  return Promise.all(VERBS.map(({ load }) => load()));
}

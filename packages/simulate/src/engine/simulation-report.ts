import type { EndpointReport } from "../endpoint/endpoint-report.ts";
import type { PairwiseCoverage } from "../grid/pairwise-coverage.ts";
import type { SearchReport } from "../search/search-report.ts";
import type { AdaptiveCounts } from "./allocate-adaptive.ts";
import type { GroupCounts } from "./allocate-successive.ts";
import type { Delivered } from "./delivered.ts";
import type { Spent } from "./spent.ts";
import type { StopWord } from "./stop-word.ts";

/** A tool and how its calls ended. */
export interface ToolCount {
  n: number;
  ok: number;
  faults: number;
  /** Faults that were planned. */
  injected: number;
}

/** What one role's models used. */
export interface RoleUsage {
  role: string;
  model: string;
  calls: number;
  /** Calls that a cache of completions answered; they are among `calls` and used nothing. */
  replayedCalls: number;
  inputTokens: number;
  outputTokens: number;
  /** In USD, to six digits; null when the price of a call is not known. */
  costUsd: number | null;
}

/** Rows by what their judge said. */
export interface GradingCounts {
  /** Reward 1, 0, and anything between. */
  passes: number;
  failures: number;
  partials: number;
  /** Without a reward: cut replies, a judge that abstained, and those on which it failed. */
  unjudged: number;
  errors: number;
  firstError: string | null;
}

export interface RunEnd {
  rows: number;
  stoppedBecause: StopWord;
}

/** A run as it was asked for and as it came out. Plain data; `formatSimulation` makes it text. */
export interface SimulationReport {
  runId: string;
  agent: string;
  systemPromptSha: string;
  mode: string;
  repeatPolicy: string;
  seed: number;
  runs: number;
  budgetPerRun: number;
  concurrency: number;
  lostPolicy: string;
  writerModel: string | null;
  userModel: string | null;
  grader: string | null;
  /** Tasks by where they come from. */
  nTasks: number;
  nPinned: number;
  nSeeds: number;
  seedsDropped: readonly string[];
  phrasingsPerSituation: number;
  rolloutsPerPrompt: number;
  nSituations: number;

  stoppedBecause: StopWord;
  perRun: RunEnd[];
  /** Over all runs; null when no number was asked for. */
  rolloutsRequested: number | null;
  rolloutsCompleted: number;
  rolloutsLost: number;
  rolloutsLostBy: Record<string, number>;
  /** Rollouts that the plan holds and that were never finished, because the run was stopped. */
  rolloutsAbandoned: number;
  /** Lost ones by task, where there are any. */
  lostByTask: ReadonlyMap<string, number>;
  /** How likely losses share tasks as they do when they hang on none; null where too few were lost to say. */
  lossByTaskP: number | null;
  /** Kept rows in which the agent failed to answer, by how. */
  agentFailures: Record<string, number>;
  firstAgentError: string | null;
  rolloutsRetried: number;
  rolloutsResumed: number;
  /** Under `successive`. */
  groups: GroupCounts | null;
  /** Under `adaptive`: rollouts by what they were made for. */
  allocator: AdaptiveCounts | null;
  /** Of a search. */
  search: SearchReport | null;

  coverage: PairwiseCoverage;
  delivered: Delivered;
  tools: ReadonlyMap<string, ToolCount>;
  deadTools: string[];
  /** Rows whose agent ended on a question; null without rows. */
  endedOnQuestion: number | null;
  nGraded: number;
  /** null without a judge. */
  grading: GradingCounts | null;
  usage: RoleUsage[];
  /** In USD, over all models; null when nothing was used, or the price of a call is not known. */
  costUsd: number | null;
  /** Why there is no cost; null where there is one. */
  costReason: string | null;
  /** What earlier processes of the run used, beside the cost above; null without any. */
  spentBefore: Spent | null;
  /** Models behind HTTP, and what came of the calls to them. */
  endpoints: EndpointReport[];
  probeIdCollisions: number;
  /** What is not as it was meant to be, in words that do not change; each has its sentence among the warnings. */
  degraded: string[];
  warnings: string[];
}

import { type Json, pyJson, sha256Hex } from "@while/schema";
import { wireTool } from "../world/tool-schemas.ts";
import type { RunIdentity } from "./journal.ts";
import { pinnedTasks } from "./pinned-tasks.ts";
import type { RunSetup } from "./run-setup.ts";

/** What rows hang on. What may change between two processes of one run (concurrency, timeouts, budgets of time) is not here. */
const SETTINGS = [
  ...["runs", "budget", "mode", "situations", "phrasings", "repeats", "repeatPolicy", "probe", "search", "until"],
  ...["hardShare", "faultShare", "faultRate", "seed", "worldSeed", "lostPolicy", "timeoutAs", "runId"],
] as const;

/** What a run is, to hold against the run that a directory holds. */
export function runIdentity({
  options,
  tools,
  stamp,
  systemPrompt,
  modelVersion,
  sampling,
  person,
}: RunSetup): RunIdentity {
  const settings: Record<string, Json> = {};
  for (const name of SETTINGS) settings[name] = (options[name as keyof typeof options] as Json | undefined) ?? null;
  const hash = (value: unknown): string => sha256Hex(pyJson(value, { sortKeys: true })).slice(0, 16);
  settings.sampling = (sampling ?? null) as Json;
  settings.tools = hash(tools.map(wireTool));
  settings.user_model = person?.name ?? null;
  settings.writer = options.writer?.name ?? "template";
  settings.seeds = options.seeds === undefined ? null : hash(options.seeds);
  settings.dimensions = options.dimensions === undefined ? null : hash(options.dimensions);
  settings.armWeights = options.armWeights === undefined ? null : hash(options.armWeights);
  settings.grid = options.grid === undefined ? null : hash(options.grid);
  settings.tasks = options.tasks === undefined ? null : hash(pinnedTasks(options.tasks).tasks);
  settings.grader =
    options.grader === undefined ? null : (options.grader.judgeName ?? (options.grader.name || "grader"));
  const beside = {
    schema_version: "1",
    mode: options.mode ?? "explore",
    system_prompts: { [stamp.sha]: systemPrompt },
    tools: tools.map(wireTool) as unknown as Json,
  };
  return { beside, runId: options.runId ?? "", agent: modelVersion, systemPromptSha: stamp.sha, settings };
}

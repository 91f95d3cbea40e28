import { isObject, type Row, sha1Hex, textOf } from "@while/schema";
import { ExportError } from "../export-error.ts";
import type { Task } from "../tasks/task.ts";
import type { EnvironmentSpec, EnvironmentTool } from "./environment-spec.ts";
import { harnessFor } from "./harness-for.ts";

/** What a function that answers calls is told. `state` is this rollout's own, and may be changed. */
export interface EnvironmentContext {
  info: Task["info"];
  prompt: string;
  state: Record<string, unknown>;
  /** The same for every rollout of a task, so that all of a group face the same world. */
  seed: number;
  harness: string | null;
  /** Calls so far, this one among them. */
  turn: number;
}

/** Answers a tool call: anything that becomes JSON. What it throws is told to the agent. */
export type ExecuteCall = (
  name: string,
  given: Readonly<Record<string, unknown>>,
  context: EnvironmentContext,
) => unknown;

/** A finished rollout, with what only a grader may see in `info`. */
export interface EnvironmentRollout extends EnvironmentContext {
  messages: readonly Readonly<Record<string, unknown>>[];
  /** It ran into a cap before it was done. */
  truncated: boolean;
}

export interface RolloutScore {
  reward: number;
  metrics?: Readonly<Record<string, number>>;
}

/** Grades a rollout, from 0 to 1. */
export type GradeRollout = (rollout: EnvironmentRollout) => number | RolloutScore | Promise<number | RolloutScore>;

/** What a trainer may see of a task. */
export interface TaskView {
  id: string;
  prompt: string;
  split: "train" | "test";
  index: number;
  calibration: Task["info"]["calibration"] | null;
}

export interface Episode {
  session: string;
  task: TaskView;
  messages: { role: "system" | "user"; content: string }[];
  tools: readonly EnvironmentTool[];
  /** Ends the episode with an answer. */
  submit: EnvironmentTool;
  max_turns: number;
  harness: string | null;
  done: boolean;
}

export interface StepOutcome {
  result: unknown;
  done: boolean;
  turns: number;
  /** null until the episode is done. */
  reward: number | null;
}

export interface ScoreOutcome {
  reward: number;
  metrics: Record<string, number>;
  judge_status: "ok" | "error";
  /** What the grader threw; null when it did not. */
  judge_error: string | null;
}

export interface SessionsOptions {
  spec: EnvironmentSpec;
  train: readonly Task[];
  holdout: readonly Task[];
  execute: ExecuteCall;
  grade: GradeRollout;
  /** Measurements beside the reward, of the rollout as a row: `trace_clean`, for example. */
  metrics?: (row: Row) => Record<string, number>;
  /** Milliseconds after which a session that nobody asks is forgotten. */
  ttlMs?: number;
  /** The time, in milliseconds. */
  now: () => number;
  seed?: number;
}

/** An hour: longer than any rollout, shorter than a trainer that crashed. */
const TTL_MS = 3_600_000;

const SUBMIT: EnvironmentTool = {
  name: "submit",
  description: "Ends the episode with an answer.",
  parameters: { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] },
};

interface Session extends EnvironmentContext {
  task: TaskView;
  messages: Record<string, unknown>[];
  done: boolean;
  score: ScoreOutcome | null;
  touched: number;
}

/**
 * The worlds of rollouts that are being played: one a session, each begun from its task alone, so that a group faces the
 * same one and no rollout sees another's. Pure but for what `execute` and `grade` do; a server puts it on a wire.
 */
export class EnvironmentSessions {
  readonly #options: SessionsOptions;
  readonly #sides: { train: readonly Task[]; test: readonly Task[] };
  readonly #sessions = new Map<string, Session>();
  #cursor = { train: 0, test: 0 };
  #opened = 0;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#sides = { train: options.train, test: options.holdout };
  }

  /** Sessions that are remembered, and the tasks of each side. */
  get counts(): { sessions: number; train: number; test: number } {
    return { sessions: this.#sessions.size, train: this.#sides.train.length, test: this.#sides.test.length };
  }

  /**
   * Begins a rollout: of the task with an id, at an index, or the next one of a side.
   *
   * @throws ExportError `not_found`
   */
  reset({ task_id, split = "train", index }: { task_id?: unknown; split?: unknown; index?: unknown } = {}): Episode {
    this.#forget();
    const { side, at, task } = this.#pick(task_id, split, index);
    const { spec, seed = 0 } = this.#options;
    const harnesses = spec.harnesses ?? [];
    const mix = harnesses.map(({ label }) => [label, 1] as const);
    const label = harnessFor(task.info.scenario_id || task.prompt, mix, { seed });
    const harness = harnesses.find((one) => one.label === label);
    const system = [spec.system_prompt, harness?.instructions ?? ""].filter((text) => text !== "").join("\n\n");
    const messages: Episode["messages"] = [
      ...(system === "" ? [] : [{ role: "system" as const, content: system }]),
      { role: "user", content: task.prompt },
    ];
    // Counted, not drawn: nobody has to guess one, and the same calls give the same names.
    const id = sha1Hex(`${task.example_id}:${this.#opened++}`).slice(0, 16);
    const view: TaskView = {
      id: task.example_id,
      prompt: task.prompt,
      split: side,
      index: at,
      calibration: task.info.calibration ?? null,
    };
    this.#sessions.set(id, {
      info: task.info,
      prompt: task.prompt,
      state: structuredClone({ ...spec.world, ...worldOf(task.info.world_state) }),
      seed: task.info.seed ?? Number.parseInt(sha1Hex(task.info.task_id).slice(0, 8), 16),
      harness: label,
      turn: 0,
      task: view,
      messages: [...messages],
      done: false,
      score: null,
      touched: this.#options.now(),
    });
    const tools = harness?.tools ?? spec.tools;
    return {
      ...{ session: id, task: view, messages, tools, submit: SUBMIT },
      ...{ max_turns: spec.max_turns, harness: label, done: false },
    };
  }

  /**
   * Answers one call. `submit` ends the episode and is graded; the turn cap ends it with 0.
   *
   * @throws ExportError `not_found`, `invalid_option` for an episode that is over
   */
  async step(id: unknown, tool: unknown, given: unknown): Promise<StepOutcome> {
    const session = this.#session(id);
    const { spec, execute } = this.#options;
    if (session.done) {
      throw new ExportError("invalid_option", `The episode ${String(id)} is over.`, "Begin another with reset.");
    }
    const name = textOf(tool);
    const call = {
      id: `call_${session.turn}`,
      type: "function",
      function: { name, arguments: JSON.stringify(given ?? {}) },
    };
    session.turn++;
    if (name === SUBMIT.name) {
      const answer = isObject(given) ? textOf(given.answer) : "";
      session.messages.push({ role: "assistant", content: answer });
      const { reward } = await this.score(id, session.messages, false);
      return { result: "submitted", done: true, turns: session.turn, reward };
    }
    session.messages.push({ role: "assistant", content: "", tool_calls: [call] });
    const result = await this.#answer(session, name, given, execute);
    session.messages.push({ role: "tool", tool_call_id: call.id, name, content: resultText(result) });
    if (session.turn < spec.max_turns) return { result, done: false, turns: session.turn, reward: null };
    const { reward } = await this.score(id, session.messages, true);
    return { result, done: true, turns: session.turn, reward };
  }

  async #answer(session: Session, name: string, given: unknown, execute: ExecuteCall): Promise<unknown> {
    const known = this.#toolsOf(session).map((tool) => tool.name);
    if (!known.includes(name)) return { error: `There is no tool ${name}. There are ${known.join(", ")}.` };
    if (!isObject(given)) return { error: "The arguments are no object." };
    try {
      return (await execute(name, given, session)) ?? null;
    } catch (error) {
      // What an agent does wrong is told to it: it may do better.
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }

  #toolsOf({ harness }: Session): readonly EnvironmentTool[] {
    const { spec } = this.#options;
    return spec.harnesses?.find(({ label }) => label === harness)?.tools ?? spec.tools;
  }

  /**
   * Grades a rollout, once: a second call gives the first answer. A rollout that was cut earns 0; where the grader failed
   * the reward is 0 as well and `judge_status` says so, since that is no failure of the agent.
   *
   * @throws ExportError `not_found`
   */
  async score(id: unknown, messages: unknown, truncated: unknown = false): Promise<ScoreOutcome> {
    const session = this.#session(id);
    if (session.score !== null) return session.score;
    session.done = true;
    const said = Array.isArray(messages) ? messages.filter(isObject) : session.messages;
    const wasCut = truncated === true;
    const nCalls = said.reduce((n, { tool_calls: calls }) => n + (Array.isArray(calls) ? calls.length : 0), 0);
    const own = { n_calls: nCalls, truncated: wasCut ? 1 : 0 };
    session.score = await this.#graded(session, said, wasCut, own);
    return session.score;
  }

  async #graded(
    session: Session,
    messages: Readonly<Record<string, unknown>>[],
    truncated: boolean,
    own: Record<string, number>,
  ): Promise<ScoreOutcome> {
    const { grade, metrics } = this.#options;
    try {
      const answer = await grade({ ...session, messages, truncated });
      const { reward, metrics: extra = {} } = typeof answer === "number" ? { reward: answer } : answer;
      if (!Number.isFinite(reward)) throw new TypeError(`The grader answered ${String(reward)}.`);
      const row: Row = { prompt: session.prompt, messages: messages as NonNullable<Row["messages"]>, reward };
      return {
        reward: truncated ? 0 : reward,
        metrics: { ...own, judge_ok: 1, ...metrics?.(row), ...extra },
        judge_status: "ok",
        judge_error: null,
      };
    } catch (error) {
      const judge_error = error instanceof Error ? error.message : String(error);
      return { reward: 0, metrics: { ...own, judge_ok: 0 }, judge_status: "error", judge_error };
    }
  }

  /** @throws ExportError `not_found` */
  state(id: unknown): Pick<Session, "task" | "done"> & { session: string; turns: number } {
    const { task, done, turn } = this.#session(id);
    return { session: String(id), task, turns: turn, done };
  }

  /** The tools of an episode. @throws ExportError `not_found` */
  tools(id: unknown): readonly EnvironmentTool[] {
    return [...this.#toolsOf(this.#session(id)), SUBMIT];
  }

  #session(id: unknown): Session {
    const session = this.#sessions.get(String(id));
    if (session === undefined) {
      throw new ExportError(
        "not_found",
        `There is no episode ${JSON.stringify(id)}.`,
        "Begin one with reset; one that nobody asks is forgotten.",
      );
    }
    session.touched = this.#options.now();
    return session;
  }

  #pick(id: unknown, split: unknown, index: unknown): { side: "train" | "test"; at: number; task: Task } {
    for (const side of ["train", "test"] as const) {
      const at = this.#sides[side].findIndex((task) => task.example_id === id);
      if (at >= 0) return { side, at, task: this.#sides[side][at]! };
    }
    const side = split === "test" || split === "holdout" ? "test" : "train";
    const of = this.#sides[side];
    const at = typeof index === "number" ? index : this.#cursor[side]++ % Math.max(1, of.length);
    const task = of[at];
    if (id === undefined && task !== undefined) return { side, at, task };
    const asked = id === undefined ? `${side} task ${String(index ?? at)}` : `task ${JSON.stringify(id)}`;
    throw new ExportError(
      "not_found",
      `There is no ${asked}.`,
      `There are ${this.#sides.train.length} training tasks and ${this.#sides.test.length} held out.`,
    );
  }

  #forget(): void {
    const { now, ttlMs = TTL_MS } = this.#options;
    const oldest = now() - ttlMs;
    for (const [id, { touched }] of this.#sessions) if (touched < oldest) this.#sessions.delete(id);
  }
}

/** A task's own world: an object, the JSON text of one, or any other text under its name. */
function worldOf(state: unknown): Record<string, unknown> {
  if (isObject(state)) return state;
  if (typeof state !== "string" || state === "") return {};
  try {
    const parsed: unknown = JSON.parse(state);
    if (isObject(parsed)) return parsed;
  } catch {
    // Prose: a grader may still read it.
  }
  return { world_state: state };
}

function resultText(result: unknown): string {
  return typeof result === "string" ? result : JSON.stringify(result ?? null);
}

import { isObject, type Json, type Step, textOf } from "@while/schema";
import { SimulateError } from "../simulate-error.ts";
import { MockWorld, type MockWorldOptions, type WorldEffect } from "./mock-world.ts";
import { FaultSchedule, type ScheduleOptions } from "./schedule-faults.ts";
import type { RolloutPlace, SimTool } from "./tool-schemas.ts";

type Given = Readonly<Record<string, unknown>>;

/** Answers the calls of tools that do not answer themselves. */
export type Execute = (tool: string, given: Given, about: { taskId: string; prompt: string } & RolloutPlace) => unknown;

/** Answers a call of a tool whose other end is a person. */
export type AskPerson = (question: string, steps: readonly Step[]) => Promise<string>;

export interface RolloutWorldOptions extends MockWorldOptions, ScheduleOptions {
  tools: readonly SimTool[];
  execute?: Execute;
  askPerson?: AskPerson;
  signal?: AbortSignal;
}

/**
 * The world of one rollout: scheduled faults first, then the tool itself, the caller's `execute`, or the mock world. It
 * keeps every call as a step.
 */
export class RolloutWorld {
  readonly steps: Step[] = [];
  private readonly options: RolloutWorldOptions;
  private readonly schedule: FaultSchedule;
  private readonly mock: MockWorld;
  private readonly place: RolloutPlace;
  private readonly endings: (() => void | Promise<void>)[] = [];

  constructor(options: RolloutWorldOptions) {
    this.options = options;
    this.schedule = new FaultSchedule(options);
    this.mock = new MockWorld(options.tools, options);
    const { signal } = options;
    this.place = { ...(signal === undefined ? {} : { signal }), onEnd: (end) => this.endings.push(end) };
  }

  /** Ends what tools have opened for this rollout. */
  async end(): Promise<void> {
    // A tool that cannot let go of something says nothing of a rollout that is over.
    await Promise.allSettled(this.endings.splice(0).map(async (end) => end()));
  }

  /**
   * What a call answers. A tool that throws has answered with its error; only a `SimulateError` passes through, by which
   * a world says that it broke (`task_failed`) and that the rollout says nothing about the agent.
   */
  async call(name: string, given: Given): Promise<Json> {
    // A copy: what the agent does to its arguments afterwards is no part of the call.
    const own = structuredClone(given) as Record<string, Json>;
    const result = await this.answer(name, own);
    this.steps.push({ tool: name, arguments: own, result: structuredClone(result) });
    return result;
  }

  effects(): readonly WorldEffect[] {
    return this.mock.effects();
  }

  private async answer(name: string, given: Record<string, Json>): Promise<Json> {
    const { tools, execute, taskId, prompt } = this.options;
    const tool = tools.find((one) => one.function.name === name);
    if (tool?.kind === "human") return { answer: await this.askPerson(given) };
    const fault = this.schedule.next(name, () => this.mock.peek(name, given));
    if (fault !== null) return fault;
    const run = tool?.execute ?? (execute && ((own: Given) => execute(name, own, { taskId, prompt, ...this.place })));
    if (run === undefined) return this.mock.call(name, given);
    try {
      const answer = (await run(given, this.place)) as Json | undefined;
      return isObject(answer) ? (answer as Json) : { status: "ok", result: answer ?? null };
    } catch (error) {
      if (error instanceof SimulateError) throw error;
      return { status: "error", reason: error instanceof Error ? error.message : String(error) };
    }
  }

  private async askPerson(given: Given): Promise<string> {
    const { askPerson } = this.options;
    const question = textOf(given.question) || textOf(given.summary);
    const answer = await askPerson?.(question, this.steps);
    // Silence is never an approval.
    return answer === undefined || answer.trim() === "" ? NO_REPLY : answer;
  }
}

const NO_REPLY = "(no reply yet)";

import { isObject, toWire } from "@while/schema";
import { SelectError } from "../select-error.ts";
import type { HackMonitor } from "./hack-monitor.ts";
import type { Completion, MonitorPrompt } from "./reward-function.ts";

/**
 * A monitor behind HTTP, for a trainer in another process or another language. It takes a `Request` and gives a
 * `Response`, as Deno, Bun, Hono and edge workers serve them.
 *
 * - `GET /holdout` → `{ prompts, k }`: what to draw, and how many of each.
 * - `POST /record` `{ step, prompts, completions, rewards, kl? }` → `{ due, stop, alarms }`: the rollouts of one step.
 * - `POST /evaluate` `{ step, completions, rewards?, kl? }` → `{ stop, alarms }`: a list of k completions for each prompt
 *   of the holdout, and in `rewards` what the reward of training says of them, unless the monitor has a proxy itself.
 *
 * What is wrong with a request is answered with 400 and `{ error: { code, message } }`.
 */
export function monitorHandler(monitor: HackMonitor): (request: Request) => Promise<Response> {
  return async (request) => {
    const route = `${request.method} ${new URL(request.url).pathname.replace(/\/$/, "")}`;
    try {
      if (route === "GET /holdout") return Response.json(monitor.prompts());
      if (route === "POST /record") return Response.json(record(monitor, await bodyOf(request)));
      if (route === "POST /evaluate") return Response.json(await evaluate(monitor, await bodyOf(request)));
    } catch (error) {
      if (!(error instanceof SelectError)) throw error;
      return Response.json({ error: { code: error.code, message: error.message } }, { status: 400 });
    }
    const message = `There is no ${route}: GET /holdout, POST /record, POST /evaluate.`;
    return Response.json({ error: { code: "not_found", message } }, { status: 404 });
  };
}

type Body = Readonly<Record<string, unknown>>;

function record(monitor: HackMonitor, body: Body): object {
  const step = stepOf(body);
  monitor.onLog(body);
  monitor.record(
    listOf(body, "prompts") as MonitorPrompt[],
    listOf(body, "completions") as Completion[],
    listOf(body, "rewards") as (number | null)[],
    { step },
  );
  return { due: monitor.isDue(step), stop: monitor.stoppedAt !== null, alarms: [] };
}

async function evaluate(monitor: HackMonitor, body: Body): Promise<object> {
  const step = stepOf(body);
  monitor.onLog(body);
  const completions = listsOf(body, "completions") as Completion[][];
  const rewards = body.rewards === undefined ? null : (listsOf(body, "rewards").flat() as (number | null)[]);
  const { alarms } = await monitor.evaluate(
    step,
    (prompts, { from }) => completions.slice(from, from + prompts.length),
    rewards === null ? {} : { proxy: () => rewards },
  );
  return { stop: monitor.stoppedAt !== null, alarms: toWire(alarms) };
}

async function bodyOf(request: Request): Promise<Body> {
  const body: unknown = await request.json().catch(() => null);
  if (isObject(body)) return body;
  throw new SelectError("bad_sample", "The body is no JSON object.", "Send one, as application/json.");
}

function stepOf({ step }: Body): number {
  if (Number.isSafeInteger(step) && (step as number) >= 0) return step as number;
  throw new SelectError("bad_sample", `step is ${String(step)}.`, "Send the number of the training step.");
}

function listOf(body: Body, name: string): unknown[] {
  const list = body[name];
  if (Array.isArray(list)) return list;
  throw new SelectError("bad_sample", `${name} is ${String(list)}.`, "Send a list, one entry for each rollout.");
}

function listsOf(body: Body, name: string): unknown[][] {
  const lists = listOf(body, name);
  const at = lists.findIndex((list) => !Array.isArray(list));
  if (at < 0) return lists as unknown[][];
  throw new SelectError("bad_sample", `${name}[${at}] is no list.`, "Send a list for each prompt of GET /holdout.");
}

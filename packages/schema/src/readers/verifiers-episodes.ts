import { shortHash } from "../identity/derived-ids.ts";
import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row, Sampling } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { textOf } from "../text/text-of.ts";
import { chatRow, isMessages, lineageOf } from "./chat-row.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { labelOf } from "./load-traces.ts";
import { namedMetric, numbersOf } from "./metrics.ts";
import { present } from "./present.ts";
import { outOfRangeWarning, scored } from "./scored.ts";
import { TrialTally } from "./trial-tally.ts";
import { schemas } from "./verifiers.ts";

/**
 * Episodes of verifiers from 0.4 on: `traces.jsonl` of a run, a line an episode with the trace of every agent in it. A
 * trace is a row; where an episode has several agents, each has tasks of its own, `<env>/<task>/<agent>`. Messages are a
 * graph, and the conversation is its last branch.
 *
 * The reward is the weighted sum of the named rewards and need not lie between 0 and 1; `rewardKey` takes one of them,
 * or one of the metrics, instead. All of them are markers. What a task holds besides its prompt goes under `privileged`.
 * Traces that failed are ungraded.
 */
export const verifiersEpisodes: Format = {
  name: "verifiers-episodes",
  title: "episodes of verifiers",
  asksAlike: true,
  tolerateTail: true,
  detect: ({ traces, env, task }) => Array.isArray(traces) && isObject(env) && isObject(task) && isObject(task.data),
  open: (context) => new EpisodesReader(context),
};

/** Limits that cut what the agent says or does. */
const LENGTH_STOPS: ReadonlySet<unknown> = new Set([
  ...["max_turns", "max_input_tokens", "max_output_tokens", "max_total_tokens", "compaction_failed"],
]);

class EpisodesReader implements FormatReader {
  readonly #context: ReaderContext;
  readonly #tally = new TrialTally();

  constructor(context: ReaderContext) {
    this.#context = context;
  }

  read(record: SourceObject): readonly Row[] {
    const { traces, task, ...episode } = record;
    const { env } = episode;
    if (!Array.isArray(traces) || !traces.every(isObject)) {
      throw new SchemaError("bad_value", "traces is no list of objects.", "Give traces.jsonl of a run of verifiers.");
    }
    const name = (isObject(env) ? textOf(env.id) : "") || (this.#context.options.env ?? "verifiers");
    const agents = new Set(traces.map(agentOf));
    // An episode that came to no trace is still a rollout of its task that was lost.
    const all = traces.length > 0 ? traces : [{ task, errors: episode.errors, ok: false }];
    return all.flatMap((trace) => {
      const agent = agents.size > 1 ? `/${agentOf(trace)}` : "";
      return this.#rows(
        { ...trace, task: trace.task ?? task },
        episode,
        `${name}/${taskOf(trace.task ?? task)}${agent}`,
      );
    });
  }

  end(): void {
    this.#tally.say(this.#context, { ended: "an error", tool: "verifiers", counts: null });
  }

  #rows(trace: SourceObject, episode: SourceObject, scenario: string): Row[] {
    const { id, task, nodes, calls, rewards, metrics, errors, info, tools: seen, ...rest } = trace;
    const { data: about, ...identity } = isObject(task) ? task : {};
    const data = isObject(about) ? about : {};
    const { messages, tools, branches, path } = lastBranch(nodes);
    if (branches > 1) {
      this.#context.warn(
        "branches",
        "A trace has several branches, of a history that was rewritten or of agents inside; the last is its conversation.",
      );
    }
    const index = this.#context.nextIndex(scenario);
    const given = isObject(rewards) ? rewards : {};
    const markers = { ...numbersOf(isObject(metrics) ? metrics : {}), ...scoresOf(given) };
    const row: Row = {
      scenario_id: scenario,
      rollout_id: textOf(id) || shortHash("verifiers", textOf(episode.id), scenario, index),
      rollout_index: index,
      ...chatRow(messages.length > 0 ? messages : askedOf(data), "verifiers", this.#context),
      lineage: lineageOf("verifiers-episodes", this.#context, "eval"),
      ...conditions(trace),
    };
    const known = tools.length > 0 || !Array.isArray(seen) ? tools : seen;
    if (known.length > 0) row.tools = schemas(known);
    if (trace.ok === false) {
      if (!this.#tally.lose(this.#context, null)) return [];
      Object.assign(row, failure(errors));
    } else {
      Object.assign(row, this.#verdict(given, markers));
    }
    if (Object.keys(markers).length > 0) row.markers = markers;
    const privileged = secretsOf(data, info);
    if (Object.keys(privileged).length > 0) row.privileged = privileged;
    row.verifiers = { ...rest, calls, task: identity, episode, nodes: besidesConversation(nodes, path) };
    return [row];
  }

  #verdict(rewards: SourceObject, markers: Record<string, number>): Partial<Row> {
    const { options } = this.#context;
    const metric = options.rewardKey === undefined ? null : namedMetric(markers, options);
    const score = options.rewardKey === undefined ? weighted(rewards) : metric === null ? null : markers[metric]!;
    const judge = { judge_name: metric ?? "verifiers" };
    const kept = Object.keys(rewards).length > 0 ? { rewards } : {};
    if (score === null) {
      this.#tally.add(null);
      return { reward: null, ...judge, judge_meta: kept };
    }
    const verdict = scored(score, options);
    if (verdict.judge_status !== undefined) this.#context.warn("reward_out_of_range", outOfRangeWarning(score));
    this.#tally.add(verdict.reward);
    return { ...verdict, ...judge, judge_meta: { ...kept, ...verdict.judge_meta } };
  }
}

/** The id of the source, else the place in the set, else what the content is known by. */
function taskOf(task: unknown): string {
  const { data, key, hash } = isObject(task) ? task : {};
  const { id, idx } = isObject(data) ? data : {};
  return textOf(id) || textOf(idx) || textOf(key) || textOf(hash) || shortHash(JSON.stringify(data ?? null));
}

function agentOf({ agent }: SourceObject): string {
  return (isObject(agent) ? textOf(agent.name) : "") || "agent";
}

interface Branch {
  messages: readonly Message[];
  /** The root's. */
  tools: readonly unknown[];
  /** Leaves of the whole graph. */
  branches: number;
  path: readonly SourceObject[];
}

/** The messages from a root to the last leaf. */
function lastBranch(nodes: unknown): Branch {
  const list = Array.isArray(nodes) ? nodes : [];
  if (!list.every(isObject)) throw badNodes("a node is no object");
  const parents = new Set(list.map(({ parent }) => parent));
  const leaves = list.flatMap((_, index) => (parents.has(index) ? [] : [index]));
  const path: SourceObject[] = [];
  for (let at: unknown = leaves.at(-1); at !== undefined && at !== null; ) {
    const node: SourceObject | undefined = typeof at === "number" ? list[at] : undefined;
    if (node === undefined || path.length > list.length) throw badNodes("a parent is none of the nodes");
    path.push(node);
    at = node.parent;
  }
  path.reverse();
  const messages = path.map(({ message }) => message);
  if (path.length > 0 && !isMessages(messages)) throw badNodes("a message has no role");
  const tools = path[0]?.tools;
  return { messages: messages as Message[], tools: Array.isArray(tools) ? tools : [], branches: leaves.length, path };
}

function badNodes(what: string): SchemaError {
  return new SchemaError("bad_value", `nodes is no graph of messages: ${what}.`, "Fetch traces.jsonl again.");
}

/** What a trace without messages was to be asked. */
function askedOf({ prompt, system_prompt: rules }: SourceObject): readonly Message[] {
  const head: Message[] = typeof rules === "string" && rules !== "" ? [{ role: "system", content: rules }] : [];
  if (isMessages(prompt)) return [...head, ...prompt];
  return typeof prompt === "string" && prompt !== "" ? [...head, { role: "user", content: prompt }] : head;
}

/** The scores of the named rewards; null, where scoring did not run, is none. */
function scoresOf(rewards: SourceObject): Record<string, number> {
  return numbersOf(Object.fromEntries(Object.entries(rewards).map(([k, one]) => [k, isObject(one) ? one.score : one])));
}

/** The sum by weight; null where nothing was scored. */
function weighted(rewards: SourceObject): number | null {
  let sum: number | null = null;
  for (const reward of Object.values(rewards)) {
    const score = isObject(reward) ? labelOf(reward.score) : null;
    if (score === null || !isObject(reward)) continue;
    sum = (sum ?? 0) + score * (labelOf(reward.weight) ?? 1);
  }
  return sum;
}

function failure(errors: unknown): Partial<Row> {
  const list = Array.isArray(errors) ? errors : [];
  const last: unknown = list.at(-1);
  const { message, ...more } = isObject(last) ? last : { message: last };
  const meta = present({ error: message, ...more, errors: list.length > 1 ? list : undefined });
  return { reward: null, judge_status: "error", judge_name: "verifiers", judge_meta: meta };
}

/** The model, the sampling, what it cost and how it ended. */
function conditions({ calls, agent, stop_condition: stop, ...trace }: SourceObject): Partial<Row> {
  const made = Array.isArray(calls) ? calls.filter(isObject) : [];
  const last = made.findLast(({ error }) => error === undefined || error === null);
  const { model: configured } = isObject(agent) && isObject(agent.config) ? agent.config : {};
  const model = textOf(last?.model) || textOf(configured);
  const sampling = made.find(({ sampling: one }) => isObject(one))?.sampling;
  const usage = numbersOf({
    ...{ input_tokens: trace.num_input_tokens, output_tokens: trace.num_output_tokens },
    total_tokens: trace.num_total_tokens,
  });
  const reason = last?.finish_reason === "tool_calls" ? "tool" : textOf(last?.finish_reason);
  const isCut = LENGTH_STOPS.has(stop) || reason === "length";
  return {
    ...(model === "" ? {} : { model_version: model }),
    ...(isObject(sampling) ? { sampling: sampling as Sampling } : {}),
    ...(Object.keys(usage).length > 0 ? { usage } : {}),
    ...(isCut ? { truncated: true, finish_reason: "length" } : reason === "" ? {} : { finish_reason: reason }),
  };
}

/** What the task knows besides its prompt, and what judges were asked and said. */
function secretsOf(data: SourceObject, info: unknown): Record<string, unknown> {
  const { prompt: _, system_prompt: __, answer, ...hidden } = data;
  return present({
    reference: answer === undefined ? undefined : textOf(answer),
    hidden_state: Object.keys(hidden).length > 0 ? hidden : undefined,
    info: isObject(info) && Object.keys(info).length > 0 ? info : undefined,
  });
}

/** The graph: what nodes of the conversation hold besides their messages, and the other branches whole. */
function besidesConversation(nodes: unknown, path: readonly SourceObject[]): SourceObject[] {
  const told = new Set(path);
  return (Array.isArray(nodes) ? nodes : []).filter(isObject).map((node) => {
    if (!told.has(node)) return node;
    const { message: _, ...more } = node;
    if (node === path[0]) delete more.tools;
    return more;
  });
}

import { checkOptions, isObject, type Json, normText, pyJson, type Step, splitWords } from "@while/schema";
import type { Agent, AgentReply, RolloutContext } from "../agent/agent.ts";
import {
  type Model,
  type ModelAnswer,
  type ModelRequest,
  type ModelToolCall,
  type ModelTurn,
  useOf,
} from "../agent/model.ts";
import { splitUserTurns } from "../agent/user-turns.ts";
import { SimulateError } from "../simulate-error.ts";
import { tracedChat } from "../tracing/traced-chat.ts";
import { type Patience, patienceOf, walksAway, wantsFollowUp } from "../user/follow-up.ts";
import { defaultMaxTurns, turnBudget } from "../user/turn-budget.ts";

export interface ConversationOptions {
  temperature?: number;
  maxTokens?: number;
  /** Most turns of the agent; by the context window and the tools when left out. */
  maxTurns?: number;
  contextTokens?: number;
  /** Turns a conversation has on average, where a person answers. */
  avgTurns?: number;
  /** The person says at least so much. */
  minUserTurns?: number;
  patience?: string | Patience;
}

const OPTIONS = ["temperature", "maxTokens", "maxTurns", "contextTokens", "avgTurns", "minUserTurns", "patience"];
/** The agent says what it is about to do, and has not done it. */
const PREAMBLE = /^(?:let me|one moment|just a moment|i(?:'|’)?ll (?:check|look)|give me a (?:second|moment))\b/i;
const PREAMBLE_WORDS = 24;
/** Empty answers of one conversation; then it is one without an answer. */
const MOST_EMPTY = 3;
const ENDS: ReadonlySet<string> = new Set(["content_filter", "refusal"]);

/**
 * A model as an agent: the tool loop, and the conversation with the person where the run has one (`userModel`). Each
 * rollout is a new conversation in a new world. Messages are never cut or edited; arguments that are no JSON are not run.
 *
 * @throws SimulateError `bad_option`
 */
export function conversationAgent(model: Model, options: ConversationOptions = {}): Agent {
  checkOptions(options, OPTIONS, (what, fix) => new SimulateError("bad_option", what, fix));
  const { temperature = 0.8, maxTokens = 768, patience = "normal" } = options;
  const settings = { ...options, temperature, maxTokens, patience: patienceOf(patience) };
  const play: Agent = (message, context) => new Conversation(model, message, context, settings).play();
  const name = model.modelName || "model";
  const report = model.report === undefined ? {} : { endpointReport: model.report };
  return Object.assign(play, {
    modelVersion: name,
    sampling: { temperature, max_tokens: maxTokens, model: name },
    ...report,
  });
}

type Settings = ConversationOptions & { temperature: number; maxTokens: number; patience: Patience };

/** One conversation, from the first message to the last word. */
class Conversation {
  private readonly messages: ModelTurn[] = [];
  private readonly steps: Step[] = [];
  private readonly pending: string[];
  private readonly ask: string;
  private readonly model: Model;
  private readonly context: RolloutContext;
  private readonly settings: Settings;
  private budget: number;
  private calls = 0;
  private nEmpty = 0;
  private userTurns = 1;
  private questions = 0;
  private endedBy: string | null = null;
  private finishReason: string | null = null;

  constructor(model: Model, message: string, context: RolloutContext, settings: Settings) {
    const [ask = message, ...pending] = splitUserTurns(message);
    this.ask = ask;
    this.pending = pending;
    this.model = model;
    this.context = context;
    this.settings = settings;
    if (context.systemPrompt !== "") this.messages.push({ role: "system", content: context.systemPrompt });
    this.messages.push({ role: "user", content: ask });
    const { maxTurns, contextTokens, avgTurns = 12, minUserTurns = 1 } = settings;
    const cap = maxTurns ?? defaultMaxTurns(contextTokens, context.tools.length);
    const isTalk = context.person !== null || pending.length > 0;
    this.budget = isTalk ? Math.min(cap, turnBudget({ key: message, cap, avgTurns, minUserTurns })) : cap;
  }

  async play(): Promise<AgentReply> {
    let hadBonus = false;
    let hadPreamble = false;
    for (let turn = 1; turn <= this.budget; turn++) {
      const answer = await this.callModel(turn);
      if (answer === null) break;
      const calls = answer.toolCalls ?? [];
      const text = answer.text.trim();
      const { finishReason = "" } = answer;
      // A provider that does not let an answer through, or a model that declines, has had its last word.
      if (calls.length === 0 && ENDS.has(finishReason)) {
        if (text !== "") this.steps.push({ text, ...this.factsOf(answer) });
        this.finishReason = finishReason;
        break;
      }
      if (calls.length > 0) {
        await this.runCalls(answer, calls);
        // A conversation does not end on a call whose answer nobody has read.
        if (turn === this.budget && !hadBonus) {
          hadBonus = true;
          this.budget++;
        }
        continue;
      }
      if (text === "") {
        if (++this.nEmpty >= MOST_EMPTY) break;
        continue;
      }
      if (this.userTurns >= 2 && normText(text) === normText(this.lastWords())) break;
      this.messages.push({ role: "assistant", content: text });
      this.steps.push({ text, ...this.factsOf(answer) });
      const isPreamble = !hadPreamble && PREAMBLE.test(text) && splitWords(text).length <= PREAMBLE_WORDS;
      if (isPreamble && !this.steps.some(({ tool }) => tool !== undefined)) {
        hadPreamble = true;
        continue;
      }
      if (!(await this.personSpeaks(text, turn))) break;
    }
    return this.reply();
  }

  private async callModel(turn: number): Promise<ModelAnswer | null> {
    const { tools, rolloutSeed, sample, signal, meter, spend, waiting, tracing } = this.context;
    const { temperature, maxTokens } = this.settings;
    const request: ModelRequest = {
      messages: this.messages,
      ...(tools.length > 0 ? { tools } : {}),
      // The same words with the same seed have the same answer: one that was empty is asked for with another.
      ...{ temperature, maxTokens, seed: (rolloutSeed + this.nEmpty) % 2 ** 32 },
      ...{ sample: `${sample}:${this.calls++}`, signal, waiting },
    };
    const settle = await spend(this.model.mostUsd?.(request) ?? null);
    try {
      const answer = await tracedChat(tracing, this.model, request);
      meter(useOf(answer, "agent", this.model));
      return answer;
    } catch (error) {
      // The conversation outgrew the window: what there is, is a reply that was cut.
      if (turn === 1 || !(error instanceof SimulateError) || error.code !== "context_overflow") throw error;
      this.finishReason = "length";
      return null;
    } finally {
      settle();
    }
  }

  private async runCalls(answer: ModelAnswer, calls: readonly ModelToolCall[]): Promise<void> {
    this.messages.push({ role: "assistant", content: answer.text, tool_calls: calls });
    for (const [at, { id, name, arguments: raw }] of calls.entries()) {
      const given = parsedArguments(raw);
      const result: Json =
        given === null
          ? { status: "invalid", error: "the arguments are no JSON object" }
          : await this.context.call(name, given, { id });
      const first =
        at === 0 ? { ...(answer.text.trim() === "" ? {} : { text: answer.text.trim() }), ...this.factsOf(answer) } : {};
      const raws = given === null ? { arguments: {}, arguments_raw: raw } : { arguments: given };
      this.steps.push({ tool: name, ...raws, result, id, ...first });
      this.messages.push({ role: "tool", tool_call_id: id, content: pyJson(result, { ascii: false }) });
    }
  }

  /** The person's next line, if there is one; false ends the conversation. */
  private async personSpeaks(agentText: string, turn: number): Promise<boolean> {
    const written = this.pending.shift();
    if (written !== undefined) return this.said(written);
    const { person, tags, signal, meter } = this.context;
    const sample = `${this.context.sample}:user:${this.userTurns}`;
    if (person === null) return false;
    const { minUserTurns = 1, patience } = this.settings;
    const message = this.ask;
    const input = {
      message,
      turn,
      userTurns: this.userTurns,
      budget: this.budget,
      agentText,
      questions: this.questions,
      patience,
    };
    const isAsked = agentText.includes("?");
    if (isAsked) this.questions++;
    if (this.userTurns >= minUserTurns && !wantsFollowUp(input)) {
      if (isAsked && walksAway(input)) this.endedBy = "user_left";
      return false;
    }
    const next = await person.next({
      ...{ ask: message, steps: this.steps, agentText, tags, isAsked, sample, signal, meter },
    });
    if ("line" in next) return this.said(next.line);
    this.endedBy = next.ended === "left" ? "user_left" : "no_follow_up";
    return false;
  }

  private said(line: string): true {
    this.userTurns++;
    this.messages.push({ role: "user", content: line });
    this.steps.push({ user: line });
    return true;
  }

  private reply(): AgentReply {
    const steps = [...this.steps];
    // A thread never ends on a line that nobody answers.
    while (steps.at(-1)?.user !== undefined) steps.pop();
    const lastCall = steps.findLastIndex(({ tool }) => tool !== undefined);
    const words = steps.slice(lastCall + 1).findLast(({ text }) => text !== undefined)?.text ?? "";
    return {
      steps,
      final_text: words ?? "",
      ...(this.endedBy === null ? {} : { ended_by: this.endedBy }),
      ...(this.finishReason === null ? {} : { finish_reason: this.finishReason }),
    };
  }

  private lastWords(): string {
    return this.steps.findLast(({ text, tool }) => tool === undefined && text !== undefined)?.text ?? "";
  }

  /** What is known of one call of the model goes on the first step that it made. */
  private factsOf({
    finishReason,
    rawText,
    reasoning,
    inputTokens,
    outputTokens,
    logprob,
    tokenLogprobs,
  }: ModelAnswer): Partial<Step> {
    return {
      ...(finishReason === "length" ? { truncated: true } : {}),
      ...(rawText === undefined ? {} : { raw_text: rawText }),
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(inputTokens === undefined ? {} : { input_tokens: inputTokens }),
      ...(outputTokens === undefined ? {} : { output_tokens: outputTokens }),
      ...(logprob === undefined ? {} : { logprob }),
      ...(tokenLogprobs === undefined ? {} : { token_logprobs: [...tokenLogprobs], n_tokens: tokenLogprobs.length }),
    };
  }
}

function parsedArguments(raw: string): Record<string, unknown> | null {
  if (raw.trim() === "") return {};
  try {
    const given: unknown = JSON.parse(raw);
    return isObject(given) ? given : null;
  } catch {
    return null; // Kept on the step as it was written.
  }
}

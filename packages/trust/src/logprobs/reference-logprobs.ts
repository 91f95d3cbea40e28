import { checkOptions, type Message, messagesOf, type Row, type RowSource, roundHalfEven, textOf } from "@while/schema";
import { type AskOptions, askWithin } from "../judge/ask-within.ts";
import { inParallel } from "../judge/in-parallel.ts";
import { checkRunOptions } from "../judge/run-judge.ts";
import { TrustError } from "../trust-error.ts";

/** One token of a prompt as a server read it. */
export interface PromptToken {
  text: string;
  /** Null for the first token, of which nothing is known. */
  logprob: number | null;
}

export interface PromptTokensOptions {
  /** End the prompt where the assistant's turn begins. */
  addGenerationPrompt: boolean;
  tools?: readonly unknown[];
  signal?: AbortSignal;
}

/**
 * The tokens of a conversation under the reference model, with their log-probabilities: what a server gives for
 * `prompt_logprobs: 1`. This package opens no connection.
 */
export type PromptTokens = ((
  messages: readonly Message[],
  options: PromptTokensOptions,
) => Promise<readonly PromptToken[]>) & { modelName?: string };

export interface ReferenceLogprobsOptions {
  modelName?: string;
  /** Put in front of every conversation that has none; without it the run's. */
  systemPrompt?: string;
  tools?: readonly unknown[];
  concurrency?: number;
  timeoutMs?: number;
  retries?: number;
  signal?: AbortSignal;
}

export interface ReferenceLogprobsReport {
  nRows: number;
  /** Rows without an assistant turn, or whose request failed. */
  nSkipped: number;
  nTokens: number;
  model: string | null;
  /** Mean absolute difference to the rows' own `n_tokens`; null where no row has both. Far from 0, the two tokenizers differ. */
  tokenCountGap: number | null;
  nErrors: number;
  /** The first five. */
  errors: string[];
}

const NAMES = ["modelName", "systemPrompt", "tools", "concurrency", "timeoutMs", "retries", "signal"];
const SHOWN_ERRORS = 5;

/**
 * What a reference model thinks of the replies: `ref_logprob` (the sum over the tokens of all assistant turns), `ref_n_tokens`
 * and `ref_model` on new rows, the second side of a mean KL. Two requests a turn: where the prompt ends, and the whole. Blank
 * tokens at the end of a turn are the template's and do not count. Lambert 2025; Noukhovitch et al. 2024,
 * arXiv:2410.18252.
 *
 * @throws TrustError `bad_option`, `no_judge`; `no_logprobs` where a server answers without any
 */
export async function referenceLogprobs(
  source: readonly Row[] | RowSource,
  tokensOf: PromptTokens,
  options: ReferenceLogprobsOptions = {},
): Promise<{ rows: Row[]; report: ReferenceLogprobsReport }> {
  checkOptions(options, NAMES, (what, fix) => new TrustError("bad_option", what, fix));
  const { rows, ...run }: RowSource = Array.isArray(source) ? { rows: source } : (source as RowSource);
  const {
    concurrency = 8,
    timeoutMs,
    retries = 3,
    signal,
    systemPrompt = run.systemPrompt,
    tools = run.tools,
  } = options;
  checkRunOptions(tokensOf as never, { concurrency, retries, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const model = options.modelName ?? tokensOf.modelName ?? null;
  const call: AskOptions = { timeoutMs, retries, backoffMs: 400, random: () => 0.5, signal };

  const ask = async (messages: readonly Message[], addGenerationPrompt: boolean): Promise<readonly PromptToken[]> => {
    const shown = tools === undefined ? {} : { tools };
    const end = await askWithin(
      (aborted) => tokensOf(messages, { addGenerationPrompt, signal: aborted, ...shown }),
      call,
    );
    if ("failure" in end) throw new RequestError(end.error);
    return end.answer as readonly PromptToken[];
  };
  const measured = await inParallel(rows, concurrency, async (row): Promise<Measured> => {
    try {
      return await measure(withSystem(row, systemPrompt), ask);
    } catch (error) {
      if (error instanceof RequestError) return { error: error.message };
      throw error;
    }
  });

  let nTokens = 0;
  const gaps: number[] = [];
  const out = rows.map((row, i): Row => {
    const one = measured[i]!;
    if (one === null || "error" in one) return row;
    nTokens += one.n;
    if (typeof row.n_tokens === "number") gaps.push(Math.abs(one.n - row.n_tokens));
    return {
      ...row,
      ...{ ref_logprob: roundHalfEven(one.sum, 6), ref_n_tokens: one.n },
      ...(model === null ? {} : { ref_model: model }),
    };
  });
  const errors = measured.flatMap((one) => (one !== null && "error" in one ? [one.error] : []));
  return {
    rows: out,
    report: {
      nRows: rows.length,
      nSkipped: measured.filter((one) => one === null || "error" in one).length,
      ...{ nTokens, model },
      tokenCountGap: gaps.length === 0 ? null : gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length,
      ...{ nErrors: errors.length, errors: errors.slice(0, SHOWN_ERRORS) },
    },
  };
}

/** Null where nothing was said. */
type Measured = { sum: number; n: number } | { error: string } | null;

/** One row's request failed; the others go on. */
class RequestError extends Error {}

async function measure(
  messages: readonly Message[],
  ask: (messages: readonly Message[], addGenerationPrompt: boolean) => Promise<readonly PromptToken[]>,
): Promise<Measured> {
  let sum = 0;
  let n = 0;
  let turns = 0;
  for (const [i, { role }] of messages.entries()) {
    if (role !== "assistant") continue;
    turns++;
    const prefix = await ask(messages.slice(0, i), true);
    const whole = await ask(messages.slice(0, i + 1), false);
    const said = withoutBlankEnd(whole.slice(prefix.length));
    for (const { logprob } of said) {
      if (typeof logprob !== "number" || !Number.isFinite(logprob)) {
        throw new TrustError(
          "no_logprobs",
          `The reference model gave a token the log-probability ${logprob}.`,
          "Ask a server that returns those of the prompt, such as vLLM with prompt_logprobs: 1.",
        );
      }
      sum += logprob;
      n++;
    }
  }
  return turns === 0 ? null : { sum, n };
}

function withoutBlankEnd(tokens: readonly PromptToken[]): readonly PromptToken[] {
  let end = tokens.length;
  while (end > 0 && tokens[end - 1]!.text.trim() === "") end--;
  return tokens.slice(0, end);
}

function withSystem(row: Row, systemPrompt: string | undefined): readonly Message[] {
  const messages = messagesOf(row);
  const system = textOf(row.system_prompt) || (systemPrompt ?? "");
  return system === "" || messages[0]?.role === "system"
    ? messages
    : [{ role: "system", content: system }, ...messages];
}

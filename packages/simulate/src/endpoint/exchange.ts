import { isObject } from "@while/schema";
import type { ModelAnswer } from "../agent/model.ts";
import { CallFailure, failureInStream, failureOf, failureOfNetwork } from "./call-failure.ts";
import type { Dialect, DialectSettings } from "./dialect.ts";
import { EventStreamReader } from "./event-stream.ts";
import { retryAfterMs, spentLimitMs } from "./retry-after.ts";

/** How long a call may take, in milliseconds. */
export interface CallTimeouts {
  /** Until the first piece of the answer; for an answer that comes whole, until all of it. */
  firstTokenMs: number;
  /** Between two pieces. */
  idleMs: number;
  /** Until all of it. */
  wholeMs: number;
}

interface ExchangeInput {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  dialect: Dialect;
  settings: DialectSettings;
  timeouts: CallTimeouts;
  fetch: typeof fetch;
  signal: AbortSignal | undefined;
  /** Milliseconds since 1970, which dates of servers are held against. */
  date: () => number;
}

interface Exchanged {
  answer: ModelAnswer;
  /** The server says that it takes no more for so long. */
  spentForMs: number | null;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 8;
const DRAIN_MS = 1000;

/**
 * One call over HTTP: sent once, and its answer read as it comes. The key goes to the address that it is for and to no
 * other: redirects within the server are followed, with GET, as servers send on to the result of a long call.
 *
 * @throws CallFailure; the reason of the signal
 */
export async function exchange(input: ExchangeInput): Promise<Exchanged> {
  const { timeouts, signal } = input;
  const watch = new Watch(timeouts, signal);
  try {
    return await exchanged(input, watch);
  } catch (error) {
    if (error instanceof CallFailure) throw error;
    if (signal?.aborted) throw signal.reason;
    throw watch.ranOut ?? failureOfNetwork(error);
  } finally {
    watch.end();
  }
}

async function exchanged(
  { url, headers, body, dialect, settings, ...input }: ExchangeInput,
  watch: Watch,
): Promise<Exchanged> {
  let response = await input.fetch(url, {
    ...{ method: "POST", headers: { "content-type": "application/json", ...headers }, body },
    ...{ redirect: "manual", signal: watch.signal },
  });
  let at = url;
  for (let hops = 0; REDIRECTS.has(response.status); hops++) {
    const next = new URL(response.headers.get("location") ?? "", at);
    if (next.origin !== new URL(url).origin || hops >= MOST_REDIRECTS) {
      const why = hops >= MOST_REDIRECTS ? `after ${hops} others` : `to ${next.origin}, where the key does not belong`;
      throw new CallFailure("refused", `it redirects ${why}`, { status: response.status });
    }
    at = next.href;
    await response.body?.cancel();
    response = await input.fetch(at, { headers, redirect: "manual", signal: watch.signal });
  }
  const now = input.date();
  if (!response.ok) throw failureOf(response.status, await response.text(), retryAfterMs(response.headers, now));
  const spentForMs = spentLimitMs(response.headers, now);
  const isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
  if (isStream) return { answer: await streamed(response, dialect, settings, watch), spentForMs };
  // A server that does not stream answers whole, whatever it was asked; some send an error as an answer.
  const whole = await jsonOf(response);
  if (isObject(whole) && isObject(whole.error)) throw failureInStream(whole.error);
  return { answer: dialect.read(whole, settings), spentForMs };
}

async function streamed(
  response: Response,
  dialect: Dialect,
  settings: DialectSettings,
  watch: Watch,
): Promise<ModelAnswer> {
  const events = new EventStreamReader();
  const answer = dialect.open(settings);
  const reader = response.body!.getReader();
  try {
    while (!answer.isDone) {
      const { value, done } = await reader.read();
      for (const data of done ? events.end() : events.push(value)) {
        watch.cameOn();
        answer.push(data);
        if (answer.isDone) break;
      }
      if (done) break;
    }
  } catch (error) {
    reader.cancel().catch(() => {}); // Frees the connection; why it is given up is thrown.
    throw error;
  }
  // What is behind the last word, mostly nothing, is read away, so that the connection serves another call.
  void drain(reader);
  return answer.answer();
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => reader.cancel().catch(() => {}), DRAIN_MS); // A server that holds it open.
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is whole: what becomes of its connection is no matter.
  } finally {
    clearTimeout(timer);
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CallFailure("broken", `the server answered no JSON: ${JSON.stringify(text.slice(0, 80))}`, { cause });
  }
}

/** Ends a call whose time has run out, or whose rollout has ended. */
class Watch {
  private readonly controller = new AbortController();
  private readonly timeouts: CallTimeouts;
  private readonly outer: AbortSignal | undefined;
  private readonly whole: ReturnType<typeof setTimeout>;
  private piece: ReturnType<typeof setTimeout>;
  ranOut: CallFailure | null = null;

  constructor(timeouts: CallTimeouts, outer: AbortSignal | undefined) {
    this.timeouts = timeouts;
    this.outer = outer;
    outer?.addEventListener("abort", this.onOuter, { once: true });
    if (outer?.aborted) this.onOuter();
    this.whole = this.timer(timeouts.wholeMs, "no whole answer");
    this.piece = this.timer(timeouts.firstTokenMs, "no answer");
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** A piece of the answer has come. */
  cameOn(): void {
    clearTimeout(this.piece);
    this.piece = this.timer(this.timeouts.idleMs, "no further word");
  }

  end(): void {
    clearTimeout(this.whole);
    clearTimeout(this.piece);
    this.outer?.removeEventListener("abort", this.onOuter);
  }

  private readonly onOuter = (): void => this.controller.abort(this.outer?.reason);

  private timer(ms: number, what: string): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      this.ranOut ??= new CallFailure("broken", `${what} in ${ms / 1000} s`);
      this.controller.abort(this.ranOut);
    }, ms);
  }
}

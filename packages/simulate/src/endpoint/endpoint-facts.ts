import { isObject, textOf } from "@while/schema";
import { failureOf, failureOfNetwork } from "./call-failure.ts";

/** What a server says of itself and of one of its models; null where it does not say. */
export interface EndpointFacts {
  /** `vllm`, `ollama`, or whoever it names as the owner of the model. */
  server: string | null;
  /** Names of the models it has. */
  models: string[] | null;
  /** The window of the model. */
  contextTokens: number | null;
}

/** The window of a model, as vLLM and SGLang, OpenRouter and others, and llama.cpp call it. */
const WINDOWS = ["max_model_len", "context_length", "context_window", "max_context_length"];
const PATIENCE_MS = 15_000;

/**
 * The list of models that servers of either API have beside their calls.
 *
 * @throws CallFailure when nobody answers, or the key is refused; a server without such a list says nothing
 */
export async function endpointFacts({
  url,
  model,
  headers,
  fetch,
  signal,
}: {
  url: string;
  model: string;
  headers: Readonly<Record<string, string>>;
  fetch: typeof globalThis.fetch;
  signal: AbortSignal | undefined;
}): Promise<EndpointFacts> {
  const list = url.replace(/\/(?:chat\/completions|messages)(?=$|\?)/, "/models");
  const patience = AbortSignal.timeout(PATIENCE_MS);
  let response: Response;
  let text: string;
  try {
    const either = signal === undefined ? patience : AbortSignal.any([signal, patience]);
    response = await fetch(list, { headers, redirect: "manual", signal: either });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw failureOfNetwork(error);
  }
  if (response.status === 401 || response.status === 403) throw failureOf(response.status, text, null);
  const entries = response.ok ? entriesOf(text) : null;
  if (entries === null) return { server: null, models: null, contextTokens: null };
  const names = entries.map(({ id }) => textOf(id));
  // Ollama's names have a tag, which callers leave out.
  const own = entries.find(({ id }) => id === model || id === `${model}:latest`);
  const window = WINDOWS.map((name) => own?.[name]).find((value) => typeof value === "number" && value > 0);
  const owner = textOf((own ?? entries[0])?.owned_by);
  return {
    server: owner === "" ? null : owner === "library" ? "ollama" : owner,
    models: names,
    contextTokens: typeof window === "number" ? window : null,
  };
}

function entriesOf(text: string): Record<string, unknown>[] | null {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) && Array.isArray(body.data) ? body.data.filter(isObject) : null;
  } catch {
    return null; // A page: no list.
  }
}

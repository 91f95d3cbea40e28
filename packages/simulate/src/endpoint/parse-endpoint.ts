import { nearestName } from "@while/schema";
import { SimulateError } from "../simulate-error.ts";

/** Which API a server speaks: OpenAI's Chat Completions, which Ollama, vLLM and most others speak too, or Anthropic's Messages. */
export type EndpointApi = "openai" | "anthropic";

/** Where a model is, what it is called there, and under which names its key is kept. */
export interface EndpointAddress {
  /** `openai`, `anthropic`, `ollama`, `fireworks`, `vllm`, or the host for an address of one's own. */
  provider: string;
  api: EndpointApi;
  /** What calls are posted to. */
  url: string;
  model: string;
  /** Variables that may hold the key, the first that is set wins. */
  keyNames: readonly string[];
}

type Env = Readonly<Record<string, string | undefined>>;

const FORMS =
  "openai:NAME, anthropic:NAME, ollama:NAME, fireworks:NAME, vllm:NAME@URL, or an http(s) address and the model's name";
const KINDS = ["openai", "anthropic", "ollama", "fireworks", "vllm"] as const;
const DEFAULT_MODELS: Readonly<Record<string, string>> = {
  openai: "gpt-4o-mini",
  anthropic: "claude-haiku-4-5",
  ollama: "llama3.1:8b",
};
const OPENAI_URL = "https://api.openai.com/v1";
const ANTHROPIC_URL = "https://api.anthropic.com/v1";
const OLLAMA_URL = "http://localhost:11434/v1";
const FIREWORKS_URL = "https://api.fireworks.ai/inference/v1";
const OPENAI_KEYS = ["OPENAI_API_KEY"];
const ANTHROPIC_KEYS = ["WHILEAI_ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY"];

/**
 * The address that a text stands for: `openai:NAME`, `anthropic:NAME`, `ollama:NAME`, `fireworks:NAME`, `vllm:NAME@URL`,
 * or an address with the model's name beside it. A name may hold colons (`ollama:llama3.1:8b`). An address whose path ends in `/messages` is
 * read as one of Anthropic's API, every other one as one of OpenAI's.
 *
 * @param model Name of the model, where the text is an address
 * @throws SimulateError `bad_endpoint`
 */
export function parseEndpoint(spec: string, { model, env = {} }: { model?: string; env?: Env } = {}): EndpointAddress {
  const text = spec.trim();
  if (/^https?:\/\//i.test(text)) return ownAddress(text, model);
  const at = text.indexOf(":");
  const kind = at < 0 ? text : text.slice(0, at);
  const rest = at < 0 ? "" : text.slice(at + 1);
  if (!(KINDS as readonly string[]).includes(kind)) {
    const near = nearestName(kind, KINDS);
    const meant = near === null ? "" : `Did you mean ${near}? `;
    throw new SimulateError("bad_endpoint", `${JSON.stringify(spec)} is no endpoint.`, `${meant}Give ${FORMS}.`);
  }
  const name = kind === "vllm" ? rest.split("@", 1)[0]! : rest;
  if (model !== undefined && name !== "") {
    throw new SimulateError(
      "bad_endpoint",
      `The model is ${name} by ${JSON.stringify(spec)}, and ${model} beside it.`,
      "Give its name once.",
    );
  }
  const named = name || model || DEFAULT_MODELS[kind];
  if (kind === "vllm") {
    const url = rest.slice(name.length + 1);
    if (url === "" || named === undefined) {
      const what = `${JSON.stringify(spec)} names no ${url === "" ? "address" : "model"}.`;
      throw new SimulateError("bad_endpoint", what, "Give vllm:NAME@URL, as vllm:Qwen/Qwen3-8B@http://localhost:8000.");
    }
    return { provider: kind, api: "openai", url: chatUrl(url), model: named, keyNames: ["VLLM_API_KEY"] };
  }
  if (kind === "anthropic") {
    const url = messagesUrl(env.ANTHROPIC_BASE_URL || ANTHROPIC_URL);
    return { provider: kind, api: "anthropic", url, model: named!, keyNames: ANTHROPIC_KEYS };
  }
  if (kind === "fireworks") {
    if (named === undefined) {
      const fix = "Give fireworks:NAME, as fireworks:accounts/fireworks/models/qwen3-8b.";
      throw new SimulateError("bad_endpoint", `${JSON.stringify(spec)} names no model.`, fix);
    }
    return {
      ...{ provider: kind, api: "openai", url: chatUrl(FIREWORKS_URL), model: named },
      keyNames: ["FIREWORKS_API_KEY"],
    };
  }
  if (kind === "ollama")
    return { provider: kind, api: "openai", url: chatUrl(OLLAMA_URL), model: named!, keyNames: [] };
  const url = chatUrl(env.OPENAI_BASE_URL || OPENAI_URL);
  return { provider: kind, api: "openai", url, model: named!, keyNames: OPENAI_KEYS };
}

function ownAddress(text: string, model: string | undefined): EndpointAddress {
  if (model === undefined || model === "") {
    throw new SimulateError(
      "bad_endpoint",
      `${text} is an address without the name of a model.`,
      "Give model, its name there.",
    );
  }
  const { host, pathname } = parsedUrl(text);
  const isAnthropic = host === "api.anthropic.com" || /\/messages\/?$/.test(pathname);
  const url = isAnthropic ? messagesUrl(text) : chatUrl(text);
  // A key goes to the server that it was made for, and to no other one.
  if (host === "api.anthropic.com")
    return { provider: "anthropic", api: "anthropic", url, model, keyNames: ANTHROPIC_KEYS };
  if (host === "api.openai.com") return { provider: "openai", api: "openai", url, model, keyNames: OPENAI_KEYS };
  return { provider: host, api: isAnthropic ? "anthropic" : "openai", url, model, keyNames: [] };
}

/**
 * Where Chat Completions are posted to: the address itself when it ends so, else behind its `/v1`. An address without a
 * scheme is read as https.
 *
 * @throws SimulateError `bad_endpoint`
 */
export function chatUrl(address: string): string {
  return behindV1(address, "/chat/completions");
}

function messagesUrl(address: string): string {
  return behindV1(address, "/messages");
}

/** A query (`?api-version=…`) stays behind the path. */
function behindV1(address: string, door: string): string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`;
  const url = parsedUrl(text);
  const base = (url.origin + url.pathname).replace(/\/+$/, "");
  const path = base.endsWith(door) ? base : base.endsWith("/v1") ? base + door : `${base}/v1${door}`;
  return path + url.search;
}

function parsedUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:/i.test(text)) {
    throw new SimulateError(
      "bad_endpoint",
      `${JSON.stringify(text)} is no address.`,
      "Give one such as http://localhost:8000/v1.",
    );
  }
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    const fix = "Give it as apiKey or in a variable: an address is written down with every run.";
    throw new SimulateError("bad_endpoint", `The address of ${url.host} holds a name or a key.`, fix);
  }
  return url;
}

/** Whether calls may go there without a key: this machine, its network, and what is not encrypted anyway. */
export function needsNoKey(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  if (protocol === "http:") return true;
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.") || hostname.endsWith(".local");
}

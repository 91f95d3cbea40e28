import { readFile } from "node:fs/promises";
import {
  type EndpointAgent,
  type EndpointAgentOptions,
  type EndpointModel,
  endpointAgent,
  endpointModel,
  type PriceBook,
  parsePriceBook,
} from "@while/simulate";
import { completionCache } from "@while/simulate/files";
import { CliError } from "./cli-error.ts";
import type { Flag } from "./flag.ts";
import { positive, wholeNumber, zeroOrMoreUpTo } from "./flag-values.ts";
import type { Io } from "./io/io.ts";
import { jsonIn } from "./model-flags.ts";

/** A model behind HTTP, and how it is called. */
export interface EndpointFlags {
  endpoint?: string;
  model?: string;
  keyEnv?: string;
  temperature?: number;
  maxTokens?: number;
  context?: number;
  stream?: boolean;
  requestsPerMinute?: number;
  tokensPerMinute?: number;
  prices?: string;
  cache?: string;
  replay?: true;
  user?: string;
  plan?: boolean;
}

/** The names of those that mean nothing without a model behind HTTP. */
// biome-ignore format: a list to look things up in
const BESIDE = [
  "model", "keyEnv", "temperature", "maxTokens", "context", "stream", "requestsPerMinute", "tokensPerMinute",
] as const;

export const ENDPOINT_FLAGS: readonly Flag[] = [
  {
    spec: "--endpoint <where>",
    about: "instead: a model, as openai:NAME, anthropic:NAME, ollama:NAME, fireworks:NAME, vllm:NAME@URL or a URL",
  },
  { spec: "--model <name>", about: "its name, where --endpoint is a URL" },
  { spec: "--key-env <variable>", about: "the variable that holds its key; the provider's own if left out" },
  { spec: "--temperature <t>", about: "of its answers (0.8)", read: zeroOrMoreUpTo(2) },
  { spec: "--max-tokens <n>", about: "of one answer (768; 2048 for a wide window)", read: wholeNumber },
  { spec: "--context <tokens>", about: "its window; as the server says if left out", read: wholeNumber },
  { spec: "--no-stream", about: "asks for whole answers" },
  { spec: "--requests-per-minute <n>", about: "most calls in any minute, where you know it", read: wholeNumber },
  { spec: "--tokens-per-minute <n>", about: "most tokens in any minute, asked and answered", read: wholeNumber },
  { spec: "--user <where>", about: "a model that plays the person, as --endpoint names one" },
  { spec: "--prices <file>", about: "JSON of USD for a million tokens, by model" },
  { spec: "--usd-budget <usd>", about: "most that the run may cost; needs --prices", read: positive },
  { spec: "--cache <dir>", about: "answers are kept there, and taken from there when asked again" },
  { spec: "--replay", about: "with --cache: nobody is called, and a call it has no answer to ends the run" },
];

/**
 * The agent that the flags name. The server is asked what it is first, so that a wrong address or a refused key is said
 * before anything is drawn, and its window is known.
 *
 * @throws CliError `bad_flag`; SimulateError of the endpoint
 */
export async function endpointAgentOf(
  flags: EndpointFlags & { endpoint: string },
  env: Io["env"],
): Promise<EndpointAgent> {
  const options = await optionsOf(flags, env);
  const { contextTokens } = options;
  const agent = endpointAgent(flags.endpoint, options);
  if (contextTokens !== undefined || flags.replay === true || flags.plan === true) return agent;
  const facts = await agent.model.inspect();
  return facts.contextTokens === null
    ? agent
    : endpointAgent(flags.endpoint, { ...options, contextTokens: facts.contextTokens });
}

/** The model that plays the person; undefined without one. @throws As `endpointAgentOf` */
export async function userModelOf(
  { user, prices, cache, replay }: EndpointFlags,
  env: Io["env"],
): Promise<EndpointModel | undefined> {
  if (user === undefined) return undefined;
  if (/^https?:/i.test(user)) {
    throw new CliError("bad_flag", `--user got "${user}".`, "Give vllm:NAME@URL: an address alone names no model.");
  }
  return endpointModel(user, { env, ...(await kept({ prices, cache, replay })) });
}

/** @throws CliError `bad_flag` for a flag of an endpoint where there is none */
export function refuseWithoutEndpoint(flags: EndpointFlags): void {
  if (flags.endpoint !== undefined) return;
  const stray = BESIDE.find((name) => flags[name] !== undefined && !(name === "stream" && flags.stream !== false));
  if (stray === undefined) return;
  const flag =
    stray === "stream" ? "--no-stream" : `--${stray.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new CliError(
    "bad_flag",
    `${flag} was given without --endpoint.`,
    "Name the model that it is about with --endpoint.",
  );
}

async function optionsOf(flags: EndpointFlags, env: Io["env"]): Promise<EndpointAgentOptions> {
  const { model, keyEnv, temperature, maxTokens, context, stream, prices, cache, replay } = flags;
  const { requestsPerMinute: requests, tokensPerMinute: tokens } = flags;
  const perMinute = {
    ...(requests === undefined ? {} : { requests }),
    ...(tokens === undefined ? {} : { tokens }),
  };
  return {
    env,
    ...(Object.keys(perMinute).length === 0 ? {} : { perMinute }),
    ...(model === undefined ? {} : { model }),
    ...(keyEnv === undefined ? {} : { keyEnv }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(context === undefined ? {} : { contextTokens: context }),
    ...(stream === false ? { stream } : {}),
    ...(await kept({ prices, cache, replay })),
  };
}

async function kept({
  prices,
  cache,
  replay = false,
}: {
  prices: string | undefined;
  cache: string | undefined;
  replay: boolean | undefined;
}) {
  if (replay && cache === undefined) {
    throw new CliError("bad_flag", "--replay was given without --cache.", "Name the folder of answers with --cache.");
  }
  return {
    ...(prices === undefined ? {} : { prices: await priceBookIn(prices) }),
    ...(cache === undefined ? {} : { cache: completionCache(cache, { replayOnly: replay }) }),
  };
}

async function priceBookIn(path: string): Promise<PriceBook> {
  await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new CliError("bad_flag", `--prices names ${path}, which cannot be read (${cause.code}).`, "Check the path.", {
      cause,
    });
  });
  return parsePriceBook(await jsonIn(path, "Mend it."), path);
}

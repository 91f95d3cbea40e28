import type { Agent } from "../agent/agent.ts";
import { type ConversationOptions, conversationAgent } from "../conversation/conversation-agent.ts";
import { type EndpointModel, endpointModel } from "./endpoint-model.ts";
import { ENDPOINT_OPTIONS, type EndpointOptions } from "./endpoint-options.ts";

export interface EndpointAgentOptions extends EndpointOptions, ConversationOptions {
  /** What it works with, where the run does not say. */
  tools?: readonly unknown[];
  systemPrompt?: string;
}

/** An agent whose model is behind HTTP. */
export type EndpointAgent = Agent & { readonly model: EndpointModel };

const WIDE_WINDOW = 8192;
const MAX_TOKENS = 768;
const MAX_TOKENS_WIDE = 2048;

/**
 * A model behind HTTP as an agent: `endpointModel` in the tool loop and the conversation of `conversationAgent`. Its tools
 * and rules are those of the run; the world of the run answers its calls.
 *
 * @throws SimulateError `bad_endpoint`, `bad_option`, `no_key`
 */
export function endpointAgent(spec: string, options: EndpointAgentOptions = {}): EndpointAgent {
  const { tools, systemPrompt, ...rest } = options;
  const own: Record<string, unknown> = {};
  const talk: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    // Both look at the window; what neither knows is refused by the conversation, which names its own options.
    if (ENDPOINT_OPTIONS.includes(name)) own[name] = value;
    if (!ENDPOINT_OPTIONS.includes(name) || name === "contextTokens") talk[name] = value;
  }
  const model = endpointModel(spec, own);
  const maxTokens = (options.contextTokens ?? 0) > WIDE_WINDOW ? MAX_TOKENS_WIDE : MAX_TOKENS;
  const agent = conversationAgent(model, { maxTokens, ...talk });
  return Object.assign(agent, {
    model,
    ...(tools === undefined ? {} : { tools }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
  });
}

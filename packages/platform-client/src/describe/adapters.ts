import {
  type Adapter,
  firstText,
  messageText,
  modelName,
  peek,
  type Reading,
  textOrNull,
  toolNames,
} from "./described.ts";
import { toolsHashOf } from "./tools-hash.ts";

const isFunction = (value: unknown): value is (...args: unknown[]) => unknown => typeof value === "function";
const isRecord = (value: unknown): value is object => typeof value === "object" && value !== null;

function toolsOf(tools: unknown): { tools: string[]; toolsHash: string | null } {
  return { tools: toolNames(tools), toolsHash: toolsHashOf(tools) };
}

/** A prompt that is computed for each run: what it says is not known, and that it is computed is part of the harness. */
function instructionsOf(value: unknown): Pick<Reading, "instructions" | "disclosure" | "warnings"> {
  if (!isFunction(value)) return { instructions: messageText(value) };
  return {
    instructions: null,
    disclosure: { dynamicInstructions: true },
    warnings: ["its instructions are a function: pass harness.instructions to tell two of them apart"],
  };
}

/** OpenAI Agents JS 0.20: `new Agent({...})`. */
const openAiAgents: Adapter = {
  source: "openai-agents",
  fits: (agent) => Array.isArray(peek(agent, "handoffs")) && isRecord(peek(agent, "modelSettings")),
  read: (agent) => {
    const told = instructionsOf(peek(agent, "instructions"));
    const handoffs = (peek(agent, "handoffs") as unknown[]).map((to) => firstText(peek(to, "agent") ?? to, ["name"]));
    const servers = peek(agent, "mcpServers");
    const names = Array.isArray(servers) ? servers.map((server) => firstText(server, ["name"])).filter(Boolean) : [];
    return {
      ...told,
      name: textOrNull(peek(agent, "name")),
      model: modelName(peek(agent, "model")),
      ...toolsOf(peek(agent, "tools")),
      disclosure: {
        ...told.disclosure,
        ...(handoffs.length === 0 ? {} : { handoffs: handoffs.map(handoffName) }),
        ...(names.length === 0 ? {} : { mcpServers: names }),
      },
    };
  },
};

/** The tool that the model sees for a handoff. */
function handoffName(agent: string | null): string {
  return `transfer_to_${agent ?? "agent"}`.replace(/[^A-Za-z0-9_]/g, "_");
}

/** Vercel AI SDK 6: `new ToolLoopAgent({...})`. */
const aiSdk: Adapter = {
  source: "ai-sdk",
  fits: (agent) => isRecord(peek(agent, "settings")) && typeof peek(agent, "version") === "string",
  read: (agent) => {
    const settings = peek(agent, "settings");
    return {
      ...instructionsOf(peek(settings, "instructions")),
      name: textOrNull(peek(agent, "id")) ?? textOrNull(peek(settings, "id")),
      model: modelName(peek(settings, "model")),
      ...toolsOf(peek(agent, "tools") ?? peek(settings, "tools")),
    };
  },
};

/** LangChain JS 1.5: `createAgent({...})`. */
const langChain: Adapter = {
  source: "langchain",
  fits: (agent) => {
    const options = peek(agent, "options");
    const told = peek(options, "model") !== undefined || peek(options, "systemPrompt") !== undefined;
    return Array.isArray(peek(options, "tools")) && told;
  },
  read: (agent) => {
    const options = peek(agent, "options");
    return {
      ...instructionsOf(peek(options, "systemPrompt")),
      name: textOrNull(peek(options, "name")),
      model: modelName(peek(options, "model")),
      ...toolsOf(peek(options, "tools")),
    };
  },
};

/** LangGraph.js 1.7: a compiled graph. Its nodes are closures, which hide model and prompt. */
const langGraph: Adapter = {
  source: "langgraph",
  fits: (agent) => Boolean(peek(agent, "lg_is_pregel")),
  read: (agent) => {
    const nodes = peek(agent, "nodes");
    const tools = (isRecord(nodes) ? Object.values(nodes) : []).flatMap((node): unknown[] => {
      const list = peek(peek(node, "bound"), "tools");
      return Array.isArray(list) ? list : [];
    });
    return {
      name: textOrNull(peek(agent, "name")),
      ...toolsOf(tools),
      warnings: ["LangGraph hides model and prompt: pass harness.model and harness.instructions"],
    };
  },
};

/** Mastra 0.24: `new Agent({...})`, whose parts may have to be waited for. */
const mastra: Adapter = {
  source: "mastra",
  fits: (agent) => ["getInstructions", "getTools", "getModel"].every((key) => isFunction(peek(agent, key))),
  read: async (agent) => {
    const warnings: string[] = [];
    const ask = async (key: string): Promise<unknown> => {
      try {
        return await (peek(agent, key) as () => unknown).call(agent);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        warnings.push(`${key}() fails without a request (${reason}): pass that part of the harness yourself`);
        return undefined;
      }
    };
    const [instructions, tools, model] = [await ask("getInstructions"), await ask("getTools"), await ask("getModel")];
    return {
      name: firstText(agent, ["name", "id"]),
      model: modelName(model),
      instructions: messageText(instructions),
      ...toolsOf(tools),
      // Instructions that fail without a request are computed from it.
      ...(instructions === undefined ? { disclosure: { dynamicInstructions: true } } : {}),
      warnings,
    };
  },
};

/** Options of the Claude Agent SDK. */
const claudeAgent: Adapter = {
  source: "claude-agent-sdk",
  fits: (agent) =>
    ["systemPrompt", "system_prompt", "allowedTools", "allowed_tools"].some((key) => peek(agent, key) !== undefined),
  read: (agent) => {
    const prompt = peek(agent, "systemPrompt") ?? peek(agent, "system_prompt");
    const preset = textOrNull(peek(prompt, "preset"));
    const append = textOrNull(peek(prompt, "append"));
    const allowed = peek(agent, "allowedTools") ?? peek(agent, "allowed_tools");
    return {
      ...(preset === null
        ? instructionsOf(prompt)
        : { instructions: append === null ? `preset:${preset}` : `preset:${preset}\n${append}` }),
      name: textOrNull(peek(agent, "name")),
      model: modelName(peek(agent, "model")),
      ...toolsOf(allowed ?? peek(agent, "tools")),
    };
  },
};

const INSTRUCTIONS = ["instructions", "systemPrompt", "system_prompt", "system", "_system_prompts", "prompt"];
const TOOLS = ["tools", "allowed_tools", "allowedTools", "_function_tools"];

/** Anything else, by hand: the names that agents commonly go by. */
const plainObject: Adapter = {
  source: "object",
  fits: () => true,
  read: (agent) => {
    const told = INSTRUCTIONS.map((key) => peek(agent, key)).find(
      (value) => isFunction(value) || messageText(value) !== null,
    );
    const tools = TOOLS.map((key) => toolsOf(peek(agent, key))).find((found) => found.tools.length > 0);
    return {
      ...instructionsOf(told),
      name: textOrNull(peek(agent, "name")) ?? className(agent),
      model: modelName(peek(agent, "model")),
      ...(tools ?? { tools: [] }),
    };
  },
};

function className(agent: object): string | null {
  const name = textOrNull(peek(peek(agent, "constructor"), "name"));
  return name === "Object" ? null : name;
}

/** Tried in this order: the narrowest shape first. */
export const ADAPTERS: readonly Adapter[] = [
  openAiAgents,
  langGraph,
  mastra,
  aiSdk,
  langChain,
  claudeAgent,
  plainObject,
];

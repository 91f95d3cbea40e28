import { ADAPTERS } from "./adapters.ts";
import type { Described, Reading } from "./described.ts";

/**
 * What an agent object says of itself: name, model and harness, read off its shape without importing its framework and
 * without calling a model. Never throws; what cannot be read is named in `warnings`.
 *
 * Knows OpenAI Agents JS, the Vercel AI SDK, LangChain JS, LangGraph.js, Mastra, options of the Claude Agent SDK, and
 * plain objects.
 */
export async function describe(agent: object, { name }: { name?: string } = {}): Promise<Described> {
  const adapter = ADAPTERS.find(({ fits }) => fits(agent))!;
  const reading = await read(() => adapter.read(agent));
  const { model = null, instructions = null, tools = [], disclosure = {}, warnings = [] } = reading;
  return {
    name: name ?? reading.name ?? "agent",
    model,
    harness: {
      ...(model === null ? {} : { model }),
      ...(instructions === null ? {} : { instructions }),
      tools,
      ...(Object.keys(disclosure).length === 0 ? {} : { disclosure }),
    },
    toolsHash: reading.toolsHash ?? null,
    source: adapter.source,
    warnings: [...warnings],
  };
}

async function read(work: () => Reading | Promise<Reading>): Promise<Reading> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { warnings: [`the agent cannot be read (${reason}): pass name, model and harness`] };
  }
}

import { checkOptions, type Json } from "@while/schema";
import { SimulateError } from "../simulate-error.ts";
import type { RolloutPlace, SimTool } from "../world/tool-schemas.ts";
import type { McpServer } from "./mcp-server.ts";
import { type ListedTool, McpSession } from "./mcp-session.ts";

export interface McpOptions {
  /** Only these of its tools. */
  allow?: readonly string[];
  /** All but these. */
  deny?: readonly string[];
  /**
   * `rollout` (the default): each rollout has a process, or a session, of its own, and finds the world as the others do.
   * `shared`: one for all, for servers that only read.
   */
  isolation?: "rollout" | "shared";
  /** Longest start, and longest call; in milliseconds. */
  timeoutMs?: number;
}

/** The tools, for `tools` of a run. */
export interface McpTools {
  tools: SimTool[];
  /** Ends what is still open: to be called when the run is over. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 60_000;

/**
 * The tools of a Model Context Protocol server, with the hints that it gives of them (`readOnlyHint`,
 * `destructiveHint`); the server answers their calls in the mock world's place, after the scheduled faults. What a tool
 * says is wrong is its answer; a server that is gone or silent loses the rollout (`task_failed`), which is tried again.
 *
 * @throws SimulateError `bad_tools` when the server does not come up or has no such tools, `bad_option`
 */
export async function mcpTools(server: McpServer, options: McpOptions = {}): Promise<McpTools> {
  check(server, options);
  const { isolation = "rollout", timeoutMs = TIMEOUT_MS } = options;
  const first = await McpSession.open(server, timeoutMs);
  let listed: ListedTool[];
  try {
    listed = chosen(await first.list(), first.name, options);
  } catch (error) {
    await first.close();
    throw error;
  }
  const sessions = new Sessions(server, timeoutMs);
  if (isolation === "rollout") await first.close();
  const sessionOf = (place: RolloutPlace): Promise<McpSession> =>
    isolation === "shared" ? Promise.resolve(first) : sessions.of(place);
  return {
    tools: listed.map(
      ({ name, description, inputSchema, annotations }): SimTool => ({
        type: "function",
        function: { name, ...(description === undefined ? {} : { description }), parameters: inputSchema },
        ...(annotations === undefined ? {} : { annotations }),
        execute: async (given, place): Promise<Json> => (await sessionOf(place)).call(name, given, place.signal),
      }),
    ),
    async close() {
      await sessions.close();
      if (isolation === "shared") await first.close();
    },
  };
}

/** A session for each rollout, opened at its first call and ended with it. */
class Sessions {
  private readonly server: McpServer;
  private readonly timeoutMs: number;
  private readonly open = new Map<RolloutPlace, Promise<McpSession>>();

  constructor(server: McpServer, timeoutMs: number) {
    this.server = server;
    this.timeoutMs = timeoutMs;
  }

  of(place: RolloutPlace): Promise<McpSession> {
    const found = this.open.get(place);
    if (found !== undefined) return found;
    const opening = McpSession.open(this.server, this.timeoutMs).catch((error: SimulateError) => {
      // It came up before, to be asked for its tools: that it does not now says nothing of the agent.
      throw new SimulateError("task_failed", error.what ?? error.message, error.fix ?? "Look at the server.", {
        cause: error,
      });
    });
    this.open.set(place, opening);
    place.onEnd(() => this.end(place));
    return opening;
  }

  async close(): Promise<void> {
    await Promise.all([...this.open.keys()].map((place) => this.end(place)));
  }

  private async end(place: RolloutPlace): Promise<void> {
    const opening = this.open.get(place);
    this.open.delete(place);
    const session = await opening?.catch(() => null); // Said to whoever called it.
    await session?.close();
  }
}

function chosen(listed: readonly ListedTool[], server: string, { allow, deny = [] }: McpOptions): ListedTool[] {
  const names = new Set(listed.map(({ name }) => name));
  const missing = [...(allow ?? []), ...deny].find((name) => !names.has(name));
  const has = `It has ${[...names].join(", ") || "none"}.`;
  if (missing !== undefined) {
    throw new SimulateError("bad_tools", `The MCP server ${server} has no tool ${missing}.`, has);
  }
  const tools = listed.filter(({ name }) => (allow === undefined || allow.includes(name)) && !deny.includes(name));
  if (tools.length === 0) throw new SimulateError("bad_tools", `No tool of the MCP server ${server} is left.`, has);
  return tools;
}

function check(server: McpServer, options: McpOptions): void {
  const refuse = (what: string, fix: string) => new SimulateError("bad_option", what, fix);
  checkOptions(options, ["allow", "deny", "isolation", "timeoutMs"], refuse);
  const { isolation, timeoutMs } = options;
  if (isolation !== undefined && isolation !== "rollout" && isolation !== "shared") {
    throw refuse(`isolation is ${JSON.stringify(isolation)}.`, "Give rollout or shared.");
  }
  if (timeoutMs !== undefined && !(Number.isSafeInteger(timeoutMs) && timeoutMs >= 1)) {
    throw refuse(`timeoutMs is ${String(timeoutMs)}.`, "Give a whole number of 1 or more.");
  }
  const form = "Give { command, args } or { url }.";
  if ("url" in server ? !URL.canParse(server.url) : typeof server.command !== "string" || server.command === "") {
    throw refuse(`The MCP server is ${JSON.stringify("url" in server ? server.url : server.command)}.`, form);
  }
  checkOptions(server, "url" in server ? ["url", "headers"] : ["command", "args", "env", "cwd"], refuse);
}

import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { cutCodePoints, isObject, type Json, textOf } from "@while/schema";
import { SimulateError } from "../simulate-error.ts";
import type { McpServer } from "./mcp-server.ts";

/** A tool as a server lists it. */
export interface ListedTool {
  name: string;
  description?: string | undefined;
  inputSchema: Record<string, unknown>;
  annotations?: Record<string, unknown> | undefined;
}

const STDERR_CHARS = 300;
const MOST_PAGES = 100;
/** Errors of the protocol that say that the connection is gone, and not that a call was wrong. */
const GONE: ReadonlySet<unknown> = new Set([-32000, -32001]);

/** A connection to a server: a process of its own, or a session over HTTP. */
export class McpSession {
  private readonly client: Client;
  private readonly timeoutMs: number;
  readonly name: string;

  private constructor(client: Client, name: string, timeoutMs: number) {
    this.client = client;
    this.name = name;
    this.timeoutMs = timeoutMs;
  }

  /**
   * Starts the process, or opens the session.
   *
   * @throws SimulateError `bad_tools` when the server does not come up, or the protocol's package is not installed
   */
  static async open(server: McpServer, timeoutMs: number): Promise<McpSession> {
    const name = "command" in server ? server.command : new URL(server.url).origin;
    const { Client, transport, said } = await transportTo(server);
    const client = new Client({ name: "while-simulate", version: "1" });
    try {
      await client.connect(transport, { timeout: timeoutMs });
    } catch (cause) {
      await client.close().catch(() => {}); // What matters is why it did not come up.
      const why = cause instanceof Error ? cause.message : textOf(cause);
      const heard = said();
      const what = `The MCP server ${name} does not come up: ${why}${heard === "" ? "" : `; it says: ${heard}`}.`;
      throw new SimulateError("bad_tools", what, "Start it by hand, and look at its command or address.", { cause });
    }
    return new McpSession(client, name, timeoutMs);
  }

  /** All tools, page by page. */
  async list(): Promise<ListedTool[]> {
    const tools: ListedTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const listed = await this.client.listTools(cursor === undefined ? {} : { cursor }, { timeout: this.timeoutMs });
      tools.push(...(listed.tools as ListedTool[]));
      cursor = listed.nextCursor;
      if (cursor === undefined) return tools;
    }
    throw new SimulateError(
      "bad_tools",
      `The MCP server ${this.name} lists tools without an end.`,
      "Look at its nextCursor.",
    );
  }

  /**
   * What a call answers. A server that refuses the arguments has answered; one that is gone, or is silent, has broken the
   * world.
   *
   * @throws SimulateError `task_failed`
   */
  async call(name: string, given: Record<string, unknown>, signal: AbortSignal | undefined): Promise<Json> {
    try {
      const options = { timeout: this.timeoutMs, ...(signal === undefined ? {} : { signal }) };
      return answerOf(await this.client.callTool({ name, arguments: given }, undefined, options));
    } catch (error) {
      if (signal?.aborted) throw error;
      const { code } = isObject(error) || error instanceof Error ? (error as { code?: unknown }) : { code: undefined };
      const said = error instanceof Error ? error.message : textOf(error);
      if (typeof code === "number" && !GONE.has(code)) return { status: "error", error: said };
      const what = `The MCP server ${this.name} did not answer ${name}: ${said}.`;
      throw new SimulateError("task_failed", what, "Look at the server.", { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

/** What a tool answered: its structured content, else the JSON object that its text is, else its text. */
function answerOf(result: object): Json {
  const { structuredContent, content, isError } = result as Record<string, unknown>;
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  const texts = parts.filter(({ type }) => type === "text").map(({ text }) => textOf(text));
  const text = texts.join("\n");
  if (isError === true) return { status: "error", error: text === "" ? "the tool failed" : text };
  if (isObject(structuredContent)) return structuredContent as Json;
  const others = parts.filter(({ type }) => type !== "text").map(withoutBytes);
  if (others.length > 0) return { status: "ok", ...(text === "" ? {} : { result: text }), content: others };
  const [only] = texts;
  const object = texts.length === 1 ? objectIn(only!) : null;
  return object ?? { status: "ok", result: text };
}

/** A picture or a sound by its kind and size: its bytes are nothing that a row should hold. */
function withoutBytes({ data, ...part }: Record<string, unknown>): Json {
  return { ...part, ...(typeof data === "string" ? { bytes: Math.floor((data.length * 3) / 4) } : {}) } as Json;
}

function objectIn(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as Json) : null;
  } catch {
    return null; // Words.
  }
}

/** Loads the protocol's package, which only those need who have a server. */
async function transportTo(server: McpServer) {
  let heard = "";
  const said = (): string => cutCodePoints(heard.trim().slice(-STDERR_CHARS), STDERR_CHARS);
  try {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    if ("url" in server) {
      const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
      const { headers = {} } = server;
      // Its types know no absent session.
      const transport = new StreamableHTTPClientTransport(new URL(server.url), {
        requestInit: { headers: { ...headers } },
      });
      return { Client, transport: transport as Parameters<Client["connect"]>[0], said };
    }
    const { StdioClientTransport, getDefaultEnvironment } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const { command, args = [], env, cwd } = server;
    const transport = new StdioClientTransport({
      ...{ command, args: [...args], stderr: "pipe" },
      // A server sees what it is given, and not the keys of this process.
      ...(env === undefined ? {} : { env: { ...getDefaultEnvironment(), ...env } }),
      ...(cwd === undefined ? {} : { cwd }),
    });
    transport.stderr?.on("data", (data: Uint8Array) => {
      heard = (heard + Buffer.from(data).toString()).slice(-2 * STDERR_CHARS);
    });
    return { Client, transport: transport as Parameters<Client["connect"]>[0], said };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    const fix = "Install it: npm install @modelcontextprotocol/sdk.";
    throw new SimulateError(
      "bad_tools",
      "MCP servers need the package @modelcontextprotocol/sdk, which is not installed.",
      fix,
      { cause },
    );
  }
}

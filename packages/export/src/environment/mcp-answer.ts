import { isObject, textOf } from "@while/schema";
import { ExportError } from "../export-error.ts";
import type { EnvironmentSessions } from "./environment-sessions.ts";

const PROTOCOL = "2025-06-18";
const NO_METHOD = -32601;

/**
 * One message of the Model Context Protocol over HTTP: the tools of an episode, for agents that speak it.
 *
 * @returns The answer; null for a notification, which has none
 */
export async function mcpAnswer(
  message: Record<string, unknown>,
  session: unknown,
  sessions: EnvironmentSessions,
  name: string,
): Promise<unknown> {
  const { id, method, params } = message;
  if (id === undefined) return null;
  const result = await resultOf(textOf(method), isObject(params) ? params : {}, session, sessions, name);
  return result === null
    ? { jsonrpc: "2.0", id, error: { code: NO_METHOD, message: `There is no method ${textOf(method)}.` } }
    : { jsonrpc: "2.0", id, result };
}

async function resultOf(
  method: string,
  params: Record<string, unknown>,
  session: unknown,
  sessions: EnvironmentSessions,
  name: string,
): Promise<unknown> {
  switch (method) {
    case "initialize":
      return { protocolVersion: PROTOCOL, capabilities: { tools: {} }, serverInfo: { name, version: "1" } };
    case "ping":
      return {};
    case "tools/list":
      return {
        tools: sessions.tools(needed(session)).map(({ parameters, ...tool }) => ({ ...tool, inputSchema: parameters })),
      };
    case "tools/call": {
      const { result, done, reward } = await sessions.step(needed(session), params.name, params.arguments ?? {});
      const text = typeof result === "string" ? result : JSON.stringify(result);
      const isError = isObject(result) && "error" in result;
      return { content: [{ type: "text", text }], isError, structuredContent: { result, done, reward } };
    }
    default:
      return null;
  }
}

function needed(session: unknown): unknown {
  if (typeof session === "string" && session !== "") return session;
  throw new ExportError(
    "not_found",
    "The call names no episode.",
    "Begin one with POST /reset and send its session as the header mcp-session-id.",
  );
}

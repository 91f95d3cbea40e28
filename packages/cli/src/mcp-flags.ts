import type { McpTools } from "@while/simulate/mcp";
import { CliError } from "./cli-error.ts";

/** An MCP server whose tools a run has. */
interface McpFlags {
  mcp?: string;
  mcpShared?: true;
  tools?: string;
}

/**
 * The tools of the server that `--mcp` names, and what closes it; undefined without one.
 *
 * @throws CliError `bad_flag`; SimulateError `bad_tools` when it does not come up
 */
export async function mcpToolsOf({ mcp, mcpShared, tools }: McpFlags): Promise<McpTools | undefined> {
  if (mcp === undefined) {
    if (mcpShared === undefined) return undefined;
    throw new CliError("bad_flag", "--mcp-shared was given without --mcp.", "Name the server with --mcp.");
  }
  if (tools !== undefined) {
    throw new CliError("bad_flag", "simulate got --tools and --mcp.", "The server brings its own: give one of them.");
  }
  // Only those who name a server load what speaks to one.
  const { mcpTools } = await import("@while/simulate/mcp");
  const isolation = mcpShared === true ? "shared" : "rollout";
  if (/^https?:\/\//i.test(mcp)) return await mcpTools({ url: mcp }, { isolation });
  const [command, ...args] = wordsOf(mcp);
  if (command === undefined) {
    throw new CliError("bad_flag", `--mcp got "${mcp}".`, 'Give a command line, as "npx -y some-server", or a URL.');
  }
  return await mcpTools({ command, args }, { isolation });
}

/** A command line as words; quotes hold what has blanks in it. */
function wordsOf(line: string): string[] {
  const words = line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g);
  return [...words].map(([, double, single, plain]) => double?.replace(/\\(.)/g, "$1") ?? single ?? plain!);
}

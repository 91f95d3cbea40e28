// The tools of a Model Context Protocol server as the tools of a run

export type { McpServer } from "./mcp/mcp-server.ts";
export type { McpOptions, McpTools } from "./mcp/mcp-tools.ts";
export { mcpTools } from "./mcp/mcp-tools.ts";

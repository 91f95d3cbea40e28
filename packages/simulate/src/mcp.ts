// The tools of a Model Context Protocol server as the tools of a run

export type { McpOptions, McpServer, McpTools } from "./mcp/mcp-tools.ts";
export { mcpTools } from "./mcp/mcp-tools.ts";

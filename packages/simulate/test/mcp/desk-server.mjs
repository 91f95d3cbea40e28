import { createServer } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";

// A desk with orders, as an MCP server: over stdio, or over HTTP with `--http`. Its orders are its own memory.

const byId = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] };
const TOOLS = [
  {
    name: "get_order",
    description: "Read an order: A1001 or A1002.",
    inputSchema: byId,
    annotations: { readOnlyHint: true },
  },
  { name: "cancel_order", inputSchema: byId, annotations: { destructiveHint: true } },
  { name: "words", inputSchema: { type: "object", properties: {} } },
  { name: "picture", inputSchema: { type: "object", properties: {} } },
  { name: "die", inputSchema: { type: "object", properties: {} } },
  { name: "hang", inputSchema: { type: "object", properties: {} } },
];
const text = (value) => ({
  content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
});

function desk() {
  const orders = new Map([
    ["A1001", "open"],
    ["A1002", "open"],
  ]);
  const server = new Server({ name: "desk", version: "1" }, { capabilities: { tools: {} } });
  // Two to a page.
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
    const at = Number(params?.cursor ?? 0);
    const nextCursor = at + 2 < TOOLS.length ? String(at + 2) : undefined;
    return { tools: TOOLS.slice(at, at + 2), ...(nextCursor === undefined ? {} : { nextCursor }) };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const { order_id: id } = given;
    if (name === "words") return text("Closed on Sundays.");
    if (name === "picture") return { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] };
    if (name === "die") process.exit(1);
    if (name === "hang") return await new Promise(() => {});
    if (id === undefined) throw new McpError(ErrorCode.InvalidParams, "order_id is missing");
    if (!orders.has(id)) return { isError: true, ...text(`no order ${id}`) };
    if (name === "cancel_order") orders.set(id, "cancelled");
    const order = { order_id: id, state: orders.get(id) };
    return name === "cancel_order" ? { structuredContent: order, ...text("see structured") } : text(order);
  });
  return server;
}

if (process.argv.includes("--broken")) {
  process.stderr.write("the desk has no chairs\n");
  process.exit(1);
} else if (process.argv.includes("--http")) {
  const sessions = new Map();
  const http = createServer(async (request, response) => {
    if (request.headers["x-desk-key"] !== "k") return response.writeHead(401).end();
    const known = sessions.get(request.headers["mcp-session-id"]);
    if (known !== undefined) return known.handleRequest(request, response);
    let at = "";
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => `s${sessions.size}`,
      onsessioninitialized: (id) => {
        at = id;
        sessions.set(id, transport);
      },
    });
    transport.onclose = () => sessions.delete(at);
    await desk().connect(transport);
    return transport.handleRequest(request, response);
  });
  http.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${http.address().port}/mcp\n`));
} else await desk().connect(new StdioServerTransport());

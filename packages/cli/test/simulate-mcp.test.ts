import { fileURLToPath } from "node:url";
import { readRowFiles } from "@while/schema/files";
import { describe, expect, onTestFinished, test } from "vitest";
import { startModelServer } from "../../simulate/test/endpoint/model-server.ts";
import { folder, wai } from "./terminal.ts";

const DESK = fileURLToPath(new URL("../../simulate/test/mcp/desk-server.mjs", import.meta.url));
const COMMAND = `"${process.execPath}" '${DESK}'`;

describe("wai simulate --mcp", () => {
  test("a model behind HTTP works with the tools of a server that is started for each rollout", async () => {
    const server = await startModelServer();
    onTestFinished(() => server.close());
    const out = folder()("rows.jsonl");
    const argv = [
      "--endpoint",
      server.url,
      "--model",
      "test",
      "--mcp",
      COMMAND,
      "--situations",
      "2",
      "--fault-share",
      "0",
    ];
    const { code, stderr } = await wai(["simulate", ...argv, "-o", out]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("2 of 2 rollouts of test") });
    const { rows, report } = await readRowFiles([out]);
    expect(rows[0]!.steps?.[0]).toMatchObject({ tool: "get_order", result: { order_id: "A1001", state: "open" } });
    expect(report.tools).toHaveLength(6);
  }, 240_000);

  test.each<[string[], string]>([
    [["--mcp", "no-such-desk --now"], "error: The MCP server no-such-desk does not come up"],
    [["--mcp", " "], '--mcp got " ".'],
    [["--mcp", "x", "--tools", "t.json"], "simulate got --tools and --mcp."],
    [["--mcp-shared"], "--mcp-shared was given without --mcp."],
  ])("%j is refused", async (argv, what) => {
    const { code, stderr } = await wai(["simulate", "--seeded", "0.3", ...argv, "-o", "x.jsonl"]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(what) });
  });
});

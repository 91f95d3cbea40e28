import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Agent, fromAiSdk, fromLangChain, fromOpenAiAgents, simulate } from "@while/simulate";
import { describe, expect, test } from "vitest";
import { TIMEOUT_MS } from "./tool.ts";

/** Agents of real frameworks, whose model is played, rolled out by `simulate`: what they did stands on the rows. */

const here = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(here, ".node-tools", "agent-frameworks");
const isMissing = !existsSync(join(folder, ".prepared"));
const title = `agent frameworks${isMissing ? " (skipped: they are not installed; npm run interop installs them)" : ""}`;

describe.skipIf(isMissing)(title, () => {
  test.each<[string, (made: Made) => Agent, failure: unknown]>([
    [
      "AI SDK 6",
      ({ aiSdkAgent }) => fromAiSdk(aiSdkAgent()),
      { status: "error", reason: "the parcel service is away" },
    ],
    [
      "OpenAI Agents",
      ({ openAiAgent, runOpenAi }) => fromOpenAiAgents(openAiAgent(), runOpenAi),
      expect.stringContaining("An error occurred while running the tool"),
    ],
    ["LangChain", ({ langChainAgent }) => fromLangChain(langChainAgent()), "the parcel service is away"],
  ])(
    "%s: calls, answers, failure and tokens are those of the agent",
    async (_name, agentOf, failure) => {
      const file = join(folder, "agent-frameworks.mjs");
      copyFileSync(join(here, "node", "agent-frameworks.mjs"), file);
      const made = (await import(pathToFileURL(file).href)) as Made;
      const seeds = ["Where is A1001?", "And now?"];
      const { rows } = await simulate(agentOf(made), { seeds, concurrency: 1, modelVersion: "desk" });
      expect(rows).toHaveLength(2);
      for (const row of rows) {
        expect(row).toMatchObject({
          ...{ final_text: "A1001 is in Lyon; the parcel service did not answer.", finish_reason: "stop" },
          ...{ tools_used: ["get_order", "track_parcel"], usage: { input_tokens: 6, output_tokens: 10 } },
          steps: [
            { tool: "get_order", arguments: { order_id: "A1001" }, result: { order_id: "A1001", city: "Lyon" } },
            { tool: "track_parcel", arguments: { order_id: "A1001" }, result: failure },
          ],
        });
      }
    },
    TIMEOUT_MS,
  );
});

/** What `node/agent-frameworks.mjs` exports; typed by the adapters that take it. */
interface Made {
  aiSdkAgent(): Parameters<typeof fromAiSdk>[0];
  openAiAgent(): object;
  runOpenAi: Parameters<typeof fromOpenAiAgents<object>>[1];
  langChainAgent(): Parameters<typeof fromLangChain>[0];
}

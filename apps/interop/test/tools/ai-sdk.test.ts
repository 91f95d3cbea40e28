import { join } from "node:path";
import { toolCalls } from "@while/schema";
import { describe, expect, test } from "vitest";
import { gist, nodeTool, readLog, TIMEOUT_MS } from "./tool.ts";

const versions = [4, 5].map((major) => ({
  major,
  sdk: nodeTool(`ai-${major}`, "ai", ["write-ai.mjs", "{into}"], ["write-ai.mjs"]),
}));

describe.each(versions)("version $major of the AI SDK", ({ major, sdk }) => {
  describe.skipIf(sdk.isMissing)(sdk.title, () => {
    test(
      "messages for a model and messages of a page tell one conversation with a tool call",
      async () => {
        const folder = await sdk.write();
        expect(sdk.version()).toMatch(new RegExp(`^${major}\\.`));
        const spoken = await readLog(sdk, "AI SDK, model", [join(folder, "model-messages.jsonl")]);
        const shown = await readLog(sdk, "AI SDK, page", [join(folder, "ui-messages.json")]);
        for (const { rows, report } of [spoken, shown]) {
          expect(report).toMatchObject({ format: "ai-sdk", warnings: [], nBadLines: 0 });
          const [row] = rows;
          expect(rows).toHaveLength(1);
          expect(gist(row!).slice(2)).toEqual([
            null,
            [["refund", { order: "42", amount: 12.5 }]],
            "Done: 42, née “Été”.",
          ]);
          expect(row!.prompt).toBe("Refund order 42.");
          expect(row!.messages!.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
          expect(row!.messages!.flatMap(toolCalls)).toMatchObject([{ id: "call_1", name: "refund" }]);
          expect(row!.steps![0]).toMatchObject({ result: { refunded: 12.5, order: "42" } });
        }
        expect([...spoken.report.systemPrompts.values()]).toEqual(["You refund orders."]);
      },
      TIMEOUT_MS,
    );
  });
});

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trainingRows, type WireMessage } from "@while/export";
import { exportDataset, exportPreference } from "@while/export/files";
import { buildPreferencePairs } from "@while/select";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lossTable } from "./loss-table.ts";
import { ROLLOUTS, RULES, TOOLS } from "./refund-rollouts.ts";
import { pythonTool, TIMEOUT_MS } from "./tool.ts";
import type { MarkedTokens } from "./trained-tokens.ts";

const llamafactory = pythonTool("trl", "llamafactory", "llamafactory");

type Said = MarkedTokens & { text: string; trained: string };
type Result = Record<"sft" | "final" | "pairs", { rows: number; marked: Said[] }>;

const files = mkdtempSync(join(tmpdir(), "while-interop-llamafactory-"));
afterAll(() => rmSync(files, { recursive: true, force: true }));

/** A turn as the trainer's Qwen template writes it; what is said beside a call has no place there. */
function written({ content, tool_calls: calls = [] }: WireMessage): string {
  const call = (one: (typeof calls)[number]) =>
    `<tool_call>\n{"name": "${one.function.name}", "arguments": ${JSON.stringify(JSON.parse(one.function.arguments))}}\n</tool_call>`;
  return `${calls.length === 0 ? content : calls.map(call).join("\n")}<|im_end|>\n`;
}

/** Spaces of JSON differ between the two writers, and mean nothing here. */
const plain = (text: string) => text.replaceAll(/(?<=[,:]) /g, "");

describe.skipIf(llamafactory.isMissing)(llamafactory.title, () => {
  let result: Result;
  const options = { format: "llamafactory", systemPrompt: RULES, tools: TOOLS } as const;
  const turns = trainingRows(ROLLOUTS, { systemPrompt: RULES, tools: TOOLS }).map(({ messages }) =>
    messages.filter(({ role }) => role === "assistant"),
  );
  const table = lossTable();
  afterAll(() => table.print());

  beforeAll(async () => {
    const at = (name: string) => ({ ...options, output: join(files, `${name}.jsonl`) });
    await exportDataset(ROLLOUTS, at("sft"));
    await exportDataset(ROLLOUTS, { ...at("final"), maskMode: "final", trainerConfig: { mask_history: true } });
    // What is said beside a call has no place in its turn: such a side is refused.
    const silent = ROLLOUTS.filter(({ rollout_index }) => rollout_index !== 1);
    const { pairs } = buildPreferencePairs(silent, { lengthMatch: false, maxPairsPerPrompt: 2 });
    await exportPreference(
      pairs.map((pair) => ({ ...pair })),
      at("pairs"),
    );
    const folder = await llamafactory.write(files);
    result = JSON.parse(readFileSync(join(folder, "result.json"), "utf8"));
  }, TIMEOUT_MS);

  test("every agent turn trains, each and no other", () => {
    const expected = turns.map((of) => plain(of.map(written).join("")));
    expect(result.sft.marked.map(({ trained }) => plain(trained))).toEqual(expected);
    table.add("LLaMA-Factory", llamafactory.version(), "sft", result.sft, turns.flat().length);
  });

  test("with mask_history the last turn trains alone", () => {
    const expected = turns.map((of) => plain(written(of.at(-1)!)));
    expect(result.final.marked.map(({ trained }) => plain(trained))).toEqual(expected);
    table.add("LLaMA-Factory", llamafactory.version(), "sft, mask_history", result.final, turns.length);
  });

  test("pairs: the one turn in which the sides part is compared", () => {
    const lines = readFileSync(join(files, "pairs.jsonl"), "utf8").trimEnd().split("\n");
    expect(result.pairs.rows).toBe(lines.length);
    for (const [i, line] of lines.entries()) {
      const { chosen, rejected } = JSON.parse(line);
      for (const [j, side] of [chosen, rejected].entries()) {
        const { trained } = result.pairs.marked[2 * i + j]!;
        const words =
          side.from === "gpt" ? side.value : (JSON.parse(side.value)[0]?.name ?? JSON.parse(side.value).name);
        expect(trained).toContain(words);
        expect(trained.match(/<\|im_end\|>/g)).toHaveLength(1);
      }
    }
    table.add("LLaMA-Factory", llamafactory.version(), "pairs", result.pairs, 2 * result.pairs.rows);
  });

  test("the rules and the tools are read along, and nobody takes loss on them", () => {
    for (const { text, trained } of result.sft.marked) {
      expect(text).toContain(RULES);
      expect(text).toContain('"name": "refund"');
      expect(trained).not.toContain(RULES);
    }
  });
});

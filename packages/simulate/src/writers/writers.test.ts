import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Model } from "../agent/model.ts";
import { buildDimensions } from "../grid/build-dimensions.ts";
import { buildGrid } from "../grid/grid.ts";
import { regionId } from "../grid/region-id.ts";
import { SimulateError } from "../simulate-error.ts";
import { knownIds } from "../world/reference-key.ts";
import { toolSchemas } from "../world/tool-schemas.ts";
import { modelWriter } from "./model-writer.ts";
import { referenceId } from "./reference-id.ts";
import { CLOSERS, LINES, OPENERS, UNRELATED_ASKS } from "./sentence-pools.ts";
import { templateWriter } from "./template-writer.ts";

const ID = { order_id: { type: "string", description: "such as A1001 or A1002" } };
const { tools } = toolSchemas([
  { name: "lookup_order", parameters: ID },
  { name: "refund_order", parameters: ID },
  { name: "send_mail", parameters: { text: { type: "string" } } },
]);
const policy = "Refund within thirty days of delivery, never after that.";
const grid = buildGrid(buildDimensions(tools, policy).dimensions);
const cards = (phrasings = 1) =>
  grid.rows.flatMap((assignment) =>
    Array.from({ length: phrasings }, (_, phrasing) => ({ id: regionId(assignment), assignment, phrasing })),
  );
const context = { tools, policy, seed: 0, taken: new Set<string>() };

// As the Python SDK derives them.
test.each([
  [["A1001", "A1002", "A1003"], 0, "A1002"],
  [["A1001", "A1002", "A1003"], 1, "A1001"],
  [[], 0, "ORD-7193"],
])("referenceId of %j in round %i is %s", (known, round, id) => {
  expect(referenceId("sc-59361fc4ba", known, round, "ORD")).toBe(id);
});

test("knownIds finds ids in a text", () => {
  const text = "Orders on file: A1001, A1002, ORD-77, SKU_123456, X12";
  expect(knownIds(text)).toEqual(["A1001", "A1002", "SKU_123456"]);
});

describe("the template writer", () => {
  test("writes every cell three times in different words, and the same on every call", async () => {
    const { written, warnings } = await templateWriter.write(cards(3), context);
    expect(warnings).toEqual([]);
    expect(written).toHaveLength(3 * grid.rows.length);
    expect(new Set(written.map(({ prompt }) => prompt)).size).toBe(written.length);
    expect((await templateWriter.write(cards(3), context)).written).toEqual(written);
  });

  test("a prompt of a tool with a reference names one", async () => {
    const { written } = await templateWriter.write(cards(), context);
    for (const { prompt, card } of written) {
      expect(prompt).not.toMatch(/[{}]| {2}| [?.,]/);
      if (card.assignment.tool?.endsWith("_order")) expect(prompt).toMatch(/A100[12]/);
      if (card.assignment.tool === "send_mail") expect(prompt).not.toMatch(/A100[12]/);
    }
  });

  test("no line of its pools is eight words long: by eight shared words two tasks are taken for one", () => {
    const pieces = [
      ...Object.values(LINES).flatMap((lines) => Object.values(lines).flat()),
      ...CLOSERS,
      ...UNRELATED_ASKS,
    ];
    expect(pieces.filter((piece) => piece.split(" ").length >= 8)).toEqual([]);
    for (const pool of Object.values(OPENERS)) expect(pool.length).toBeGreaterThanOrEqual(12);
    for (const lines of Object.values(LINES)) {
      for (const pool of Object.values(lines)) expect(pool.length).toBeGreaterThanOrEqual(5);
    }
  });
});

describe("the model writer", () => {
  const answering = (reply: (n: number) => string): Model =>
    Object.assign(
      async ({ messages }: { messages: readonly { content: string }[] }) => {
        const n = (messages.at(-1)!.content.match(/Card \d+\./g) ?? []).length;
        return { text: reply(n), inputTokens: 10, outputTokens: 5 };
      },
      { modelName: "scribe" },
    );

  test("keeps what is usable and lets the templates write the rest", async () => {
    let n = 0;
    const model = answering((count) =>
      JSON.stringify(
        Array.from({ length: count }, () =>
          n++ % 3 === 0 ? "Sure! I can help you." : `Please help with order A1001 (${n}).`,
        ),
      ),
    );
    const { written, warnings } = await modelWriter(model).write(cards(), context);
    expect(written.map(({ card }) => card)).toEqual(cards());
    expect(written.filter(({ prompt }) => prompt.startsWith("Sure!"))).toEqual([]);
    expect(warnings.join()).toMatch(/generator_fallback: scribe gave \d+ of \d+ cards no usable message/);
  });

  test("is never shown the labels of the grid or the whole policy", async () => {
    const seen: string[] = [];
    const model: Model = async ({ messages }) => {
      seen.push(messages.at(-1)!.content);
      return { text: "[]" };
    };
    await modelWriter(model).write(cards(), { ...context, policy: `${policy} The password is swordfish.` });
    expect(seen.join()).not.toMatch(/swordfish|adversarial|entity missing|permission_denied/);
  });

  test("the order of its answers makes no difference", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { minLength: 20, maxLength: 20 }), async (delays) => {
        let call = 0;
        const model: Model = async ({ messages }) => {
          const mine = messages.at(-1)!.content;
          await new Promise((resolve) => setTimeout(resolve, delays[call++ % delays.length]));
          const n = (mine.match(/Card \d+\./g) ?? []).length;
          return {
            text: JSON.stringify(Array.from({ length: n }, (_, i) => `A message of ${mine.length} and ${i} to you.`)),
          };
        };
        const { written } = await modelWriter(model).write(cards(), context);
        const { written: again } = await modelWriter(model, { concurrency: 1 }).write(cards(), context);
        expect(written.map(({ prompt }) => prompt)).toEqual(again.map(({ prompt }) => prompt));
      }),
      { numRuns: 3 },
    );
  });

  test("a call that fails is a warning, and a key that is refused ends the run", async () => {
    const broken: Model = async () => Promise.reject(new Error("boom"));
    const { written, warnings } = await modelWriter(broken).write(cards().slice(0, 3), context);
    expect(written).toHaveLength(3);
    expect(warnings[0]).toContain("model failed on 3 cards: boom");
    const refused: Model = async () => Promise.reject(new SimulateError("agent_auth_failed", "401.", "Give a key."));
    await expect(modelWriter(refused).write(cards(), context)).rejects.toMatchObject({ code: "writer_auth_failed" });
  });
});

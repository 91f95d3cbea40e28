import { describe, expect, test } from "vitest";
import type { RolloutContext } from "../agent/agent.ts";
import type { Model, ModelAnswer, ModelRequest } from "../agent/model.ts";
import { joinUserTurns, splitUserTurns } from "../agent/user-turns.ts";
import { SimulateError } from "../simulate-error.ts";
import { SimulatedUser } from "../user/simulated-user.ts";
import { type ConversationOptions, conversationAgent } from "./conversation-agent.ts";

type Turn = Partial<ModelAnswer> | Error;

const call = (name: string, given: string | object = {}, text = ""): Turn => ({
  text,
  toolCalls: [{ id: "c1", name, arguments: typeof given === "string" ? given : JSON.stringify(given) }],
});

async function play(
  turns: Turn[],
  {
    message = "Where is A1001?",
    person = [] as string[],
    ...options
  }: ConversationOptions & { message?: string; person?: string[] } = {},
) {
  const requests: ModelRequest[] = [];
  const called: string[] = [];
  const model: Model = async (request) => {
    requests.push({ ...request, messages: [...request.messages] });
    const turn = turns.shift() ?? { text: "Done." };
    if (turn instanceof Error) throw turn;
    return { text: "", ...turn };
  };
  const lines = [...person];
  const user: Model = async () => ({ text: lines.shift() ?? "" });
  const context = {
    systemPrompt: "Be brief.",
    tools: [{ type: "function", function: { name: "look" } }],
    rolloutSeed: 7,
    tags: {},
    person: person.length > 0 ? new SimulatedUser({ model: user }) : null,
    signal: new AbortController().signal,
    meter: () => {},
    spend: async () => () => {},
    sample: "s",
    tracing: null,
    waiting: (work: () => Promise<unknown>) => work(),
    call: async (tool: string) => {
      called.push(tool);
      return { found: true };
    },
  } as unknown as RolloutContext;
  const reply = await conversationAgent(model, options)(message, context);
  return { reply: reply as Exclude<typeof reply, string>, requests, called };
}

test("calls are run in the world and their answers read before the last word", async () => {
  const { reply, requests } = await play([call("look", { id: "A1001" }, "I look."), { text: "It is there." }]);
  expect(reply).toEqual({
    steps: [
      { tool: "look", arguments: { id: "A1001" }, result: { found: true }, id: "c1", text: "I look." },
      { text: "It is there." },
    ],
    final_text: "It is there.",
  });
  expect(requests[1]!.messages.at(-1)).toEqual({ role: "tool", tool_call_id: "c1", content: '{"found": true}' });
  expect(requests[0]).toMatchObject({ seed: 7, temperature: 0.8, maxTokens: 768 });
});

test("arguments that are no JSON object are not run, and kept as they were written", async () => {
  const { reply, called } = await play([call("look", "{id: A1001"), { text: "Hm." }]);
  expect(called).toEqual([]);
  expect(reply.steps?.[0]).toMatchObject({ arguments: {}, arguments_raw: "{id: A1001", result: { status: "invalid" } });
});

test("a conversation that is cut by the cap on a call has one more turn to read its answer, once", async () => {
  const { requests } = await play([call("look"), call("look"), call("look"), call("look")], { maxTurns: 2 });
  expect(requests).toHaveLength(3);
});

test("a preamble is followed by the deed", async () => {
  const { reply, called } = await play([{ text: "Let me check that." }, call("look"), { text: "It is there." }]);
  expect([called, reply.final_text]).toEqual([["look"], "It is there."]);
});

test("an empty answer is asked for again with another seed, three times at most", async () => {
  const { reply, requests } = await play([{}, {}, { text: "Here." }]);
  expect([reply.final_text, requests.map(({ seed }) => seed)]).toEqual(["Here.", [7, 8, 9]]);
  expect(await play([{}, {}, {}, { text: "Here." }])).toMatchObject({
    reply: { final_text: "" },
    requests: [{}, {}, {}],
  });
});

describe("several turns of the person", () => {
  test("written ones are said one after the other", async () => {
    const message = joinUserTurns(["Hello.", "Where is A1001?"]);
    const { reply } = await play([{ text: "Hello!" }, { text: "There." }], { message });
    expect(reply.steps).toEqual([{ text: "Hello!" }, { user: "Where is A1001?" }, { text: "There." }]);
  });

  test("a simulated one answers what it is asked", async () => {
    const { reply } = await play([{ text: "Which order?" }, { text: "It has left." }], {
      person: ["A1001, the lamp."],
      maxTurns: 4,
    });
    expect(reply.steps?.slice(0, 3)).toEqual([
      { text: "Which order?" },
      { user: "A1001, the lamp." },
      { text: "It has left." },
    ]);
  });

  test("one that walks away ends it, and no thread ends on a line of theirs", async () => {
    const { reply } = await play([{ text: "Which order?" }], { person: ["<leaves>"], maxTurns: 4 });
    expect([reply.ended_by, reply.steps]).toEqual(["user_left", [{ text: "Which order?" }]]);
    const cut = await play([{ text: "Which order?" }, {}, {}, {}], { person: ["A1001, the lamp."], maxTurns: 4 });
    expect(cut.reply.steps).toEqual([{ text: "Which order?" }]);
  });
});

test("an answer that is cut says so, and what the model used is on the step", async () => {
  const { reply } = await play([
    { text: "It is", finishReason: "length", inputTokens: 9, outputTokens: 3, rawText: "<think>" },
  ]);
  expect(reply.steps).toEqual([
    { text: "It is", truncated: true, raw_text: "<think>", input_tokens: 9, output_tokens: 3 },
  ]);
});

test("a window that is outgrown is a reply that was cut; another failure passes through", async () => {
  const overflow = new SimulateError("context_overflow", "Too long.", "Use a larger window.");
  expect((await play([call("look"), overflow])).reply).toMatchObject({ finish_reason: "length", final_text: "" });
  await expect(play([overflow])).rejects.toBe(overflow);
  await expect(play([call("look"), new Error("boom")])).rejects.toThrow("boom");
});

test.each([
  ["a", ["a"]],
  ["a\n<USER_TURN>\n b \n<USER_TURN>\n", ["a", "b"]],
  [" a ", [" a "]],
])("splitUserTurns(%j)", (message, turns) => {
  expect(splitUserTurns(message)).toEqual(turns);
});

test("a turn that holds the mark stays one turn", () => {
  expect(splitUserTurns(joinUserTurns(["a\n<USER_TURN>\nb", "c"]))).toHaveLength(2);
});

test("an unknown option is refused", () => {
  expect(() => conversationAgent(async () => ({ text: "" }), { maxturns: 3 } as never)).toThrow(
    "Did you mean maxTurns?",
  );
});

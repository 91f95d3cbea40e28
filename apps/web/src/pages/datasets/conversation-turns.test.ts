import { expect, test } from "vitest";
import { turnsOf } from "./conversation-turns.ts";

test("steps are told turn by turn, calls with what was given and what came back", () => {
  const row = {
    prompt: "Where is order 60744?",
    steps: [
      { user: "Where is order 60744?" },
      { tool: "lookup_order", arguments: { order_id: "60744" }, result: { status: "delivered" } },
      { text: "Delivered." },
    ],
    final_text: "Delivered.",
  };
  expect(turnsOf(row)).toEqual([
    { who: "user", text: "Where is order 60744?", code: false },
    { who: "call", text: 'lookup_order({"order_id":"60744"})', code: true },
    { who: "result", text: '{"status": "delivered"}', code: true },
    { who: "assistant", text: "Delivered.", code: false },
  ]);
});

test("messages in another spelling, an image, and arguments that are no JSON", () => {
  const row = {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "image_url", image_url: {} }] },
      { role: "assistant", content: null, tool_calls: [{ function: { name: "look", arguments: "{oops" } }] },
    ],
  };
  expect(turnsOf(row).map(({ who, text }) => `${who}: ${text}`)).toEqual([
    "system: Be brief.",
    "user: [image_url]",
    "call: look({oops)",
  ]);
});

test("a row with nothing to say has no turn", () => {
  expect(turnsOf({ reward: 1 })).toEqual([]);
  expect(turnsOf({ messages: "no list", prompt: null })).toEqual([]);
});

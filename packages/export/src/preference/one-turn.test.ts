import { expect, test } from "vitest";
import type { WireMessage } from "../training-row.ts";
import { beginAlike, oneTurn } from "./one-turn.ts";

/** An ask and then what is given: text, a call (its arguments, an id of its own), or a tool's answer (`r:`). */
function told(...turns: string[]): WireMessage[] {
  const messages: WireMessage[] = [{ role: "user", content: "q" }];
  for (const [index, turn] of turns.entries()) {
    if (turn.startsWith("r:")) messages.push({ role: "tool", content: turn });
    else if (turn.startsWith("{")) {
      const call = {
        id: `${turns.length}-${index}`,
        type: "function",
        function: { name: "f", arguments: turn },
      } as const;
      messages.push({ role: "assistant", content: "", tool_calls: [call] });
    } else messages.push({ role: "assistant", content: turn });
  }
  return messages;
}

test.each([
  ["they part at the first turn", told('{"x": 1}', "r:1", "yes"), told("no"), { at: 1, cut: true }],
  [
    "keys in another order are the same call",
    told('{"x": 1, "y": 2}', "r:1", "yes"),
    told('{"y": 2, "x": 1}', "r:1", "no", "more"),
    { at: 3, cut: true },
  ],
  ["nothing behind the turn", told('{"x": 1}', "r:1", "yes"), told('{"x": 1.0}', "r:1", "no"), { at: 3, cut: false }],
  [
    "digits beyond a double tell calls apart",
    told('{"x": 12345678901234567890}'),
    told('{"x": 12345678901234567891}'),
    { at: 1, cut: false },
  ],
  ["one is the other's beginning", told("yes"), told(), null],
  ["the tool answers differ", told('{"x": 1}', "r:1", "yes"), told('{"x": 1}', "r:2", "no"), null],
  ["they are equal", told("yes"), told("yes"), null],
  ["nothing is shared", told("yes").slice(1), told("no").slice(1), null],
  ["a turn against an answer", told('{"x": 1}', "r:1"), told('{"x": 1}', "yes"), null],
] as const)("oneTurn: %s", (_, chosen, rejected, expected) => {
  expect(oneTurn(chosen, rejected)).toEqual(expected);
  expect(oneTurn(rejected, chosen)).toEqual(expected);
});

test.each([
  [told("a", "b"), told("a", "c"), true],
  [told("a"), told("b"), false],
  [told(), told("b"), false],
])("beginAlike %#", (chosen, rejected, expected) => {
  expect(beginAlike(chosen, rejected)).toBe(expected);
});

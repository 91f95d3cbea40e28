import { expect, test } from "vitest";
import { pairsOf } from "./pairs-of.ts";

const user = (content: string) => ({ role: "user", content });
const agent = (content: unknown) => ({ role: "assistant", content });

test.each<[string, object, object, object]>([
  [
    "rows get the ask of the pair, where they have none",
    { prompt: "Refund?", chosen: { final_text: "Done." }, rejected: { prompt: "Mine?", final_text: "No." } },
    { prompt: "Refund?", final_text: "Done." },
    { prompt: "Mine?", final_text: "No." },
  ],
  [
    "text is the reply",
    { prompt: "Refund?", chosen: "Done.", rejected: "" },
    { prompt: "Refund?", final_text: "Done." },
    { prompt: "Refund?", final_text: "" },
  ],
  [
    "a conversation holds its ask",
    { chosen: [user("Refund?"), agent("Done.")], rejected: [user("Refund?"), agent([{ type: "text", text: "No." }])] },
    { prompt: "Refund?", final_text: "Done.", messages: [user("Refund?"), agent("Done.")] },
    { prompt: "Refund?", final_text: "No." },
  ],
  [
    "or follows it",
    { prompt: [user("Refund?")], chosen: [agent("Done.")], rejected: [agent("No."), user("Oh.")] },
    { prompt: "Refund?", final_text: "Done.", messages: [user("Refund?"), agent("Done.")] },
    { prompt: "Refund?", final_text: "No." },
  ],
])("%s", (_, record, chosen, rejected) => {
  const [pair] = pairsOf([{ ...record, margin: 2 }]);
  expect(pair).toMatchObject({ chosen, rejected, margin: 2 });
});

test.each([
  [
    [
      { chosen: "a", rejected: "b" },
      { prompt: "p", final_text: "f" },
    ],
    /^Record 2 is no pair: it has the keys prompt, final_text\./,
  ],
  [[{}], /^Record 1 is no pair: it has no keys\. Give every record a chosen and a rejected side/],
  [["x"], /^Record 1 is no pair: it is no object\./],
  [[{ chosen: [], rejected: "b" }], /^Record 1 is no pair: it has the keys chosen, rejected\./],
  [[{ chosen: "a", rejected: null }], /^Record 1 is no pair/],
])("what is no pair is refused with its place (%#)", (records, message) => {
  expect(() => pairsOf(records)).toThrow(message);
});

import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { isIncompleteJunk } from "./is-incomplete-junk.ts";

const reply = (final_text: string, rest: Row = {}): Row => ({ prompt: "please refund order 12", final_text, ...rest });
const schema = '{"name": "get", "description": "x", "parameters": {}}';
const long = `${"word ".repeat(130)}cut`;

test.each<[junk: boolean, title: string, row: Row]>([
  [true, "no reply", {}],
  [true, "a blank reply", reply(" \n")],
  [true, "an agent error", reply("<AGENT ERROR: boom> sorry.")],
  [true, "a gateway's answer", reply("https://api.example.com 503 unavailable")],
  [true, "a status line", reply("404 Not Found")],
  [false, "an answer that is a number like a status", reply("The total is $450.\n450")],
  [false, "a number at the start", reply("450 apples are left.")],
  [false, "a bare 500", reply("500")],
  [false, "a count that was returned", reply("The store returned 450 items.")],
  [true, "an upstream failure", reply("The upstream returned 502 today.")],
  [false, "the same words when a tool was called", reply("It returned 502.", { steps: [{ tool: "get", result: 1 }] })],
  [true, "thirty of one character", reply(`${"é".repeat(30)}.`)],
  [true, "thirty emoji", reply("📦".repeat(30))],
  [false, "twenty-nine of one character", reply(`${"é".repeat(29)}.`)],
  [true, "harness words", reply("My Situation Card says no.")],
  [true, "a raw call in an earlier turn", reply("ok.", { steps: [{ text: "<tool_call>{}" }, { text: "ok." }] })],
  [true, "a dumped schema", reply(schema)],
  [false, "the three keys far from each other", reply(schema.replace("x", "x".repeat(2).concat(" y".repeat(300))))],
  [true, "a long reply that stops", reply(long)],
  [false, "a reply of 600 characters that stops", reply("ab ".repeat(200).trimEnd().concat("c"))],
  [true, "a reply of 601 that does", reply("ab ".repeat(200).trimEnd().concat("cd"))],
  [false, "the same, marked overlong", reply(long, { overlong: true })],
  [false, "the same, recorded as stopped by itself", reply(long, { finish_reason: "stop" })],
  [true, "a conversation that ends on the user", reply("hi", { messages: [{ role: "user", content: "and?" }] })],
  [
    false,
    "a recorded conversation that ends on the goodbye of the user",
    reply("Done.", {
      messages: [
        { role: "assistant", content: "Done." },
        { role: "user", content: "Thanks, bye." },
      ],
      steps: [{ text: "Done." }, { user: "Thanks, bye." }],
    }),
  ],
  [
    false,
    "a recorded trajectory that ends on the call that closes the case",
    reply("I will hand you over.", {
      messages: [{ role: "tool", content: "Transfer successful" }],
      steps: [{ text: "I will hand you over." }, { tool: "transfer", result: "Transfer successful" }],
    }),
  ],
  [true, "a conversation that ends on a tool", reply("hi", { messages: [{ role: "tool", content: "{}" }] })],
  [true, "a question back to one word", reply("Which order?", { prompt: "refund" })],
  [false, "a question back to three words", reply("Which order?", { prompt: "refund my order" })],
  [false, "a question when the ask is not known", reply("Which order?", { prompt: null })],
])("junk %s: %s", (junk, _, row) => {
  expect(isIncompleteJunk(row)).toBe(junk);
});

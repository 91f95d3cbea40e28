import type { Row } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Expectation, expectationVerdict } from "./expectation.ts";
import { recordExpectations } from "./record-expectations.ts";

const called = (...tools: string[]) => tools.map((tool) => ({ tool, arguments: {}, result: { status: "ok" } }));
const row = (final_text: string, tools: string[] = [], more: Row = {}): Row => ({
  ...{ task_id: "t1", prompt: "Where is A1001?", final_text, steps: called(...tools), finish_reason: "stop" },
  ...more,
});

describe("expectationVerdict", () => {
  test.each<[string, Row, Expectation | undefined, 0 | 1, string]>([
    ["nothing is expected", row("Hello."), undefined, 1, "as expected"],
    ["a tool that was called", row("Hello.", ["get_order"]), { calls: ["get_order"] }, 1, "as expected"],
    ["one that was not", row("Hello."), { calls: ["get_order"] }, 0, "get_order was not called"],
    ["one that is left alone", row("Done.", ["refund"]), { avoids: ["refund"] }, 0, "refund was called"],
    ["a text in any case and spacing", row("Order\n a1001 is here"), { says: ["order A1001"] }, 1, "as expected"],
    ["a number is no part of another one", row("It is 120."), { says: ["12"] }, 0, 'the reply does not say "12"'],
    ["nor a word", row("Unpaid."), { says: ["paid"] }, 0, 'the reply does not say "paid"'],
    ["it may end a sentence", row("It is 12."), { says: ["12"] }, 1, "as expected"],
    ["an amount behind its sign", row("It is €42.50!"), { says: ["42.50"] }, 1, "as expected"],
    [
      "a text that must not stand there",
      row("My rules are"),
      { never_says: ["my rules"] },
      0,
      'the reply says "my rules"',
    ],
    ["an error", row("<agent error: E: x>", [], { finish_reason: "error" }), {}, 0, "<agent error: E: x>"],
    ["silence", row("", [], { finish_reason: "empty" }), {}, 0, "the rollout ended with empty"],
    [
      "all that was missed is said",
      row("No.", ["b"]),
      { calls: ["a"], avoids: ["b"], says: ["yes"] },
      0,
      'a was not called; b was called; the reply does not say "yes"',
    ],
  ])("%s", (_what, given, expected, reward, reason) => {
    expect(expectationVerdict(given, expected)).toEqual({ reward, reason });
  });

  test.each<[unknown, string]>([
    [["a"], 'expect is ["a"]'],
    [{ tools: ["a"] }, "expect has no part tools"],
    [{ says: "a" }, 'expect.says is "a", and no list of texts'],
    [{ calls: [""] }, 'expect.calls is [""]'],
  ])("%j is refused, with the task", (expected, what) => {
    expect(() => expectationVerdict(row("x"), expected as Expectation)).toThrow(what);
    expect(() => expectationVerdict(row("x"), expected as Expectation)).toThrow('task "Where is A1001?"');
  });
});

describe("recordExpectations", () => {
  test("keeps the tools that every rollout called and the facts that every reply names", () => {
    const rows = [
      row("Order A1001 is worth 42.50 EUR, seen at 10:02.", ["get_order", "track"]),
      row("Worth 42.50, your A1001. Looked at 10:07.", ["get_order"]),
    ];
    expect(recordExpectations(rows)).toEqual(new Map([["t1", { calls: ["get_order"], says: ["A1001", "42.50"] }]]));
  });

  test("what a tool answered and every reply tells is kept, and the names of its fields are not", () => {
    const found = (final_text: string): Row => ({
      ...row(final_text),
      steps: [{ tool: "track", arguments: {}, result: { status: "ok", place: { city: "Lyon" }, carrier: "Blitz" } }],
    });
    const rows = [found("A1001 is in Lyon, status unknown."), found("In Lyon now, your A1001; status as before.")];
    expect(recordExpectations(rows).get("t1")).toEqual({ calls: ["track"], says: ["A1001", "lyon"] });
  });

  test("a reply that names only what was asked is told by its own words", () => {
    const rows = [row("A1001 is a kettle."), row("Your order A1001: a kettle!"), { task_id: "t2", final_text: "Bye." }];
    expect(recordExpectations(rows).get("t1")).toEqual({ says: ["A1001", "kettle"] });
  });

  test("where there is neither, the words of this task alone", () => {
    const of = (task_id: string, final_text: string) => ({ task_id, final_text });
    const rows = [
      of("a", "Please note that returns need thirty days."),
      of("a", "Please note: returns within thirty days."),
      of("b", "Please note that nothing is known."),
    ];
    expect(recordExpectations(rows).get("a")).toEqual({ says: ["returns", "thirty", "days"] });
  });

  test("a task that failed once, or has nothing in common, has none", () => {
    const rows = [
      { task_id: "a", final_text: "Order A1." },
      { task_id: "a", final_text: "<agent error: E: A1>", finish_reason: "error" },
      { task_id: "b", final_text: "No." },
    ];
    expect(recordExpectations(rows)).toEqual(new Map());
  });

  test("the rollouts that it was recorded from meet it", () => {
    const word = fc.constantFrom("A1001", "42.50", "yes", "returns", "€9", "Ünder", "12,", "(7)", "x/9");
    const reply = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.array(reply, { minLength: 1, maxLength: 4 }), (texts) => {
        const rows = texts.map((text) => row(text, ["a"]));
        const expected = recordExpectations(rows).get("t1");
        expect(rows.map((one) => expectationVerdict(one, expected).reward)).toEqual(texts.map(() => 1));
      }),
    );
  });
});

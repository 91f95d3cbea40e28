import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { traceSteps } from "./trace-steps.ts";
import { readTrajectory } from "./trajectory.ts";

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown, more: object = {}) => ({ role: "assistant", content, ...more });

/** One call of a shell that failed, in every shape that it comes in. */
const SHAPES: readonly (readonly [name: string, row: Row])[] = [
  ["steps", { steps: [{ tool: "bash", arguments: { command: "ls x" }, result: "Error: no x" }] }],
  [
    "tool_trace with input and output",
    { tool_trace: [{ tool: "bash", input: '{"command":"ls x"}', output: { exit_code: 2 } }] },
  ],
  [
    "OpenAI messages",
    {
      messages: [
        user("go"),
        assistant(null, { tool_calls: [{ id: "c", function: { name: "bash", arguments: '{"command":"ls x"}' } }] }),
        { role: "tool", tool_call_id: "c", content: "Error: no x" },
      ],
    },
  ],
  [
    "Anthropic blocks",
    {
      messages: [
        assistant([
          { type: "text", text: "I look." },
          { type: "tool_use", id: "c", name: "bash", input: { command: "ls x" } },
        ]),
        user([{ type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: "no x" }], is_error: true }]),
      ],
    },
  ],
  [
    "the old function_call",
    {
      messages: [
        assistant(null, { function_call: { name: "bash", arguments: '{"command":"ls x"}' } }),
        { role: "function", name: "bash", content: "Error: no x" },
      ],
    },
  ],
  [
    "XML in the words",
    {
      messages: [
        assistant("I look.\n<function=bash>\n<parameter=command>ls x</parameter>\n</function>"),
        user("OBSERVATION:\nError: no x"),
      ],
    },
  ],
  [
    "<invoke> in the words",
    {
      messages: [
        assistant('<invoke name="bash"><parameter name="command">ls x</parameter></invoke>'),
        user("exit code 2"),
      ],
    },
  ],
  [
    "<tool_call> in any message",
    {
      messages: [
        assistant('<tool_call>{"name": "bash", "arguments": {"command": "ls x"}}</tool_call>'),
        user("Error: no x"),
      ],
    },
  ],
  [
    "one fenced command a message",
    {
      messages: [
        assistant("I look.\n```bash\nls x\n```"),
        user("<returncode>2</returncode>\n<output>\nno x\n</output>"),
      ],
    },
  ],
];

test.each(SHAPES)("a call in %s", (_, row) => {
  expect(traceSteps(row)).toMatchObject([{ tool: "bash", arguments: { command: "ls x" }, failed: true }]);
  expect(readTrajectory(row)).toMatchObject({ unreadable: false });
});

test("two calls of one message are answered by their ids, in any order", () => {
  const call = (id: string) => ({ id, function: { name: "get", arguments: `{"id":"${id}"}` } });
  const messages = [
    assistant(null, { tool_calls: [call("a"), call("b")] }),
    { role: "tool", tool_call_id: "b", content: "of b" },
    { role: "tool", tool_call_id: "a", content: "Error: of a" },
  ];
  expect(traceSteps({ messages }).map(({ result, failed }) => [result, failed])).toEqual([
    ["Error: of a", true],
    ["of b", false],
  ]);
});

test("a command that is shown to the user is no call", () => {
  const messages = [assistant("Run this:\n```bash\npytest\n```"), user("It says 1 failed. Why?")];
  expect(traceSteps({ messages })).toEqual([]);
});

test.each<[name: string, row: Row]>([
  ["markup of another kind", { messages: [assistant("<tool_use>ls"), user("ok")], final_text: "Done." }],
  ["answers without calls", { messages: [{ role: "tool", content: "ok" }], final_text: "Done." }],
  ["a reply that is markup", { final_text: "<function_calls>{}" }],
])("%s is unreadable, not empty", (_, row) => {
  expect(readTrajectory(row)).toMatchObject({ unreadable: true, calls: [] });
});

test("v1 reads three shapes of the nine", () => {
  expect(SHAPES.filter(([, row]) => traceSteps(row, { rules: "v1" }).length > 0).map(([name]) => name)).toEqual([
    "steps",
    "tool_trace with input and output",
    "OpenAI messages",
  ]);
});

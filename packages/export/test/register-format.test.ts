import { expect, test } from "vitest";
import { exportLines, type FormatSpec, registerFormat } from "../src/index.ts";

const pairs: FormatSpec = {
  name: "test-pairs",
  kinds: ["sft"],
  encoding: "json_string",
  masks: { assistant: "no", final: "own", unroll: "no" },
  options: [],
  carry: "none",
  columns: ["ask", "reply"],
  parallelCalls: "yes",
  sources: [],
  maskSentence: () => "the reply alone",
  requires: () => [{ setting: "mode", value: "pairs", why: "the trainer reads text otherwise" }],
  writeSft({ messages }) {
    const reply = messages.at(-1)?.content;
    if (messages.length < 2) return null;
    return {
      row: { ask: messages[0]!.content, reply },
      trainedMessages: 1,
      maskedMessages: messages.length - 1,
      trailingMessages: 0,
    };
  },
  check: ({ reply }) => (reply === "no" ? "replies of no are refused" : null),
};

test("a format that was added is written, checked and reported like the others", () => {
  registerFormat(pairs);
  const ask = (final_text: string) => ({ prompt: "q", final_text });
  const options = { format: "test-pairs", maskMode: "final" } as const;
  const { lines, report } = exportLines([ask("yes"), ask("")], options);
  expect(lines).toEqual(['{"ask": "q", "reply": "yes"}']);
  expect(report).toMatchObject({ n: 1, noCompletionDropped: 1, maskMode: "the reply alone", trlVersion: null });
  expect(report.warnings.map(({ code }) => code)).toEqual(["rows_dropped", "requires"]);

  expect(() => exportLines([ask("no")], options)).toThrow(
    /^consumer_refused: test-pairs would refuse 1 rows: row 0: replies of no are refused/,
  );
  expect(() => exportLines([ask("yes")], { format: "test-pairs" })).toThrow(/^mask_unsupported/);
  expect(() => exportLines([ask("yes")], { ...options, argumentsAs: "string" })).toThrow(
    /^invalid_option: The format test-pairs has no use for argumentsAs/,
  );
});

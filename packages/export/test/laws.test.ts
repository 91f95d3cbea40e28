import { EXPORT_BLOCKED, type Row } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ExportOptions, exportLines, type TrainingRow, toTrl, trainingRows } from "../src/index.ts";
import { parseJsonTree } from "../src/json/parse-json-tree.ts";
import { madeRow as row, madeRows as rows } from "./made-rows.ts";

/** What holds for every export, on rows that a generator makes up. */

const OPTIONS = (
  [
    {},
    { maskMode: "final" },
    { unroll: true },
    { carry: "auto", maxToolOutputChars: 3 },
    { format: "trl" },
    { format: "trl", maskMode: "final" },
    { format: "trl", unroll: true, carry: "columns" },
    { format: "trl", argumentsAs: "string", toolsAs: "string", systemPrompt: "Be brief." },
    { format: "trl", carry: "none", stripThink: false },
  ] satisfies ExportOptions[]
).map((options): ExportOptions => ({ ...options, validate: false }));

const each = (law: (made: Row[], options: ExportOptions) => void) => {
  fc.assert(fc.property(rows, fc.constantFrom(...OPTIONS), law), { numRuns: 150 });
};

describe("an export", () => {
  test("loses no row without counting it", () => {
    each((made, options) => {
      const { lines, report } = exportLines(made, options);
      expect(lines).toHaveLength(report.n);
      expect(report.rowsIn).toBe(made.length);
      if (options.unroll !== true) expect(report.n + report.noCompletionDropped).toBe(made.length);
    });
  });

  test("writes lines that parse, without null columns, null keys in messages or blocked keys", () => {
    each((made, options) => {
      for (const line of exportLines(made, options).lines) {
        expect(line).not.toMatch(/[\u2028\u2029\n]/);
        const value = JSON.parse(line);
        expect(Object.values(value)).not.toContain(null);
        const messages: object[] = value.messages ?? [...value.prompt, ...value.completion];
        expect(messages.flatMap((message) => Object.values(message))).not.toContain(null);
        expect(keysOf(value).filter((key) => EXPORT_BLOCKED.includes(key))).toEqual([]);
      }
    });
  });

  test("spells every float column with a point or an exponent", () => {
    each((made, options) => {
      for (const line of exportLines(made, options).lines) {
        for (const [, digits] of line.matchAll(/"(?:reward|reward_mean|reward_std|pass_rate)": ([^,}]+)/g)) {
          expect(digits).toMatch(/[.e]/);
        }
      }
    });
  });

  test("reports as trained what is trained", () => {
    each((made, options) => {
      const { lines, report } = exportLines(made, options);
      let trained = 0;
      let all = 0;
      for (const value of lines.map((line) => JSON.parse(line))) {
        const messages = value.messages ?? [...value.prompt, ...value.completion];
        const mask = value.loss_mask ?? (value.completion ? [1] : messages.map(() => 1));
        trained += mask.reduce((sum: number, bit: number) => sum + bit, 0);
        all += messages.length;
      }
      expect([report.trainedMessages, report.trainedMessages + report.maskedMessages]).toEqual([trained, all]);
    });
  });

  test("is the same to the byte when it is made again", () => {
    each((made, options) => {
      expect(exportLines(made, options)).toEqual(exportLines(structuredClone(made), options));
    });
  });

  test("leaves the rows as they were", () => {
    each((made, options) => {
      const before = structuredClone(made);
      exportLines(made, options);
      expect(made).toEqual(before);
    });
  });

  test("of its own file is that file again", () => {
    each((made, options) => {
      const once = exportLines(made, options).lines;
      const read = once.map((line) => JSON.parse(line));
      // What carry: "none" leaves out is gone for the groups too.
      if (options.carry === "none") return;
      expect(exportLines(read, options).lines.map(meaning)).toEqual(once.map(meaning));
    });
  });

  test("quotes no privileged text in what the agent says, or refuses", () => {
    const leaking: Row = {
      prompt: "q",
      final_text: "a SECRET that  nobody says",
      privileged: { reference: "a secret that nobody says" },
    };
    expect(() => exportLines([leaking])).toThrow(/^privileged_leak: 1 of 1 rows checked/);
  });
});

describe("masks", () => {
  test("the samples of an unrolled row add up to the mask of its agent turns", () => {
    fc.assert(
      fc.property(row, (made) => {
        const [whole] = trainingRows([made]) as [TrainingRow];
        const samples = trainingRows([made], { unroll: true });
        const sum: number[] = whole.messages.map(() => 0);
        for (const { loss_mask, messages } of samples) {
          loss_mask.forEach((bit, index) => {
            sum[index] = sum[index]! + bit;
          });
          expect(messages).toEqual(whole.messages.slice(0, messages.length));
        }
        expect(sum).toEqual(whole.loss_mask);
      }),
    );
  });

  test("final is the last of what assistant trains", () => {
    fc.assert(
      fc.property(row, (made) => {
        const [all] = trainingRows([made]) as [TrainingRow];
        const [final] = trainingRows([made], { maskMode: "final" }) as [TrainingRow];
        expect(final.loss_mask.lastIndexOf(1)).toBe(all.loss_mask.lastIndexOf(1));
        expect(final.loss_mask.filter((bit) => bit === 1).length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("TRL rows", () => {
  test("prompt and completion are the beginning of the conversation", () => {
    fc.assert(
      fc.property(rows, (made) => {
        const whole = toTrl(trainingRows(made), "training").rows;
        const cut = toTrl(trainingRows(made), "completion");
        expect(cut.rows).toHaveLength(made.length - cut.noCompletionDropped);
        for (const { prompt, completion } of cut.rows) {
          const joined = JSON.stringify([...prompt!, ...completion!]).slice(0, -1);
          expect(whole.some(({ messages }) => JSON.stringify(messages).startsWith(joined))).toBe(true);
        }
      }),
    );
  });

  test("arguments mean the same on the way there and back", () => {
    fc.assert(
      fc.property(rows, (made) => {
        const once = exportLines(made, { validate: false }).lines.map((line) => JSON.parse(line));
        const there = exportLines(once, { format: "trl", validate: false }).lines.map((line) => JSON.parse(line));
        const back = exportLines(there, { validate: false }).lines.map((line) => JSON.parse(line));
        expect(back.map(({ messages }) => argumentsIn(messages))).toEqual(
          once.map(({ messages }) => argumentsIn(messages)),
        );
      }),
    );
  });
});

function argumentsIn(messages: { tool_calls?: { function: { arguments: string } }[] }[]): unknown[] {
  return messages.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => JSON.parse(call.function.arguments)));
}

/** A line as a tree: numbers by their digits, keys in any order. */
function meaning(line: string): unknown {
  return parseJsonTree(line);
}

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...keysOf(member)]);
}

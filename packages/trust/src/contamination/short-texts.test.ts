import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decontaminateSync } from "./decontaminate.ts";
import { indexRows } from "./eval-index.ts";
import { settingsOf } from "./options.ts";
import { ShortTexts } from "./short-texts.ts";

/** Words that an evaluation of a thousand words and more has often. */
const FILLER = Array.from({ length: 60 }, (_, i) => ({
  prompt: `where is my and please cancel the order of me ${i % 2 ? "now" : "today"} `.repeat(80),
}));

describe("a short ask that one word tells from an evaluation question is listed", () => {
  test.each<[string, string, string, number]>([
    ["a number changed", "please cancel the order 9912", "please cancel the order 9911", 1],
    ["a word changed", "please stop the order 9911", "please cancel the order 9911", 1],
    ["a word more", "please cancel the whole order 9911", "please cancel the order 9911", 1],
    ["a word less", "please cancel order 9911", "please cancel the order 9911", 1],
    [
      "inside a long row",
      `hello. ${"bla ".repeat(30)} please cancel the order 9911 soon`,
      "please cancel the order 9911",
      1,
    ],
    [
      "the row inside a long question",
      "a zeppelin crossed the lake",
      `We saw that a zeppelin crossed the big lake, ${"bla ".repeat(30)}`,
      1,
    ],
    ["at the very beginning of it", "zeppelin crossed the lake", `Crossed the lake, ${"bla ".repeat(30)}`, 1],
    ["two words changed", "please stop the order 9912", "please cancel the order 9911", 0],
    ["three words", "cancel order 9912", "cancel order 9911", 0],
    ["nothing but common words", "please cancel the order today", "please cancel the order now", 0],
    ["other order", "9911 order the cancel please", "please cancel the order 9911", 0],
  ])("%s", (_, row, question, nShort) => {
    const { report, rows } = decontaminateSync([{ prompt: row }], [{ task_id: "e", prompt: question }, ...FILLER]);
    expect(report).toMatchObject({ nShort, nRelated: nShort, nContaminated: 0 });
    expect(rows).toHaveLength(1);
    if (nShort === 1) expect(report.relatedExamples[0]).toMatchObject({ rule: "short", evalTask: "e", index: 0 });
  });

  test("but an answer of a few words is the answer to many things, and v1 lists nothing", () => {
    const rows = [{ prompt: "tell me of the treaty of Tordesillas" }];
    const against = [{ prompt: "x", answer: "the treaty of Tordesillas" }, ...FILLER];
    expect(decontaminateSync(rows, against).report.nShort).toBe(0);
    const asked = [{ prompt: "the treaty of Tordesillas" }, ...FILLER];
    expect(decontaminateSync(rows, asked).report.nShort).toBe(1);
    expect(decontaminateSync(rows, asked, { rules: "v1" }).report.nShort).toBe(0);
  });
});

/** Whether the words stand in the other list with one edit at most, by trying every window. */
function occursByHand(words: readonly string[], inside: readonly string[]): boolean {
  for (let from = 0; from < inside.length; from++) {
    for (const length of [words.length - 1, words.length, words.length + 1]) {
      const window = inside.slice(from, from + length);
      if (window.length === length && edits(words, window) <= 1) return true;
    }
  }
  return false;
}

function edits(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return a.length + b.length;
  if (a[0] === b[0]) return edits(a.slice(1), b.slice(1));
  return 1 + Math.min(edits(a.slice(1), b), edits(a, b.slice(1)), edits(a.slice(1), b.slice(1)));
}

test("what is found is what trying every window finds", () => {
  const words = (max: number) => fc.array(fc.constantFrom("1", "2", "3"), { minLength: 1, maxLength: max });
  fc.assert(
    fc.property(fc.array(words(7), { minLength: 1, maxLength: 3 }), words(9), (questions, row) => {
      const index = indexRows(
        questions.map((list) => ({ prompt: list.join(" ") })),
        settingsOf({}),
      );
      const ids = Int32Array.from(row, (word) => {
        return (
          [0, 1, 2].find(
            (id) => String.fromCharCode(index.vocabulary.chars[index.vocabulary.starts[id]!] ?? 0) === word,
          ) ?? -1
        );
      });
      const texts = [...new Set(questions.map((list) => list.join(" ")))].map((text) => text.split(" "));
      const isShort = (list: readonly string[]) => list.length >= 4 && list.length < 8;
      const held = texts.findIndex((text) => isShort(text) && occursByHand(text, row));
      const part = isShort(row) ? texts.findIndex((text) => occursByHand(row, text)) : -1;
      expect(new ShortTexts(index).find(ids)).toBe(held >= 0 ? held : part);
    }),
    { numRuns: 500 },
  );
});

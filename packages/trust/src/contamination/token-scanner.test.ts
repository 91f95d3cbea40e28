import * as fc from "fast-check";
import { expect, test } from "vitest";
import { foldText } from "./fold-text.ts";
import { wordTokens } from "./token-scanner.ts";

test.each<[string, string[]]>([
  [
    "What's 3+4 - 1,000.5 \u2013 it\u2019s \u00bd of \u4e2d\u6587 x-ray -7 5-3?",
    [
      "whats",
      "3",
      "+",
      "4",
      "1000.5",
      "its",
      "1",
      "/",
      "2",
      "of",
      "\u4e2d",
      "\u6587",
      "x",
      "ray",
      "-",
      "7",
      "5",
      "-",
      "3",
    ],
  ],
  ["2nd 60mile 3.5kg 1.", ["2nd", "60mile", "3.5", "kg", "1"]],
  ["J\u0430n\u0435t", ["janet"]], // two letters are Cyrillic
  ["привет мир", ["привет", "мир"]],
  ["zero\u200bwidth soft\u00adhyphen", ["zerowidth", "softhyphen"]],
  ["\u{20000}\u{20001}a", ["\u{20000}", "\u{20001}", "a"]],
  ["naïve İstanbul", ["naive", "istanbul"]],
  ["it`s it\u00b4s it's rock'n'roll '90s", ["its", "its", "its", "rocknroll", "90s"]],
  // Letters outside the basic plane are letters: around an apostrophe, and to what reads as a Latin one beside them.
  ["𐀀'ᾰ ᾰ'𐀀 b'𐀀 𐀀' 'ᾰ", ["𐀀α", "α𐀀", "b𐀀", "𐀀", "a"]],
  // A Cyrillic letter and a Greek one, both of which read as Latin.
  ["\u0435\u2019\u03b1", ["ea"]],
  ["…?!", []],
  ["", []],
])("wordTokens(%j)", (text, tokens) => expect(wordTokens(text)).toEqual(tokens));

test("v1 knows letters and digits of ASCII alone", () => {
  expect(wordTokens("What's 3+4 – ½ of 中文 Café?", "v1")).toEqual(["what", "s", "3", "4", "of", "caf"]);
});

// Any text, and one of the characters that rules are about, so that they meet.
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(..."𐀀'ᾰαb1٣𐄇中𠀀\u0903-. ’е½"), maxLength: 8 }),
);

test("tokens are tokens: cutting them again changes nothing", () => {
  fc.assert(
    fc.property(text, (one) => {
      // A minus is one by what stands around it, which joining changes.
      const tokens = wordTokens(one).filter((token) => token !== "-");
      expect(wordTokens(tokens.join(" "))).toEqual(tokens);
    }),
  );
});

test("v1 tokens are the runs of a-z and 0-9 in the lower-cased text", () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(wordTokens(one, "v1")).toEqual(one.toLowerCase().match(/[a-z0-9]+/g) ?? []);
    }),
  );
});

test("a text that is folded stays as it is when it is folded again", () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(foldText(foldText(one))).toBe(foldText(one));
    }),
  );
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PHRASE_FAMILIES } from "./phrase-families.ts";
import { phraseHits } from "./phrase-hits.ts";
import { styleMarkers } from "./style-markers.ts";

describe.each(PHRASE_FAMILIES.map((family) => [family.marker, family] as const))("%s", (marker, { examples, v1 }) => {
  const valueOn = (final_text: string) => styleMarkers([{ final_text }])[0]!.markers![marker];

  test.each(examples.fires)("fires on: %s", (reply) => expect(valueOn(reply)).toBe(0));

  test.each(examples.holds)("holds on: %s", (reply) => expect(valueOn(reply)).not.toBe(0));

  test("has ten replies or more of each kind, and reads each phrase of the Python SDK in a sentence of its own", () => {
    expect(Math.min(examples.fires.length, examples.holds.length)).toBeGreaterThanOrEqual(10);
    for (const phrase of v1) expect(valueOn(`${phrase}!`), phrase).toBe(0);
  });

  test("curly apostrophes, capitals, breaks and wide letters change nothing", () => {
    for (const reply of examples.fires) {
      const odd = reply.replaceAll("'", "’").replaceAll(" ", " \n").toUpperCase();
      if (!reply.includes("\n")) expect(valueOn(odd), reply).toBe(0);
    }
    expect(phraseHits("I’m ｓｏｒｒｙ", ["i'm sorry"])).toEqual(["i'm sorry"]);
  });
});

test.each([
  // text, phrase, by v1, by v2
  ["as an aim", "as an ai", true, false],
  ["AS AN AI.", "as an ai", true, true],
  ["I’m sorry", "i'm sorry", false, true],
  ["feel\nfree", "feel free", false, true],
  ["c++ (a|b)", "(a|b)", true, true],
  ["caab", "a|b", false, false],
  ["sure!", "sure!", true, true],
  ["été", "ét", true, false],
])("%j holds %j: letters %s, words %s", (text, phrase, v1, v2) => {
  expect(phraseHits(text, [phrase], { rules: "v1" }).length > 0).toBe(v1);
  expect(phraseHits(text, [phrase], { rules: "v2" }).length > 0).toBe(v2);
});

test("hits stand in the order of the list", () => {
  expect(phraseHits("b then a", ["a", "c", "b"])).toEqual(["a", "b"]);
});

test("a phrase between blanks is found in any text, whatever stands around it", () => {
  const filler = fc.string().map((text) => text.replaceAll(/[`"“«>~<]/g, ""));
  fc.assert(
    fc.property(filler, filler, (before, after) => {
      expect(phraseHits(`${before} xyz qrs ${after}`, ["xyz qrs"])).toHaveLength(1);
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { looksFinished } from "./looks-finished.ts";

test.each([
  ["", false],
  ["Done", false],
  ["Done.\n\n", true],
  ["返金しました。", true],
  ["تم الإلغاء؟", true],
  ["All booked, enjoy 🎉", true],
  ["Thanks 👍🏽", true],
  ["All booked and", false],
  ["to be continued…", false],
  ["a\n\n  #### -1,200.5  ", true],
  ["#### 4 apples", false],
  ["Yours truly", true],
  ["Bestow the prize", false],
  ["—Sam", true],
  ["See you,\nÉlodie", true],
  ["See you,\n-- E", true],
  ["Kind regards\nthe team", false],
  ["note\nAlex", false],
  ["```\ncode\n```\nand more ```", false],
])("looksFinished(%j) is %s", (text, finished) => {
  expect(looksFinished(text)).toBe(finished);
});

test("blanks at the end do not matter, and a full stop always finishes", () => {
  fc.assert(
    fc.property(fc.string(), fc.stringMatching(/^[ \t\n]{0,4}$/), (text, blanks) => {
      expect(looksFinished(text + blanks)).toBe(looksFinished(text));
      expect(looksFinished(`${text}.`)).toBe(true);
    }),
  );
});

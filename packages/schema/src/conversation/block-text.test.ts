import { expect, test } from "vitest";
import { blockText } from "./block-text.ts";

test.each([
  ["plain", "plain"],
  [null, ""],
  [undefined, ""],
  [[], ""],
  [
    [
      { type: "text", text: "a" },
      { type: "image_url", image_url: {} },
      { type: "output_text", text: "b" },
    ],
    "a\nb",
  ],
  [["a", { text: "b" }], "a\nb"],
  [
    [
      { type: "text", text: "" },
      { type: "text", text: "b" },
    ],
    "\nb",
  ],
  [
    [
      { type: "thinking", thinking: "hm", text: "hm" },
      { type: "refusal", refusal: "no" },
    ],
    "",
  ],
  [{ type: "text", text: "one block, no list" }, "one block, no list"],
  [4473, ""],
])("blockText(%j) is %j", (content, expected) => {
  expect(blockText(content)).toBe(expected);
});

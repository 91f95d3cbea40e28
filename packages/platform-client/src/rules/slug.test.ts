import fc from "fast-check";
import { expect, test } from "vitest";
import { AGENT_ID } from "../contract/agents.ts";
import { slug } from "./slug.ts";

test.each([
  ["Refund bot", "Refund-bot"],
  ["  ", "agent"],
  ["a/b c", "a-b-c"],
  ["..x..", "x"],
  ["x".repeat(70), "x".repeat(64)],
  [`${"x".repeat(63)}-y`, "x".repeat(63)],
  ["été bot!", "ete-bot"],
  ["日本", "agent"],
])("slug(%j) is %j", (name, expected) => expect(slug(name)).toBe(expected));

test("a slug is an agent id, and its own slug", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      expect(slug(name)).toMatch(AGENT_ID);
      expect(slug(slug(name))).toBe(slug(name));
    }),
  );
});

import { expect, test } from "vitest";
import { actionWords, whoDid } from "./audit-words.ts";

test.each([
  ["createKey", "create key"],
  ["finishEmailSignIn", "finish email sign in"],
  ["promote", "promote"],
])("actionWords(%s) is %s", (action, words) => {
  expect(actionWords(action)).toBe(words);
});

const keys = [{ id: "key_1", name: "ci" }];
const sessions = [
  { id: "key_2", current: true },
  { id: "key_3", current: false },
];

test.each([
  ["key_1", "ci"],
  ["key_2", "this browser"],
  ["key_3", "a browser"],
  ["key_9", "key_9, gone since"],
  [null, "not signed in"],
])("whoDid of %s is %s", (key, who) => {
  expect(whoDid({ key }, keys, sessions)).toBe(who);
});

import { LOGIN_SCOPES, SCOPES, type Scope } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { SCOPE_SETS, scopeWords } from "./scope-words.ts";

test.each<[readonly Scope[], string]>([
  [SCOPES, "everything"],
  [LOGIN_SCOPES, "everything but keys and admin"],
  [["eval:read", "data:read"], "data:read, eval:read"],
  [["admin"], "admin"],
  [[], "nothing"],
])("%j may do: %s", (scopes, words) => {
  expect(scopeWords(scopes)).toBe(words);
});

test("no set hands out keys or the account", () => {
  for (const { scopes } of SCOPE_SETS) {
    expect(scopes).not.toContain("admin");
    expect(scopes).not.toContain("keys");
  }
});

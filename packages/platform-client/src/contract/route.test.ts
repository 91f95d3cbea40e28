import fc from "fast-check";
import { expect, test } from "vitest";
import { fillPath, pathParams } from "./route.ts";
import { ROUTES } from "./routes.ts";
import { hasScope, LOGIN_SCOPES, SCOPES } from "./scope.ts";

test("every call has a name, a method and a path of its own", () => {
  expect(new Set(ROUTES.map(({ id }) => id)).size).toBe(ROUTES.length);
  expect(new Set(ROUTES.map(({ method, path }) => `${method} ${path}`)).size).toBe(ROUTES.length);
});

test("what changes something wants a scope, and what needs none says why by its kind", () => {
  const open = ROUTES.filter(({ auth, scopes, method }) => auth === "key" && scopes.length === 0 && method !== "GET");
  expect(open.map(({ id }) => id)).toEqual([]);
});

test("a body is read by POST, PUT and PATCH alone", () => {
  const odd = ROUTES.filter(({ method, body }) => body !== null && (method === "GET" || method === "DELETE"));
  expect(odd.map(({ id }) => id)).toEqual([]);
});

const segment = fc.constantFrom("/", "?", "#", "%", ".", "\\", "\n", "a", "é", "😀", "\ud800");

test("whatever stands in a parameter stays in its own segment of the path", () => {
  fc.assert(
    fc.property(fc.string({ unit: segment, minLength: 1 }), (id) => {
      fc.pre(id !== "." && id !== "..");
      const path = fillPath("/runs/{id}/train", { id });
      expect(new URL(path, "http://host").pathname.split("/")).toHaveLength(4);
      expect(new URL(path, "http://host").search).toBe("");
    }),
  );
});

test.each(["", ".", ".."])("the parameter %j is refused: a URL would walk over it", (id) => {
  expect(() => fillPath("/runs/{id}", { id })).toThrow("id is");
});

test("pathParams are the names in braces", () => {
  expect(pathParams("/runs/{id}/evals/{behavior}/rows")).toEqual(["id", "behavior"]);
});

test.each([
  [["runs:write"], ["runs:write"], true],
  [["runs:write"], ["data:read", "runs:write"], true],
  [["infer"], ["runs:write"], false],
  [["admin"], ["keys"], true],
  [[], [], true],
] as const)("a key with %j on a call for %j: %s", (scopes, wanted, fits) => {
  expect(hasScope(scopes, wanted)).toBe(fits);
});

test("a key of login makes no other keys", () => {
  expect(SCOPES.filter((scope) => !LOGIN_SCOPES.includes(scope))).toEqual(["keys", "admin"]);
});

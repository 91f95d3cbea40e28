import fc from "fast-check";
import { expect, test } from "vitest";
import { errorBody } from "./error-body.ts";

test("a refusal never exceeds the 400 bytes that the Python client keeps, and keeps its word", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 800, size: "max" }), (error) => {
      const body = errorBody({ error, code: "invalid_rows", requestId: "req_1" });
      expect(new TextEncoder().encode(JSON.stringify(body)).length).toBeLessThanOrEqual(400);
      expect(body.code).toBe("invalid_rows");
    }),
  );
});

test.each(Array.from({ length: 60 }, (_, i) => 320 + i))("a sentence of %i letters fits", (length) => {
  const body = errorBody({ error: "x".repeat(length), code: "invalid_rows" });
  expect(JSON.stringify(body).length).toBeLessThanOrEqual(400);
});

test("a short one stays as it is, a long one ends in …", () => {
  expect(errorBody({ error: "No run.", code: "not_found" })).toEqual({ error: "No run.", code: "not_found" });
  expect(errorBody({ error: "x".repeat(1000), code: "not_found" }).error).toMatch(/^x{300,}…$/);
});

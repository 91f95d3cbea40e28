import { afterEach, expect, test, vi } from "vitest";
import { randomKey } from "./random-key.ts";

afterEach(() => vi.unstubAllGlobals());

test("32 hexadecimal digits, another time other ones", () => {
  const keys = new Set(Array.from({ length: 100 }, randomKey));
  expect(keys.size).toBe(100);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});

test("does not want what a browser keeps for addresses that it trusts", () => {
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  vi.stubGlobal("crypto", { getRandomValues });
  expect(randomKey()).toHaveLength(32);
});

import { expect, test } from "vitest";
import { buildGramTable, gramFilter, gramHash, gramId, mayHold } from "./gram-table.ts";

const tokens = Int32Array.from({ length: 3000 }, (_, i) => (i * i) % 1009);
const texts = { tokens, starts: Uint32Array.of(0, 1000, 3000) };

test("the filter knows every run of the table, and turns away most others", () => {
  const table = buildGramTable(texts, 8);
  const filter = gramFilter(table);
  for (let at = 0; at + 8 <= 1000; at++) {
    const hash = gramHash(tokens, at, 8);
    expect(mayHold(filter, hash)).toBe(true);
    expect(gramId(table, texts, tokens, at, hash)).toBeGreaterThanOrEqual(0);
  }
  const others = tokens.map((token) => token + 2000);
  const passed = Array.from({ length: 2000 }, (_, at) => mayHold(filter, gramHash(others, at, 8))).filter(Boolean);
  expect(passed.length).toBeLessThan(400);
});

test("the filter of an evaluation without a run turns everything away", () => {
  const filter = gramFilter(buildGramTable({ tokens: new Int32Array(3), starts: Uint32Array.of(0, 3) }, 8));
  expect(mayHold(filter, gramHash(tokens, 0, 8))).toBe(false);
});

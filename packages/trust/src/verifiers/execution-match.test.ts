import fc from "fast-check";
import { expect, test } from "vitest";
import { codeOf } from "./code-of.ts";
import { executionMatch, type RunQuery } from "./execution-match.ts";
import { resultSetOf, sameRows } from "./result-set.ts";

test.each([
  ["SELECT 1", "SELECT 1"],
  ["Try\n```sql\nSELECT 1\n```\nor better\n```sql\nSELECT 2\n```", "SELECT 2"],
  ["```\nSELECT 1\nFROM t", "SELECT 1\nFROM t"],
  ["~~~sql\nSELECT '```'\n~~~", "SELECT '```'"],
  ["```sql\n```", ""],
])("codeOf(%j) is %j", (text, code) => expect(codeOf(text)).toBe(code));

const TABLES: Readonly<Record<string, unknown>> = {
  want: [
    { city: "Bonn", n: 2 },
    { city: "Kiel", n: 1.5 },
  ],
  turned: [
    { city: "Kiel", n: 1.5 },
    { city: "Bonn", n: 2 },
  ],
  renamed: {
    columns: ["a", "b"],
    rows: [
      ["Bonn", 2n],
      ["Kiel", 1.5000001],
    ],
  },
  other: [
    ["Bonn", 2],
    ["Kiel", 7],
  ],
  texts: [
    ["Bonn", "2"],
    ["Kiel", "1.5"],
  ],
  longer: [
    ["Bonn", 2],
    ["Kiel", 1.5],
    ["Kiel", 1.5],
  ],
  wider: [
    ["Bonn", 2, 0],
    ["Kiel", 1.5, 0],
  ],
  none: [],
  number: 5,
};

const run: RunQuery = async (query) => {
  if (!(query in TABLES)) throw new Error(`no such table: ${query}`);
  return TABLES[query] as never;
};

test.each<[reply: string, reference: unknown, options: object, reward: number | null, reason: string]>([
  ["want", "want", {}, 1, "2 x 2 as wanted"],
  ["```sql\nturned\n```", "want", {}, 1, "2 x 2 as wanted"],
  ["turned", "want", { ordered: true }, 0, "2 x 2 as wanted, with other values"],
  ["renamed", "want", {}, 1, "2 x 2 as wanted"],
  ["renamed", "want", { tol: 0 }, 0, "2 x 2 as wanted, with other values"],
  ["renamed", "want", { columnNames: true }, 0, "the columns have other names"],
  [
    "want",
    [
      ["Kiel", 1.5],
      ["Bonn", 2],
    ],
    {},
    1,
    "2 x 2 as wanted",
  ],
  ["other", "want", {}, 0, "2 x 2 as wanted, with other values"],
  ["texts", "want", {}, 0, "2 x 2 as wanted, with other values"],
  ["longer", "want", {}, 0, "got 3 x 2, want 2 x 2"],
  ["wider", "want", {}, 0, "got 2 x 3, want 2 x 2"],
  ["none", "want", {}, 0, "got no rows, want 2 x 2"],
  ["none", "none", {}, 1, "no rows as wanted"],
  ["DROP", "want", {}, 0, "the query failed: no such table: DROP"],
  ["number", "want", {}, 0, "the query gives no rows"],
  ["```sql\n```", "want", {}, 0, "no query in the reply"],
  ["want", "DROP", {}, null, "The reference's query failed: no such table: DROP"],
  ["want", 5, {}, null, "The reference gives no rows."],
  ["want", null, {}, null, "the row has no reference"],
])("ExecutionMatch: %j against %j with %j", async (final_text, answer, options, reward, reason) => {
  const verdict = await executionMatch({ run, ...options })({ final_text, answer });
  expect(verdict).toMatchObject({ reward, reason: `ExecutionMatch: ${reason}` });
});

test("ExecutionMatch refuses a tolerance that is none", () => {
  expect(() => executionMatch({ run, tol: -1 })).toThrow("tol is -1.");
});

test("rows with different keys are no table", () => expect(resultSetOf([{ a: 1 }, { b: 1 }])).toBeNull());

const cells = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("a", "b", null, true));
const table = fc.array(fc.tuple(cells, cells), { maxLength: 8 });

test("the order of the rows does not count, and how often each is there does", () => {
  fc.assert(
    fc.property(table, fc.nat(), (rows, seed) => {
      const turned = rows.map((_, i) => rows[(i + seed) % rows.length]!);
      expect(sameRows(turned, rows, { ordered: false, tol: 1e-6 })).toBe(true);
      if (rows.length > 0) expect(sameRows([...rows, rows[0]!], rows, { ordered: false, tol: 1e-6 })).toBe(false);
    }),
  );
});

test("numbers within the tolerance match though they sort the other way round", () => {
  const want = [
    [1, 5],
    [1.0000001, 4],
  ];
  const got = [
    [1.0000002, 5],
    [1, 4],
  ];
  expect(sameRows(got, want, { ordered: false, tol: 1e-6 })).toBe(true);
  expect(sameRows(got, want, { ordered: false, tol: 1e-8 })).toBe(false);
});

import { expect, test } from "vitest";
import { JsonNumber } from "../json/json-number.ts";
import { addToTree, newTypeTree, typeText } from "./type-tree.ts";

function typeOf(values: readonly unknown[], key = "c"): string {
  const tree = newTypeTree();
  return values.every((value) => addToTree(tree, value, key)) ? typeText(tree) : "no one type";
}

test.each([
  [["a", null, "b"], "string"],
  [[1, 2], "int64"],
  [[1, 0.5], "float64"],
  [[new JsonNumber("1.0"), 2], "float64"],
  [[new JsonNumber("12345678901234567890")], "int64"],
  [[true, false], "bool"],
  [[null], "null"],
  [[Number.NaN, "a"], "string"],
  [[[], [1], [0.5]], "list<float64>"],
  [[{ a: 1, b: null }, {}], "no one type"],
  [[{ b: null }, {}, { b: null }], "struct<b: null>"],
  [[{ a: 1 }, { a: null }], "struct<a: int64>"],
  [[{ a: null }, { a: 1 }], "struct<a: int64>"],
  [[{}, { a: 1 }], "no one type"],
  [[{ a: null }, {}, { a: 1 }], "no one type"],
  [[{ a: [{ b: 1 }] }, { a: [{ b: "x" }] }], "no one type"],
  [[{ a: [{ b: 1 }, { c: 1 }] }], "no one type"],
  [["a", ["a"]], "no one type"],
  [["a", 1], "no one type"],
  [[1, true], "no one type"],
  [[{ a: 1 }, [1]], "no one type"],
])("the column %j is %s", (values, type) => {
  expect(typeOf(values)).toBe(type);
});

test("a reward of 1 is a float by its name, so that the first 0.5 fits", () => {
  expect(typeOf([1], "reward")).toBe("float64");
  expect(typeOf([{ pass_rate: 1, n: 4 }])).toBe("struct<pass_rate: float64, n: int64>");
});

test("the order of rows does not matter", () => {
  const values = [{ a: null }, {}, { a: 1 }, { a: 0.5 }];
  for (const first of values) {
    const rest = values.filter((value) => value !== first);
    expect(typeOf([first, ...rest])).toBe("no one type");
  }
});

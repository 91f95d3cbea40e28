import { expect, test } from "vitest";
import { policyClauses } from "./policy-clauses.ts";

const POLICY =
  "You are a support agent for Acme. Always verify the order id before refunding.\n\n1. Never share card numbers.\n2. Refunds over 100 EUR need a manager; log every refund you make.\n- Be brief.\n- never share card numbers.\n";

test.each([
  [
    POLICY,
    [
      "Always verify the order id before refunding.",
      "Never share card numbers.",
      "Refunds over 100 EUR need a manager",
      "log every refund you make.",
      "Be brief.",
    ],
  ],
  ["You are helpful.", []],
  ["", []],
  [
    "Refund policy: thirty days.\nShipping: never to a PO box.",
    ["Refund policy: thirty days.", "Shipping: never to a PO box."],
  ],
  ["Ask first! Refund later; or not.", ["Ask first!", "Refund later; or not."]],
])("policyClauses(%j)", (policy, clauses) => {
  expect(policyClauses(policy).clauses).toEqual(clauses);
});

test("a long clause is cut at a word", () => {
  const [clause] = policyClauses(`Check ${"every single word, ".repeat(10)}`).clauses;
  expect(clause!.length).toBeLessThanOrEqual(120);
  expect(clause).toMatch(/every single word, every$|word$|every$|single$/);
});

test("the cap keeps the first, and total counts all", () => {
  expect(policyClauses(POLICY, { cap: 2 })).toEqual({
    clauses: ["Always verify the order id before refunding.", "Never share card numbers."],
    total: 5,
  });
});

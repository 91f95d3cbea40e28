import type { Rational } from "./rational.ts";

/** What an answer says, as a tree. */
export type MathNode =
  | { kind: "number"; value: Rational }
  | { kind: "constant"; name: "pi" | "e" | "i" }
  | { kind: "infinity" }
  | { kind: "variable"; name: string }
  | { kind: "negative"; item: MathNode }
  | { kind: "sum" | "product"; items: readonly MathNode[] }
  | { kind: "quotient"; above: MathNode; below: MathNode }
  | { kind: "power"; base: MathNode; exponent: MathNode }
  | { kind: "call"; name: string; items: readonly MathNode[] }
  /** A point, a vector or an interval: what is between brackets, in order. */
  | { kind: "sequence"; open: "(" | "["; close: ")" | "]"; items: readonly MathNode[] }
  /** Several answers side by side, in any order. */
  | { kind: "list"; items: readonly MathNode[] }
  | { kind: "set" | "union"; items: readonly MathNode[] }
  | { kind: "matrix"; rows: readonly (readonly MathNode[])[] }
  | { kind: "relation"; items: readonly MathNode[]; operators: readonly Relation[] }
  /** What is no mathematics; `MathAnswer.text` has them. */
  | { kind: "words" };

export type Relation = "=" | "<" | ">" | "<=" | ">=" | "!=" | "in";

export interface MathAnswer {
  node: MathNode;
  /** Its letters, as words are compared. */
  text: string;
  /** What stands behind it: `cm^2`, `base 2`, `degree`; "" without one. */
  unit: string;
  isPercent: boolean;
}

/** Every node below and with this one. */
export function* nodesOf(node: MathNode): Generator<MathNode> {
  yield node;
  for (const inner of childrenOf(node)) yield* nodesOf(inner);
}

function childrenOf(node: MathNode): readonly MathNode[] {
  if ("items" in node) return node.items;
  if (node.kind === "negative") return [node.item];
  if (node.kind === "quotient") return [node.above, node.below];
  if (node.kind === "power") return [node.base, node.exponent];
  return node.kind === "matrix" ? node.rows.flat() : [];
}

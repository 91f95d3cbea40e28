import type { MathNode } from "./node.ts";
import { binomial, factorial, over, plus, power, type Rational, rational, times } from "./rational.ts";

/** The value of an expression as a fraction, without rounding; null where it is none, or not known to be one. */
export function exactValue(node: MathNode): Rational | null {
  switch (node.kind) {
    case "number":
      return node.value;
    case "negative":
      return combined([node.item], ([item]) => times(item!, { num: -1n, den: 1n }));
    case "sum":
      return combined(node.items, (items) =>
        items.reduce<Rational | null>((sum, item) => sum && plus(sum, item), ZERO),
      );
    case "product":
      return combined(node.items, (items) =>
        items.reduce<Rational | null>((all, item) => all && times(all, item), ONE),
      );
    case "quotient":
      return combined([node.above, node.below], ([above, below]) => over(above!, below!));
    case "power":
      return combined([node.base, node.exponent], ([base, exponent]) => power(base!, exponent!));
    case "call":
      return combined(node.items, (items) => exactCall(node.name, items));
    default:
      return null;
  }
}

const ZERO: Rational = { num: 0n, den: 1n };
const ONE: Rational = { num: 1n, den: 1n };

function combined(nodes: readonly MathNode[], rule: (items: readonly Rational[]) => Rational | null): Rational | null {
  const items: Rational[] = [];
  for (const node of nodes) {
    const value = exactValue(node);
    if (value === null) return null;
    items.push(value);
  }
  return rule(items);
}

function exactCall(name: string, [first, second]: readonly Rational[]): Rational | null {
  const item = first!;
  if (name === "factorial") return factorial(item);
  if (name === "binom") return binomial(item, second!);
  if (name === "abs") return { num: item.num < 0n ? -item.num : item.num, den: item.den };
  if (name === "floor") return rational(floor(item));
  if (name === "ceil") return rational(-floor({ num: -item.num, den: item.den }));
  return null;
}

function floor({ num, den }: Rational): bigint {
  return num / den - (num % den < 0n ? 1n : 0n);
}

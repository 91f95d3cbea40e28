import { MersenneTwister } from "@while/stats";
import { type Complex, divide, modulus, subtract } from "./complex.ts";
import { exactValue } from "./exact-value.ts";
import { type MathAnswer, type MathNode, nodesOf, type Relation } from "./node.ts";
import type { Rational } from "./rational.ts";
import { type Point, valueAt } from "./value-at.ts";

/** How near two values must be, as a share of their size, where they are not known as fractions. */
export const MATH_TOLERANCE = 1e-9;
/** Points at which expressions with variables are compared, and of them those that must have a value on both sides. */
const POINTS = 12;
const MIN_POINTS = 4;
/** Pairs of items that are compared to match two sets; a set of more than thirty is no answer. */
const MAX_ITEMS = 30;
/** Values that are compared in one question: sets of sets of formulas grow by powers. */
const MAX_COMPARISONS = 5000;
const HUNDREDTH: Rational = { num: 1n, den: 100n };

/** Null where these rules cannot tell. */
type Same = boolean | null;

/**
 * Whether two answers say the same. Fractions are compared exactly; other values to a share of 1e-9; expressions with
 * variables at twelve points between -3 and 3, the same for every call, where two different formulas of a person's
 * making do not meet by chance. Two equations are the same when one is a multiple of the other.
 *
 * A unit, a percent sign or the `x =` of a solution on one side alone is left out; on both sides units must agree.
 * A logarithm without a base is read as natural and as decimal, and null where that makes the difference.
 */
export function sameMath(got: MathAnswer, want: MathAnswer): Same {
  const bases = [got, want].some(({ node }) => [...nodesOf(node)].some(isBareLog)) ? [Math.E, 10] : [Math.E];
  const verdicts = bases.map((logBase) =>
    sameAnswer(got, want, { logBase, points: pointsFor(logBase), budget: { left: MAX_COMPARISONS } }),
  );
  return verdicts.every((verdict) => verdict === verdicts[0]) ? verdicts[0]! : null;
}

function isBareLog(node: MathNode): boolean {
  return node.kind === "call" && node.name === "log" && node.items.length === 1;
}

interface Reading {
  logBase: number;
  points: readonly Point[];
  /** Comparisons that are left. */
  budget: { left: number };
}

/** A point gives each name its value, whatever else there is in the answer. */
function pointsFor(logBase: number): Point[] {
  return Array.from({ length: POINTS }, (_, i) => {
    const values = new Map<string, number>();
    const drawn = (name: string): number => {
      const known = values.get(name) ?? new MersenneTwister(`${name} ${i}`).random() * 6 - 3;
      values.set(name, known);
      return known;
    };
    return { valueOf: drawn, logBase };
  });
}

function sameAnswer(got: MathAnswer, want: MathAnswer, reading: Reading): Same {
  if (got.node.kind === "words" || want.node.kind === "words") return got.text === want.text;
  if (got.unit !== "" && want.unit !== "" && got.unit !== want.unit) return false;
  if (got.isPercent === want.isPercent) return same(got.node, want.node, reading);
  // One says 50%, the other 50 or 0.5.
  const [percent, plain] = got.isPercent ? [got.node, want.node] : [want.node, got.node];
  const scaled: MathNode = { kind: "product", items: [percent, { kind: "number", value: HUNDREDTH }] };
  return either(same(got.node, want.node, reading), () => same(scaled, plain, reading));
}

function same(got: MathNode, want: MathNode, reading: Reading): Same {
  if (got.kind === "relation" || want.kind === "relation") return sameRelation(got, want, reading);
  if (isUnordered(got) || isUnordered(want)) return sameItems(got, want, reading);
  if (isOrdered(got) || isOrdered(want)) return sameOrder(got, want, reading);
  return sameValue(got, want, reading);
}

type Unordered = Extract<MathNode, { kind: "list" | "set" | "union" }>;
type Ordered = Extract<MathNode, { kind: "sequence" | "matrix" }>;
const isUnordered = (node: MathNode): node is Unordered =>
  node.kind === "list" || node.kind === "set" || node.kind === "union";
const isOrdered = (node: MathNode): node is Ordered => node.kind === "sequence" || node.kind === "matrix";

function sameItems(got: MathNode, want: MathNode, reading: Reading): Same {
  // "1, 2" for the point (1, 2): the brackets are left out, the order is not.
  if (got.kind === "list" && want.kind === "sequence") return sameEach(got.items, want.items, reading);
  if (want.kind === "list" && got.kind === "sequence") return sameEach(got.items, want.items, reading);
  if (isOrdered(got) || isOrdered(want)) return false;
  const kinds = [got, want].map(({ kind }) => kind);
  if (kinds.includes("union") && kinds[0] !== kinds[1]) return false;
  const isSet = kinds.includes("set");
  const items = [got, want].map((node) => (isUnordered(node) ? node.items : [node]));
  const [ours, theirs] = isSet ? items.map((list) => distinct(list, reading)) : items;
  return sameBag(ours!, theirs!, reading);
}

function distinct(items: readonly MathNode[], reading: Reading): readonly MathNode[] {
  if (items.length > MAX_ITEMS) return items;
  return items.filter((item, i) => !items.slice(0, i).some((earlier) => same(earlier, item, reading) === true));
}

function sameBag(got: readonly MathNode[], want: readonly MathNode[], reading: Reading): Same {
  if (got.length !== want.length) return false;
  if (got.length > MAX_ITEMS) return null;
  const left = [...want];
  let unknown = false;
  for (const item of got) {
    const verdicts = left.map((candidate) => same(item, candidate, reading));
    const match = verdicts.indexOf(true);
    if (match >= 0) left.splice(match, 1);
    else if (verdicts.includes(null)) unknown = true;
    else return false;
  }
  return unknown ? null : true;
}

function sameOrder(got: MathNode, want: MathNode, reading: Reading): Same {
  if (got.kind === "sequence" && want.kind === "sequence") {
    if (got.open !== want.open || got.close !== want.close) return false;
    return sameEach(got.items, want.items, reading);
  }
  const [ours, theirs] = [rowsOf(got), rowsOf(want)];
  if (ours === null || theirs === null) return false;
  if (ours.length === theirs.length) return all(ours.map((row, i) => sameEach(row, theirs[i]!, reading)));
  // A column is a vector, however it is written.
  const flat = [ours, theirs].map((rows) => (rows.every((row) => row.length === 1) ? rows.flat() : rows));
  const isVector = (got.kind === "sequence" || want.kind === "sequence") && flat.some((rows) => rows.length === 1);
  return isVector ? sameEach(ours.flat(), theirs.flat(), reading) : false;
}

/** A matrix as its rows, also where it is typed as a list of lists; a point is one row. */
function rowsOf(node: MathNode): readonly (readonly MathNode[])[] | null {
  if (node.kind === "matrix") return node.rows;
  if (node.kind !== "sequence") return null;
  const rows = node.items.map((item) => (item.kind === "sequence" ? item.items : null));
  return rows.every((row) => row !== null) ? rows : [node.items];
}

function sameEach(got: readonly MathNode[], want: readonly MathNode[], reading: Reading): Same {
  return got.length === want.length ? all(got.map((item, i) => same(item, want[i]!, reading))) : false;
}

function sameRelation(got: MathNode, want: MathNode, reading: Reading): Same {
  if (got.kind !== "relation" || want.kind !== "relation") {
    const [relation, other] = got.kind === "relation" ? [got, want] : [want as typeof got, got];
    const solved = solutionOf(relation as Extract<MathNode, { kind: "relation" }>);
    return solved === null ? false : same(solved, other, reading);
  }
  const [ours, theirs] = [ordered(got), ordered(want)];
  if (ours.operators.join() !== theirs.operators.join()) return false;
  const isEquation = ours.operators.length === 1 && ["=", "!="].includes(ours.operators[0]!);
  const straight = sameEach(ours.items, theirs.items, reading);
  if (!isEquation || straight === true) return straight;
  return either(straight, () => sameEquation(ours.items, theirs.items, reading));
}

type Related = Pick<Extract<MathNode, { kind: "relation" }>, "items" | "operators">;

/** Read from the smaller side: 3 > x is x < 3. */
function ordered({ items, operators }: Related): Related {
  const turned: Readonly<Record<string, Relation>> = { ">": "<", ">=": "<=" };
  if (!operators.every((operator) => operator in turned)) return { items, operators };
  return { items: items.toReversed(), operators: operators.map((operator) => turned[operator]!).reverse() };
}

/** What `x = 5`, `x \in [1, 2]` and `1 < x \le 2` say of their one variable, as a value or an interval. */
function solutionOf(relation: Extract<MathNode, { kind: "relation" }>): MathNode | null {
  const { items, operators } = ordered(relation);
  const last = items.at(-1)!;
  if (operators.every((operator) => operator === "=")) return isName(items[0]!) || operators.length > 1 ? last : null;
  if (operators.length === 1 && operators[0] === "in") return isName(items[0]!) ? last : null;
  if (!operators.every((operator) => operator === "<" || operator === "<=")) return null;
  const at = items.findIndex(isName);
  if (at < 0 || items.length > 3) return null;
  const infinity: MathNode = { kind: "infinity" };
  return {
    kind: "sequence",
    open: at > 0 && operators[at - 1] === "<=" ? "[" : "(",
    close: operators[at] === "<=" ? "]" : ")",
    items: [at > 0 ? items[at - 1]! : { kind: "negative", item: infinity }, items[at + 1] ?? infinity],
  };
}

/** `x`, or `f(x)`, which reads as a product of two. */
function isName(node: MathNode): boolean {
  return node.kind === "variable" || (node.kind === "product" && node.items.every((item) => item.kind === "variable"));
}

/** One is the other times a number: x + y = 1 and 2x + 2y - 2 = 0. */
function sameEquation(got: readonly MathNode[], want: readonly MathNode[], reading: Reading): Same {
  const ratios: Complex[] = [];
  for (const point of reading.points) {
    const [a, b] = [got, want].map(([left, right]) => subtract(valueAt(left!, point), valueAt(right!, point)));
    if (hasValue(a!) && hasValue(b!)) ratios.push(divide(a!, b!));
  }
  if (ratios.length < MIN_POINTS) return null;
  const first = ratios[0]!;
  return modulus(first) > MATH_TOLERANCE && ratios.every((ratio) => isNear(ratio, first));
}

function sameValue(got: MathNode, want: MathNode, reading: Reading): Same {
  if (--reading.budget.left < 0) return null;
  const [a, b] = [exactValue(got), exactValue(want)];
  if (a !== null && b !== null) return a.num === b.num && a.den === b.den;
  const ends = [got, want].map(infinityOf);
  if (ends[0] !== 0 || ends[1] !== 0) return ends[0] === ends[1];
  const hasVariables = [got, want].some((node) => [...nodesOf(node)].some(({ kind }) => kind === "variable"));
  const points = hasVariables ? reading.points : reading.points.slice(0, 1);
  let compared = 0;
  for (const point of points) {
    const [x, y] = [valueAt(got, point), valueAt(want, point)];
    if (!hasValue(x) && !hasValue(y)) continue;
    if (!hasValue(x) || !hasValue(y) || !isNear(x, y)) return isTooLarge(x) || isTooLarge(y) ? null : false;
    compared++;
  }
  return compared >= Math.min(MIN_POINTS, points.length) ? true : null;
}

/** 1 and -1 for the two infinities, 0 for a number. */
function infinityOf(node: MathNode): number {
  if (node.kind === "infinity") return 1;
  return node.kind === "negative" ? -infinityOf(node.item) : 0;
}

const hasValue = ({ re, im }: Complex): boolean => Number.isFinite(re) && Number.isFinite(im);
const isTooLarge = ({ re, im }: Complex): boolean =>
  Math.abs(re) === Number.POSITIVE_INFINITY || Math.abs(im) === Number.POSITIVE_INFINITY;

function isNear(x: Complex, y: Complex): boolean {
  return (
    modulus(subtract(x, y)) <= MATH_TOLERANCE * Math.max(modulus(x), modulus(y)) + Number.MIN_VALUE || isTiny(x, y)
  );
}

/** What should be 0 and is the rest of a subtraction. */
function isTiny(x: Complex, y: Complex): boolean {
  return modulus(x) < 1e-13 && modulus(y) < 1e-13;
}

function all(verdicts: readonly Same[]): Same {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(null) ? null : true;
}

function either(first: Same, second: () => Same): Same {
  if (first === true) return true;
  const other = second();
  return other === true ? true : first === null || other === null ? null : false;
}

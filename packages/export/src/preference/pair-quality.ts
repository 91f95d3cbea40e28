import { codePointLength, isObject, roundHalfEven } from "@while/schema";
import { pearson } from "@while/stats";
import { argumentTree } from "../conversation/argument-text.ts";
import { JsonNumber } from "../json/json-number.ts";
import type { WireMessage } from "../training-row.ts";
import { areAlike } from "./edit-similarity.ts";
import type { PairSource, WirePair } from "./wire-pair.ts";

/**
 * What makes a pair teach little, or something else than it was built for. null where sides are whole conversations,
 * or without pairs.
 */
export interface PairQuality {
  /**
   * Pairs whose two turns are alike to nine tenths, or call one tool with arguments that differ in one value: DPO lowers
   * the likelihood of both (Pal et al. 2024, arXiv:2402.13228; Razin et al. 2024, arXiv:2410.08847).
   */
  nearIdentical: number | null;
  /**
   * Pairs that part in how something is put, both saying or both calling the same, while the worse side has a failure
   * class and goes on: what failed came later, and was cut.
   */
  blameGap: number | null;
  /** Messages that the sides share in front of the turn, on average. */
  meanSharedMessages: number | null;
  /** Share of pairs whose better turn, as it is written, is the longer one. */
  turnLongerFrac: number | null;
  /** Correlation of the margin with how much longer the better turn is; null under 3 pairs with a margin. */
  marginLengthCorrelation: number | null;
}

const ALIKE = 0.9;
const MIN_PAIRS = 3;

/** The quality of pairs that come one at a time. */
export class PairQualityTally {
  #n = 0;
  #nearIdentical = 0;
  #blameGap = 0;
  #shared = 0;
  #longer = 0;
  readonly #margins: number[] = [];
  readonly #deltas: number[] = [];

  /**
   * @param cut One turn a side
   * @param goesOn Whether the worse side has turns behind it
   */
  add(cut: WirePair, source: PairSource, goesOn: boolean): void {
    const [chosen, rejected] = [cut.chosen[0]!, cut.rejected[0]!];
    this.#n++;
    this.#shared += cut.prompt.length;
    if (isNearIdentical(chosen, rejected)) this.#nearIdentical++;
    if (goesOn && hasFailureClass(source) && isParaphrase(chosen, rejected)) this.#blameGap++;
    const delta = lengthOf(chosen) - lengthOf(rejected);
    if (delta > 0) this.#longer++;
    if (typeof source.margin !== "number" || !Number.isFinite(source.margin)) return;
    this.#margins.push(source.margin);
    this.#deltas.push(delta);
  }

  quality(): PairQuality {
    const n = this.#n;
    if (n === 0) {
      return {
        nearIdentical: null,
        blameGap: null,
        meanSharedMessages: null,
        turnLongerFrac: null,
        marginLengthCorrelation: null,
      };
    }
    const r = this.#margins.length < MIN_PAIRS ? null : pearson(this.#margins, this.#deltas);
    return {
      nearIdentical: this.#nearIdentical,
      blameGap: this.#blameGap,
      meanSharedMessages: roundHalfEven(this.#shared / n, 4),
      turnLongerFrac: roundHalfEven(this.#longer / n, 3),
      marginLengthCorrelation: r === null ? null : roundHalfEven(r, 4),
    };
  }
}

function isNearIdentical(chosen: WireMessage, rejected: WireMessage): boolean {
  const [calls, others] = [chosen.tool_calls ?? [], rejected.tool_calls ?? []];
  if (calls.length !== others.length) return false;
  if (!areAlike(chosen.content, rejected.content, ALIKE)) return false;
  if (calls.length === 0) return true;
  if (calls.some((call, at) => call.function.name !== others[at]!.function.name)) return false;
  const [one, other] = [calls, others].map((list) => leaves(list.map((call) => argumentTree(call.function.arguments))));
  const keys = new Set([...one!.keys(), ...other!.keys()]);
  return [...keys].filter((key) => one!.get(key) !== other!.get(key)).length <= 1;
}

/** Both say something without calling, or both call the same: they differ in words alone. */
function isParaphrase({ tool_calls: calls = [] }: WireMessage, { tool_calls: others = [] }: WireMessage): boolean {
  return callsText(calls) === callsText(others);
}

function callsText(calls: NonNullable<WireMessage["tool_calls"]>): string {
  return JSON.stringify(
    calls.map(({ function: called }) => [called.name, [...leaves(argumentTree(called.arguments))]]),
  );
}

/** The values of a tree by their path, in the order of the paths. */
function leaves(tree: unknown): Map<string, string> {
  const found: [string, string][] = [];
  const walk = (value: unknown, path: string): void => {
    if (value instanceof JsonNumber) found.push([path, value.text]);
    else if (Array.isArray(value)) for (const [at, item] of value.entries()) walk(item, `${path}/${at}`);
    else if (isObject(value)) for (const [key, member] of Object.entries(value)) walk(member, `${path}/${key}`);
    else found.push([path, JSON.stringify(value) ?? "null"]);
  };
  walk(tree, "");
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function hasFailureClass({ rejected_failure_class: given, rejected }: PairSource): boolean {
  if (typeof given === "string" && given !== "") return true;
  return isObject(rejected) && typeof rejected.failure_class === "string" && rejected.failure_class !== "";
}

function lengthOf({ content, tool_calls: calls = [] }: WireMessage): number {
  return calls.reduce((sum, call) => sum + codePointLength(call.function.arguments), codePointLength(content));
}

import { isObject } from "@while/schema";
import { SimulateError } from "../simulate-error.ts";

/** What a model costs, in USD for a million tokens. */
export interface ModelPrice {
  input: number;
  output: number;
  /** Of input that the provider had read before; as `input` when left out. */
  cachedInput?: number;
}

/** Prices by the names of models, as of a day: prices change, so the list is the caller's own. */
export interface PriceBook {
  /** The day that the list is of. */
  asOf: string;
  models: Readonly<Record<string, ModelPrice>>;
}

const MILLION = 1e6;
const FORM = '{ "as_of": "2026-01-31", "models": { "NAME": { "input": 0.15, "output": 0.6, "cached_input": 0.075 } } }';

/**
 * A price book from the JSON of a file, in USD for a million tokens.
 *
 * @param place Names the file in what is thrown
 * @throws SimulateError `bad_option`
 */
export function parsePriceBook(value: unknown, place: string): PriceBook {
  const refuse = (what: string) => new SimulateError("bad_option", `${place} ${what}.`, `Write ${FORM}.`);
  if (!isObject(value) || !isObject(value.models)) throw refuse("is no price book");
  if (typeof value.as_of !== "string" || Number.isNaN(Date.parse(value.as_of)))
    throw refuse("does not say of which day it is");
  const models: Record<string, ModelPrice> = Object.create(null);
  for (const [name, price] of Object.entries(value.models)) {
    if (!isObject(price)) throw refuse(`has no price for ${name}`);
    const { input, output, cached_input: cachedInput, ...rest } = price;
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) throw refuse(`has ${unknown} for ${name}, which is no price`);
    models[name] = {
      input: input as number,
      output: output as number,
      ...(cachedInput === undefined ? {} : { cachedInput: cachedInput as number }),
    };
    priceOf(name, models[name]);
  }
  return { asOf: value.as_of, models };
}

/**
 * The price of a model: the one given, or the one in the book; null when the book does not have it.
 *
 * @throws SimulateError `bad_option` for a price that is no number of 0 or more
 */
export function priceOf(model: string, given: ModelPrice | PriceBook | undefined): ModelPrice | null {
  if (given === undefined) return null;
  const price = "models" in given ? (Object.hasOwn(given.models, model) ? given.models[model]! : null) : given;
  if (price === null) return null;
  for (const [name, value] of Object.entries({
    cachedInput: 0,
    ...price,
    ...{ input: price.input, output: price.output },
  })) {
    if (typeof value === "number" && Number.isFinite(value) && value >= 0) continue;
    const fix = "Give USD for a million tokens: { input: 0.15, output: 0.6 }.";
    throw new SimulateError("bad_option", `The ${name} price of ${model} is ${String(value)}.`, fix);
  }
  return price;
}

interface TokenCounts {
  inputTokens?: number;
  cachedInputTokens?: number;
  outputTokens?: number;
}

/** What a call cost in USD; null without a price, and without a count that it could be worked out from. */
export function costUsd(
  price: ModelPrice | null,
  { inputTokens, cachedInputTokens = 0, outputTokens }: TokenCounts,
): number | null {
  if (price === null || inputTokens === undefined || outputTokens === undefined) return null;
  const { input, output, cachedInput = input } = price;
  return (
    ((inputTokens - cachedInputTokens) * input + cachedInputTokens * cachedInput + outputTokens * output) / MILLION
  );
}

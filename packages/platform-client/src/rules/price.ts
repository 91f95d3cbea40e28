import { roundHalfEven } from "@while/schema";
import type { GpuPrice, ModelPrice, PriceBook } from "../contract/price-book.ts";
import type { EvalSetup } from "../contract/run-record.ts";
import { formatSignificant } from "./number-format.ts";

/** What an answer costs. */
export interface Price {
  /** USD per 1,000 tasks; null when it cannot be said. */
  usdPer1k: number | null;
  /** The same if every input token came from a cache; null where the book has no such price. */
  cachedUsdPer1k: number | null;
  /** How it was computed, or whose word it is. */
  basis: string;
  source: "book" | "agent" | null;
  /** Facts that are not there, or names that the book does not have. */
  missing: string[];
}

/** GPU prices of the book that comes with the package; models are for who runs the server to add. */
export const PRICE_BOOK: PriceBook = {
  version: "2026-09-20",
  formula:
    "(inputTokens · in_usd_per_m + outputTokens · out_usd_per_m) / 1e6 / replies · 1000, or gpuHours · usd_per_hour / replies · 1000",
  models: {},
  gpus: Object.fromEntries(
    Object.entries({ A10G: 1.1, L40S: 1.95, H100: 3.95, A100: 2.5, T4: 0.59 }).map(([name, usd_per_hour]) => [
      name,
      { usd_per_hour, source: "modal.com/pricing", read: "2026-09-20" },
    ]),
  ),
};

const MODEL_FACTS = ["inputTokens", "outputTokens", "replies"] as const;
const GPU_FACTS = ["gpuHours", "replies"] as const;

/**
 * What 1,000 tasks cost, from the facts of a run's record: tokens of a model in the book, else hours of a GPU in the
 * book, else what the agent says of itself. A half-filled set of facts does not stand in the way of the next.
 */
export function priceEval(setup: EvalSetup, book: PriceBook): Price {
  const missing: string[] = [];
  const model = modelPrice(setup, book, missing);
  if (model !== null) return model;
  const gpu = gpuPriceOf(setup, book, missing);
  if (gpu !== null) return gpu;
  if (typeof setup.costPer1k === "number") {
    const said = setup.costBasis ? ` (${setup.costBasis})` : "";
    const basis = `reported by the agent${said}; the price book did not price it`;
    return { usdPer1k: setup.costPer1k, cachedUsdPer1k: null, basis, source: "agent", missing };
  }
  if (missing.length === 0) missing.push("model", "inputTokens", "outputTokens", "replies");
  return { usdPer1k: null, cachedUsdPer1k: null, basis: `not priced: no ${missing.join(", ")}`, source: null, missing };
}

function modelPrice(setup: EvalSetup, book: PriceBook, missing: string[]): Price | null {
  if (!setup.model) return null;
  const price = modelIn(book, setup.model);
  const absent = MODEL_FACTS.filter((fact) => typeof setup[fact] !== "number");
  missing.push(...(price === null ? [`a price of ${setup.model}`] : []), ...absent);
  if (price === null || absent.length > 0) return null;
  const { inputTokens, outputTokens, replies } = setup;
  const usd = (perM: number) => (((inputTokens! * perM + outputTokens! * price.out_usd_per_m) / 1e6) * 1000) / replies!;
  const cached = price.cached_in_usd_per_m ?? null;
  return {
    usdPer1k: usd(price.in_usd_per_m),
    cachedUsdPer1k: cached === null ? null : usd(cached),
    basis: `list price of ${setup.model} without caching, price book ${book.version}`,
    source: "book",
    missing: [],
  };
}

function gpuPriceOf(setup: EvalSetup, book: PriceBook, missing: string[]): Price | null {
  if (!setup.gpu) return null;
  const price = gpuIn(book, setup.gpu);
  const absent = GPU_FACTS.filter((fact) => typeof setup[fact] !== "number");
  missing.push(...(price === null ? [`a price of ${setup.gpu}`] : []), ...absent);
  if (price === null || absent.length > 0) return null;
  return {
    usdPer1k: ((setup.gpuHours! * price) / setup.replies!) * 1000,
    cachedUsdPer1k: null,
    basis: `${setup.gpu} at $${formatSignificant(price)} an hour, price book ${book.version}`,
    source: "book",
    missing: [],
  };
}

/** The model under any case and with or without the provider before its name. */
function modelIn(book: PriceBook, model: string): ModelPrice | null {
  const wanted = model.toLowerCase();
  const entries = Object.entries(book.models);
  const exact = entries.find(([name]) => name.toLowerCase() === wanted);
  const bare = (name: string) => name.toLowerCase().split("/").at(-1);
  return (exact ?? entries.find(([name]) => bare(name) === bare(wanted)))?.[1] ?? null;
}

/** USD an hour of `H100` or `4xH100`; null for one the book does not have. */
function gpuIn(book: PriceBook, gpu: string): number | null {
  const [, count, name] = /^(?:(\d+)\s*x\s*)?(.+)$/i.exec(gpu.trim()) ?? [];
  const found: GpuPrice | undefined = Object.entries(book.gpus).find(
    ([known]) => known.toLowerCase() === name?.toLowerCase(),
  )?.[1];
  return found === undefined ? null : Number(count ?? 1) * found.usd_per_hour;
}

/** What a training run cost, to the cent; null with the reason in the basis. */
export interface TrainingCost {
  costUsd: number | null;
  costBasis: string;
}

/** GPU seconds at the price of the book: an estimate, which says so. */
export function trainingCost(gpu: string | null, seconds: number | null, book: PriceBook = PRICE_BOOK): TrainingCost {
  const known = Object.keys(book.gpus).join(", ");
  if (!gpu) return { costUsd: null, costBasis: `no gpu was reported; the price book ${book.version} has ${known}` };
  const rate = gpuIn(book, gpu);
  if (rate === null)
    return { costUsd: null, costBasis: `no price of ${gpu}; the price book ${book.version} has ${known}` };
  const price = `$${rate.toFixed(2)}/h`;
  if (seconds === null || !Number.isFinite(seconds)) {
    return { costUsd: null, costBasis: `no seconds were reported; ${gpu} is ${price}` };
  }
  const source = Object.entries(book.gpus).find(([name]) => gpu.toLowerCase().endsWith(name.toLowerCase()))?.[1];
  const where = [source?.source, source?.read].filter(Boolean).join(" ");
  return {
    costUsd: roundHalfEven((seconds / 3600) * rate, 2),
    costBasis: `estimate: ${gpu} at ${price}${where === "" ? "" : `, ${where}`}`,
  };
}

/** `about $0.02 (A10G, 56 s, estimate)`, or why there is no number. */
export function formatTrainingCost(cost: TrainingCost, gpu: string | null, seconds: number | null): string {
  if (cost.costUsd === null) return `cost: ${cost.costBasis}`;
  return `about $${cost.costUsd.toFixed(2)} (${gpu}, ${roundHalfEven(seconds ?? 0, 0)} s, estimate)`;
}

import * as z from "zod";
import { type Route, route } from "./route.ts";

/** Price of a model's tokens, where it was read and when. */
export interface ModelPrice {
  in_usd_per_m: number;
  out_usd_per_m: number;
  /** Price of input that a cache held; null where there is none. */
  cached_in_usd_per_m?: number | null;
  source?: string | null;
  read?: string | null;
}

export interface GpuPrice {
  usd_per_hour: number;
  source?: string | null;
  read?: string | null;
}

/** What cost facts are priced by. A chart names its version, so that it can be priced again. */
export interface PriceBook {
  version: string;
  formula: string;
  models: Record<string, ModelPrice>;
  gpus: Record<string, GpuPrice>;
}

const note = z.string().nullable().exactOptional();

export const priceBookSchema: z.ZodType<PriceBook> = z
  .object({
    version: z.string(),
    formula: z.string(),
    models: z.record(
      z.string(),
      z.object({
        in_usd_per_m: z.number().min(0),
        out_usd_per_m: z.number().min(0),
        cached_in_usd_per_m: z.number().min(0).nullable().exactOptional(),
        source: note,
        read: note,
      }),
    ),
    gpus: z.record(z.string(), z.object({ usd_per_hour: z.number().min(0), source: note, read: note })),
  })
  .meta({ id: "PriceBook" });

export const getPriceBook: Route<null, PriceBook> = route({
  id: "getPriceBook",
  call: "GET /pricing-book.json",
  summary: "Prices that the cost of answering is computed from.",
  tag: "service",
  auth: "none",
  answer: priceBookSchema,
});

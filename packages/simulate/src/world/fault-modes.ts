import { isObject, type Json } from "@while/schema";

/** Makes the faulty answer of a call; `truth` is what the tool would have answered, without having changed anything. */
export type FaultMode = (truth: () => Json) => Json;

/** The ways in which a tool can fail. Every answer of one is an object, so that whoever reads faults sees it. */
export const FAULT_MODES: ReadonlyMap<string, FaultMode> = new Map<string, FaultMode>([
  ["timeout", () => ({ status: "timeout", error: "no answer within 30 s" })],
  ["malformed", () => ({ status: "malformed", payload: "<<garbled resp0nse" })],
  ["stale", (truth) => ({ ...asObject(truth()), stale: true, as_of: "3 days ago" })],
  ["permission_denied", () => ({ status: "permission_denied", error: "this account may not do that" })],
  ["rate_limited", () => ({ status: "429 too many requests", error: "try again later", retry_after_s: 30 })],
  ["partial_result", (truth) => firstHalf(truth())],
  ["schema_drift", (truth) => ({ version: 2, payload: truth() })],
]);

function asObject(value: Json): Record<string, Json> {
  return isObject(value) ? (value as Record<string, Json>) : { result: value };
}

function firstHalf(value: Json): Json {
  if (Array.isArray(value)) return { items: value.slice(0, Math.ceil(value.length / 2)), partial: true };
  const entries = Object.entries(asObject(value));
  return { ...Object.fromEntries(entries.slice(0, Math.ceil(entries.length / 2))), partial: true };
}

import { SimulateError } from "../simulate-error.ts";
import type { EndpointOptions } from "./endpoint-options.ts";
import { type EndpointAddress, needsNoKey } from "./parse-endpoint.ts";

/** The key of an endpoint: the one given, or the first variable that is set. @throws SimulateError `no_key` */
export function keyOf(
  { url, keyNames, provider }: EndpointAddress,
  { apiKey, keyEnv, headers = {} }: EndpointOptions,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  if (apiKey !== undefined && apiKey !== "") return apiKey;
  const names = keyEnv === undefined ? keyNames : [keyEnv];
  const key = names.map((name) => env[name]).find((value) => value !== undefined && value !== "");
  if (key !== undefined) return key;
  if (keyEnv !== undefined) {
    throw new SimulateError("no_key", `keyEnv names ${keyEnv}, and it is not set.`, "Set it, or leave keyEnv out.");
  }
  // A header of one's own may be the key.
  const hasOwn = Object.keys(headers).some((name) => /^(?:authorization|x-api-key|api-key)$/i.test(name));
  if (hasOwn || needsNoKey(url)) return null;
  const host = new URL(url).host;
  const fix =
    names.length > 0 ? `Set ${names[0]}.` : "Give apiKey, or keyEnv with the name of the variable that holds it.";
  throw new SimulateError(
    "no_key",
    `${provider === host ? host : `${provider} at ${host}`} needs a key, and none is given.`,
    fix,
  );
}

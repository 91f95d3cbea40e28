import * as z from "zod";
import { KEY_NAME_MAX } from "./caps.ts";
import { opt, text } from "./field.ts";
import { type Route, route } from "./route.ts";

// Signing in from a terminal: RFC 8628, with the words of the Python client.

export interface DeviceCodeRequest {
  /** Name of the key that is asked for. */
  name?: string | null;
}

export interface DeviceCode {
  device_code: string;
  /** What the person compares, `XXXX-XXXX`. */
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  /** Seconds. */
  expires_in: number;
  /** Seconds between polls. */
  interval: number;
}

export const startDevice: Route<DeviceCodeRequest, DeviceCode> = route({
  id: "startDevice",
  call: "POST /device/code",
  summary: "A code to approve in a browser, and one to poll with.",
  tag: "account",
  auth: "none",
  body: z.object({ name: opt(text(KEY_NAME_MAX)) }).meta({ id: "DeviceCodeRequest" }),
  answer: z
    .object({
      device_code: z.string(),
      user_code: z.string(),
      verification_uri: z.string(),
      verification_uri_complete: z.string(),
      expires_in: z.int(),
      interval: z.int(),
    })
    .meta({ id: "DeviceCode" }),
});

export interface DeviceToken {
  api_key: string;
  name: string;
  user_id: string;
}

export const pollDevice: Route<{ device_code: string; user_code: string }, DeviceToken> = route({
  id: "pollDevice",
  call: "POST /device/token",
  summary: "The key once the person approved, and exactly once; until then 400 with a word in `error`.",
  tag: "account",
  auth: "none",
  body: z.object({ device_code: text(128, 1), user_code: text(16, 1) }).meta({ id: "DeviceTokenRequest" }),
  answer: z.object({ api_key: z.string(), name: z.string(), user_id: z.string() }).meta({ id: "DeviceToken" }),
  errors: ["authorization_pending", "slow_down", "expired_token", "access_denied"],
});

/** What the approval page shows of a code before anybody decides. */
export interface DeviceRequest {
  user_code: string;
  name: string;
  /** Network address that asked. */
  address: string;
  ageSeconds: number;
}

export const showDevice: Route<null, DeviceRequest, { code: string }> = route({
  id: "showDevice",
  call: "GET /device/request",
  summary: "What a code would give, and to whom: for the person who is asked to approve it.",
  tag: "account",
  auth: "session",
  query: z.object({ code: text(16, 1) }),
  answer: z
    .object({ user_code: z.string(), name: z.string(), address: z.string(), ageSeconds: z.number() })
    .meta({ id: "DeviceRequest" }),
  errors: ["expired_token"],
});

export const decideDevice: Route<{ user_code: string; approve: boolean }, { approved: boolean }> = route({
  id: "decideDevice",
  call: "POST /device/decide",
  summary: "Approves or denies a code. Case and dashes of it do not matter.",
  tag: "account",
  auth: "session",
  body: z.object({ user_code: text(16, 1), approve: z.boolean() }).meta({ id: "DeviceDecision" }),
  answer: z.object({ approved: z.boolean() }),
  errors: ["expired_token", "rate_limited"],
});

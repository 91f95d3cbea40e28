import * as z from "zod";
import { EMAIL_MAX, KEY_NAME_MAX } from "./caps.ts";
import { instant, opt, text } from "./field.ts";
import { type Route, route } from "./route.ts";
import { SCOPES, type Scope } from "./scope.ts";

/** What a trial account may use until its person signs in once. */
export interface Trial {
  expires_at: string;
  daily_input_tokens: number;
  daily_output_tokens: number;
  storage_bytes: number;
  datasets: number;
  /** How the limit is lifted, as a sentence. */
  lift: string;
}

const trialSchema: z.ZodType<Trial> = z
  .object({
    expires_at: instant,
    daily_input_tokens: z.int(),
    daily_output_tokens: z.int(),
    storage_bytes: z.int(),
    datasets: z.int(),
    lift: z.string(),
  })
  .meta({ id: "Trial" });

export type Tier = "trial" | "full";

/** The same five on both sides: what an account may use, and what it has used. Null has no limit. */
export interface Usage {
  inputTokens: number | null;
  outputTokens: number | null;
  storageBytes: number | null;
  datasets: number | null;
  rows: number | null;
}

export interface Limits {
  dailyInputTokens: number | null;
  dailyOutputTokens: number | null;
  storageBytes: number | null;
  datasets: number | null;
  rows: number | null;
}

const amount = z.int().nullable();

/** Whose key it is, what it may do, and what the account has used. */
export interface Account {
  user_id: string;
  email?: string | null;
  tier: Tier;
  trial: Trial | null;
  limits: Limits;
  usage: Usage;
  scopes: Scope[];
  key: { name: string | null; prefix: string } | null;
  /** What the person should hear of, such as a quota at 80%. */
  notices: string[];
  /** When the daily numbers begin again. */
  resetsAt: string;
}

export const accountSchema: z.ZodType<Account> = z
  .object({
    user_id: z.string(),
    email: opt(z.string()),
    tier: z.enum(["trial", "full"]),
    trial: trialSchema.nullable(),
    limits: z.object({
      dailyInputTokens: amount,
      dailyOutputTokens: amount,
      storageBytes: amount,
      datasets: amount,
      rows: amount,
    }),
    usage: z.object({
      inputTokens: amount,
      outputTokens: amount,
      storageBytes: amount,
      datasets: amount,
      rows: amount,
    }),
    scopes: z.array(z.enum(SCOPES)),
    key: z.object({ name: z.string().nullable(), prefix: z.string() }).nullable(),
    notices: z.array(z.string()),
    resetsAt: instant,
  })
  .meta({ id: "Account" });

export const getAccount: Route<null, Account> = route({
  id: "getAccount",
  call: "GET /me",
  summary: "Whose key it is: tier, limits, usage and scopes.",
  tag: "account",
  answer: accountSchema,
});

/** An account of an e-mail address, and its first key. */
export interface SignUp {
  email: string;
  /** Name of the key. */
  name?: string | null;
}

export interface SignedUp {
  api_key: string;
  name: string;
  user_id: string;
  email: string;
  tier: Tier;
  trial: Trial;
}

const email = text(EMAIL_MAX, 3).meta({ format: "email" });

export const signUp: Route<SignUp, SignedUp> = route({
  id: "signUp",
  call: "POST /signup",
  summary: "An account and its first key in one call, within the limits of a trial.",
  tag: "account",
  auth: "none",
  body: z.object({ email, name: opt(text(KEY_NAME_MAX)) }).meta({ id: "SignUp" }),
  answer: z
    .object({
      api_key: z.string(),
      name: z.string(),
      user_id: z.string(),
      email: z.string(),
      tier: z.enum(["trial", "full"]),
      trial: trialSchema,
    })
    .meta({ id: "SignedUp" }),
  // The Python client reads any other 2xx as a failure.
  status: 201,
  errors: ["account_exists", "invalid_email", "too_many_signups"],
});

export const startEmailSignIn: Route<{ email: string }, { sent: true }> = route({
  id: "startEmailSignIn",
  call: "POST /auth/email/start",
  summary: "Sends a code by e-mail; the answer is the same for an address without an account.",
  tag: "account",
  auth: "none",
  body: z.object({ email }).meta({ id: "EmailSignIn" }),
  answer: z.object({ sent: z.literal(true) }),
  status: 202,
  errors: ["invalid_email", "upstream_error"],
});

export interface EmailCode {
  email: string;
  /** Six digits, good for ten minutes and five tries. */
  code: string;
}

export const emailCodeSchema: z.ZodType<EmailCode> = z
  .object({ email, code: z.string().regex(/^\d{6}$/, { error: "is not six digits" }) })
  .meta({ id: "EmailCode" });

export interface SignedIn {
  user_id: string;
  tier: Tier;
  /** Shown once here for a caller without cookies; pages use the cookie that comes with it. */
  session: string;
  expiresAt: string;
}

export const finishEmailSignIn: Route<EmailCode, SignedIn> = route({
  id: "finishEmailSignIn",
  call: "POST /auth/email/verify",
  summary: "Signs in with the code of the e-mail, sets the session cookie, and lifts a trial.",
  tag: "account",
  auth: "none",
  body: emailCodeSchema,
  answer: z.object({ user_id: z.string(), tier: z.enum(["trial", "full"]), session: z.string(), expiresAt: instant }),
  errors: ["access_denied"],
});

export const signOut: Route<null, { ok: true }> = route({
  id: "signOut",
  call: "POST /auth/sign-out",
  summary: "Ends the session.",
  tag: "account",
  auth: "session",
  answer: z.object({ ok: z.literal(true) }),
});

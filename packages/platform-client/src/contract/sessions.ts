import * as z from "zod";
import { type EmailCode, emailCodeSchema } from "./account.ts";
import { instant } from "./field.ts";
import { type Route, route } from "./route.ts";

// How a person who holds a key gets into the pages, and which browsers are in.

/** A link that signs one browser in, once. */
export interface SignInLink {
  url: string;
  expiresAt: string;
}

export const createSignInLink: Route<null, SignInLink> = route({
  id: "createSignInLink",
  call: "POST /auth/sign-in-link",
  summary: "A link that signs one browser in to this account: good once, for fifteen minutes.",
  tag: "account",
  scopes: ["admin"],
  answer: z.object({ url: z.string(), expiresAt: instant }).meta({ id: "SignInLink" }),
  status: 201,
});

/** A browser that is signed in. */
export interface SessionInfo {
  id: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  /** It is the one that asks. */
  current: boolean;
}

export const listSessions: Route<null, { sessions: SessionInfo[] }> = route({
  id: "listSessions",
  call: "GET /sessions",
  summary: "Browsers that are signed in, the newest first.",
  tag: "account",
  scopes: ["keys"],
  answer: z.object({
    sessions: z.array(
      z
        .object({
          id: z.string(),
          createdAt: instant,
          lastUsedAt: instant.nullable(),
          expiresAt: instant.nullable(),
          current: z.boolean(),
        })
        .meta({ id: "Session" }),
    ),
  }),
});

export const deleteSession: Route<null, { ok: true; deleted: true }> = route({
  id: "deleteSession",
  call: "DELETE /sessions/{id}",
  summary: "Signs a browser out at once.",
  tag: "account",
  scopes: ["keys"],
  answer: z.object({ ok: z.literal(true), deleted: z.literal(true) }),
  errors: ["not_found"],
});

export const claimEmail: Route<EmailCode, { email: string }> = route({
  id: "claimEmail",
  call: "POST /auth/email/claim",
  summary: "Gives this account an address to sign in by, with the code that was sent there. It may have one only.",
  tag: "account",
  auth: "session",
  body: emailCodeSchema,
  answer: z.object({ email: z.string() }),
  errors: ["access_denied", "account_exists", "invalid_email"],
});

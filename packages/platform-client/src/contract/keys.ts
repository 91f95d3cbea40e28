import * as z from "zod";
import { AGENT_ID_MAX, DELEGATED_TTL_MAX_S, KEY_NAME_MAX } from "./caps.ts";
import { instant, opt, text } from "./field.ts";
import { type Route, route } from "./route.ts";
import { SCOPES, type Scope } from "./scope.ts";

/** A key as it is listed: never whole. */
export interface KeyInfo {
  id: string;
  name: string;
  /** The first characters. */
  key: string;
  tier: string;
  scopes: Scope[];
  /** Agents it is for; null for all. */
  agents: string[] | null;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
}

const keyFields = {
  id: z.string(),
  name: z.string(),
  key: z.string(),
  tier: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  agents: z.array(z.string()).nullable(),
  createdAt: instant,
  expiresAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
};

export interface KeyList {
  keys: KeyInfo[];
  limit: number;
}

export const listKeys: Route<null, KeyList> = route({
  id: "listKeys",
  call: "GET /keys",
  summary: "Keys of the account, masked.",
  tag: "account",
  answer: z.object({ keys: z.array(z.object(keyFields).meta({ id: "Key" })), limit: z.int() }),
});

export interface NewKey {
  name: string;
  scopes?: Scope[] | null;
  expires_at?: string | null;
  agents?: string[] | null;
}

export const createKey: Route<NewKey, KeyInfo & { api_key: string }> = route({
  id: "createKey",
  call: "POST /keys",
  summary: "A key with these scopes, whole in this answer and never again.",
  tag: "account",
  scopes: ["keys"],
  body: z
    .object({
      name: text(KEY_NAME_MAX, 1),
      scopes: opt(z.array(z.enum(SCOPES)).min(1).max(SCOPES.length)),
      expires_at: opt(z.iso.datetime({ offset: true })),
      agents: opt(z.array(text(AGENT_ID_MAX, 1)).min(1).max(100)),
    })
    .meta({ id: "NewKey" }),
  answer: z.object({ ...keyFields, api_key: z.string() }).meta({ id: "CreatedKey" }),
  status: 201,
  errors: ["quota_exceeded", "scope_missing"],
});

export const deleteKey: Route<null, { ok: true; deleted: true }> = route({
  id: "deleteKey",
  call: "DELETE /keys/{id}",
  summary: "Revokes a key at once.",
  tag: "account",
  scopes: ["keys"],
  answer: z.object({ ok: z.literal(true), deleted: z.literal(true) }),
  errors: ["not_found"],
});

/** A credential that lives for minutes or hours, made from the session of a signed-in person. */
export interface Delegated {
  credential: string;
  expiresAt: string;
}

// A life outside the bounds is moved to the nearer one and not refused.
const ttlSeconds = opt(
  z
    .int()
    .min(1)
    .meta({ description: `60 to ${DELEGATED_TTL_MAX_S}; others are moved there` }),
);
const credential = text(200, 1);
const delegatedSchema = z.object({ credential: z.string(), expiresAt: instant }).meta({ id: "Delegated" });

export const issueCredential: Route<{ name?: string | null; ttlSeconds?: number | null }, Delegated> = route({
  id: "issueCredential",
  call: "POST /auth/issue-credential",
  summary: "A short-lived credential with no more scope than the session has.",
  tag: "account",
  auth: "session",
  body: z.object({ name: opt(text(KEY_NAME_MAX)), ttlSeconds }).meta({ id: "IssueCredential" }),
  answer: delegatedSchema,
});

export const refreshCredential: Route<{ credential: string; ttlSeconds?: number | null }, Delegated> = route({
  id: "refreshCredential",
  call: "POST /auth/refresh-credential",
  summary: "The same credential with a later end.",
  tag: "account",
  auth: "session",
  body: z.object({ credential, ttlSeconds }).meta({ id: "RefreshCredential" }),
  answer: delegatedSchema,
  errors: ["not_found"],
});

export const revokeCredential: Route<{ credential: string }, { revoked: true }> = route({
  id: "revokeCredential",
  call: "POST /auth/revoke-credential",
  summary: "Ends a credential; the next request with it is refused.",
  tag: "account",
  auth: "session",
  body: z.object({ credential }).meta({ id: "RevokeCredential" }),
  answer: z.object({ revoked: z.literal(true) }),
  errors: ["not_found"],
});

import { hasScope, type Scope } from "@while/platform-client/contract";
import type { AccountTable, KeyTable } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { isoTime } from "../services.ts";
import { HttpError, notFound } from "./http-error.ts";

/** Whose request it is. */
export interface Caller {
  accountId: string;
  keyId: string;
  kind: KeyTable["kind"];
  keyName: string;
  keyPrefix: string;
  tier: AccountTable["tier"];
  scopes: readonly string[];
  /** Ids of agents, in lower case, that the key may touch; null is all. */
  agents: readonly string[] | null;
}

/** Cookie of the pages. */
export const SESSION_COOKIE = "while_session";

/** Where a caller may show a key: the header of the SDKs, Bearer, or the cookie of the pages. */
export function shownKey(headers: Headers): { key: string; cookie: boolean } | null {
  const own = headers.get("x-api-key")?.trim();
  if (own) return { key: own, cookie: false };
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.get("authorization") ?? "")?.[1];
  if (bearer !== undefined) return { key: bearer, cookie: false };
  const session = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([A-Za-z0-9_]+)`).exec(headers.get("cookie") ?? "")?.[1];
  return session === undefined ? null : { key: session, cookie: true };
}

/** A key's use is noted once a minute: a write for every read would make readers wait for writers. */
const USE_NOTED_MS = 60_000;

/**
 * The caller that a key belongs to. Looked up at every request, so that a revoked key is refused at the next one.
 *
 * @throws HttpError `invalid_key`, `expired_key`
 */
export async function authenticate({ db, secrets, now }: Services, key: string): Promise<Caller> {
  const row = await db
    .selectFrom("keys")
    .innerJoin("accounts", "accounts.id", "keys.account_id")
    .select([
      "keys.id",
      "keys.account_id",
      "keys.kind",
      "keys.name",
      "keys.prefix",
      "keys.scopes",
      "keys.agents",
      "keys.expires_at",
      "keys.revoked_at",
      "keys.last_used_at",
      "accounts.tier",
      "accounts.trial_expires_at",
    ])
    .where("keys.hash", "=", secrets.hash(key))
    .executeTakeFirst();
  if (row === undefined || row.revoked_at !== null) {
    throw new HttpError(
      "invalid_key",
      "This key is unknown or was revoked. Run wai login, or make a key under Account.",
    );
  }
  const at = isoTime(now());
  const over = [row.expires_at, row.tier === "trial" ? row.trial_expires_at : null].find(
    (end) => end !== null && end <= at,
  );
  if (over !== undefined) {
    throw new HttpError("expired_key", `This key ended at ${over}. Run wai login, or make a new one under Account.`);
  }
  if (row.last_used_at === null || now() - Date.parse(row.last_used_at) > USE_NOTED_MS) {
    await db.updateTable("keys").set({ last_used_at: at }).where("id", "=", row.id).execute();
  }
  return {
    accountId: row.account_id,
    keyId: row.id,
    kind: row.kind,
    keyName: row.name,
    keyPrefix: row.prefix,
    tier: row.tier,
    scopes: JSON.parse(row.scopes) as string[],
    agents: row.agents === null ? null : (JSON.parse(row.agents) as string[]),
  };
}

/** @throws HttpError `scope_missing` when none of `wanted` is among the scopes */
export function checkScope(caller: Caller, wanted: readonly Scope[]): void {
  if (hasScope(caller.scopes, wanted)) return;
  throw new HttpError(
    "scope_missing",
    `This key lacks the scope ${wanted.join(" or ")}. Make one that has it under Account.`,
  );
}

/** @throws HttpError `not_found` for an agent that the key may not touch, as if there were none */
export function checkAgent({ agents }: Caller, agent: string): void {
  if (agents === null || agents.includes(agent.toLowerCase())) return;
  throw notFound(`agent ${agent}`, "List them with GET /agents.");
}

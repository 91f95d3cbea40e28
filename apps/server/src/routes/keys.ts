import {
  createKey,
  DELEGATED_TTL_MAX_S,
  DELEGATED_TTL_MIN_S,
  deleteKey,
  hasScope,
  issueCredential,
  KEYS_MAX,
  type KeyInfo,
  LOGIN_SCOPES,
  listKeys as listKeysRoute,
  refreshCredential,
  revokeCredential,
  type Scope,
} from "@while/platform-client/contract";
import type { KeyTable } from "../db/tables.ts";
import { HttpError, notFound } from "../http/http-error.ts";
import { type Mounting, mount } from "../http/mount.ts";
import { listKeys, makeKey, revokeKey } from "../queries/keys.ts";
import { isoTime } from "../services.ts";

const TTL_S = 3600;

function keyInfo(row: KeyTable, tier: string): KeyInfo {
  return {
    id: row.id,
    name: row.name,
    key: `${row.prefix}...${row.suffix}`,
    tier,
    scopes: JSON.parse(row.scopes) as Scope[],
    agents: row.agents === null ? null : (JSON.parse(row.agents) as string[]),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  };
}

function endOf(nowMs: number, ttlSeconds: number | null | undefined): string {
  const ttl = Math.min(DELEGATED_TTL_MAX_S, Math.max(DELEGATED_TTL_MIN_S, ttlSeconds ?? TTL_S));
  return isoTime(nowMs + ttl * 1000);
}

export function keyRoutes(mounting: Mounting): void {
  mount(mounting, listKeysRoute, async ({ services, caller }) => {
    const rows = await listKeys(services, caller.accountId);
    return { keys: rows.map((row) => keyInfo(row, caller.tier)), limit: KEYS_MAX };
  });

  mount(mounting, createKey, async ({ services, caller, body }) => {
    const scopes = body.scopes ?? LOGIN_SCOPES;
    const beyond = scopes.filter((scope) => !hasScope(caller.scopes, [scope]));
    if (beyond.length > 0) {
      throw new HttpError("scope_missing", `This key lacks ${beyond.join(", ")} and cannot give what it has not.`, {
        field: "scopes",
      });
    }
    const elsewhere = (body.agents ?? []).filter((agent) => caller.agents?.includes(agent.toLowerCase()) === false);
    if (elsewhere.length > 0) {
      throw new HttpError(
        "scope_missing",
        `This key is not for ${elsewhere.join(", ")} and cannot give what it has not.`,
        {
          field: "agents",
        },
      );
    }
    if ((await listKeys(services, caller.accountId)).length >= KEYS_MAX) {
      throw new HttpError("quota_exceeded", `The account has its ${KEYS_MAX} keys. Revoke one first.`);
    }
    const made = await makeKey(services, services.db, {
      accountId: caller.accountId,
      kind: "key",
      name: body.name,
      scopes,
      agents: body.agents ?? caller.agents,
      expiresAt: body.expires_at == null ? null : isoTime(Date.parse(body.expires_at)),
    });
    return { ...keyInfo(made.row, caller.tier), api_key: made.key };
  });

  mount(mounting, deleteKey, async ({ services, caller, params }) => {
    const id = params.id as string;
    if (!(await revokeKey(services, caller.accountId, { id, kind: "key" })))
      throw notFound(`key ${id}`, "List them with GET /keys.");
    return { ok: true, deleted: true };
  });

  mount(mounting, issueCredential, async ({ services, caller, body }) => {
    const expiresAt = endOf(services.now(), body.ttlSeconds);
    const { key } = await makeKey(services, services.db, {
      accountId: caller.accountId,
      kind: "delegated",
      name: body.name ?? "sdk-default",
      expiresAt,
    });
    return { credential: key, expiresAt };
  });

  mount(mounting, refreshCredential, async ({ services, caller, body }) => {
    const expiresAt = endOf(services.now(), body.ttlSeconds);
    const kept = await services.db
      .updateTable("keys")
      .set({ expires_at: expiresAt })
      .where("account_id", "=", caller.accountId)
      .where("kind", "=", "delegated")
      .where("hash", "=", services.secrets.hash(body.credential))
      .where("revoked_at", "is", null)
      .where("expires_at", ">", isoTime(services.now()))
      .executeTakeFirst();
    if (Number(kept.numUpdatedRows) === 0) throw notFound("such credential that is still good", "Issue a new one.");
    return { credential: body.credential, expiresAt };
  });

  mount(mounting, revokeCredential, async ({ services, caller, body }) => {
    const which = { hash: services.secrets.hash(body.credential), kind: "delegated" as const };
    if (!(await revokeKey(services, caller.accountId, which))) throw notFound("such credential", "It may have ended.");
    return { revoked: true };
  });
}

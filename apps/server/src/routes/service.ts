import {
  type AuditEntry,
  getHealth,
  getMetrics,
  getOpenApi,
  getVersion,
  listAudit,
  openApi,
} from "@while/platform-client/contract";
import { sql } from "kysely";
import { OVERWRITE } from "../http/audit.ts";
import { HttpError } from "../http/http-error.ts";
import { type Mounting, mount, mountOpen } from "../http/mount.ts";
import type { ServerMetrics } from "../server-metrics.ts";
import { VERSION } from "../version.ts";

/** Grows when a call changes its meaning. */
const API_LEVEL = 1;
/** Base models that a server of ours serves when nothing else is configured: none is trained here yet. */
const SERVED_BASES: string[] = [];
const AUDIT_PAGE = 100;

export function serviceRoutes(mounting: Mounting, metrics: ServerMetrics): void {
  mountOpen(mounting, getVersion, async () => ({
    server: VERSION,
    api: API_LEVEL,
    features: ["patch", "sse", "traces", "idempotency", "multipart"],
    served_bases: SERVED_BASES,
  }));

  mountOpen(mounting, getHealth, async ({ services }) => {
    try {
      await sql`select 1`.execute(services.db);
    } catch (cause) {
      throw new HttpError("unavailable", "The database does not answer.", { cause, retryAfterS: 5 });
    }
    return { ok: true };
  });

  mountOpen(mounting, getMetrics, async () => {
    return new Response(await metrics.text(), {
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
    });
  });

  mountOpen(mounting, getOpenApi, async ({ origin }) => openApi({ server: origin, version: VERSION }));

  mount(mounting, listAudit, async ({ services, caller, query }) => {
    const limit = query.limit ?? AUDIT_PAGE;
    let asked = services.db
      .selectFrom("audit")
      .selectAll()
      .where("account_id", "=", caller.accountId)
      .orderBy("seq", "desc")
      .limit(limit + 1);
    if (query.cursor != null && /^\d+$/.test(query.cursor)) asked = asked.where("seq", "<", Number(query.cursor));
    const rows = await asked.execute();
    const shown = rows.slice(0, limit);
    const entries = shown.map((row): AuditEntry => {
      return {
        seq: row.seq,
        at: row.at,
        key: row.key_id,
        user_id: row.account_id,
        address: row.address,
        action: row.action,
        resource: row.resource,
        before: row.action === OVERWRITE ? row.detail : null,
        after: row.action === OVERWRITE ? null : row.detail,
        requestId: row.request_id,
        hash: row.hash,
      };
    });
    return { entries, nextCursor: rows.length > limit ? String(shown.at(-1)?.seq) : null };
  });
}

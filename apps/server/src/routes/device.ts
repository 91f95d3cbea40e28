import { randomBytes } from "node:crypto";
import {
  DEVICE_CODE_LIFE_S,
  DEVICE_POLL_S,
  decideDevice,
  pollDevice,
  showDevice,
  startDevice,
} from "@while/platform-client/contract";
import type { DeviceCodeTable } from "../db/tables.ts";
import { HttpError } from "../http/http-error.ts";
import { type Mounting, mount, mountOpen } from "../http/mount.ts";
import { makeKey } from "../queries/keys.ts";
import { newUserCode, userCodeOf } from "../secrets/new-secret.ts";
import { isoTime, type Services } from "../services.ts";

/** Guesses of user codes an account may make in an hour. */
const WRONG_CODES = 10;
const WRONG_CODES_MS = 3600 * 1000;

/** Words in `error` that a polling client branches on (RFC 8628). */
function word(code: "authorization_pending" | "slow_down" | "expired_token" | "access_denied"): HttpError {
  return new HttpError(code, code, { word: true });
}

export function deviceRoutes(mounting: Mounting): void {
  const wrong = new Map<string, number[]>();

  mountOpen(mounting, startDevice, async ({ services, body, address, origin }) => {
    const { db, secrets, now } = services;
    await db.deleteFrom("device_codes").where("expires_at", "<", isoTime(now())).execute();
    const device = randomBytes(32).toString("hex");
    const user = newUserCode();
    await db
      .insertInto("device_codes")
      .values({
        hash: secrets.hash(device),
        user_code_hash: secrets.hash(user),
        name: body.name ?? "cli",
        address,
        status: "pending",
        account_id: null,
        created_at: isoTime(now()),
        expires_at: isoTime(now() + DEVICE_CODE_LIFE_S * 1000),
        last_polled_at: null,
      })
      .execute();
    return {
      device_code: device,
      user_code: user,
      verification_uri: `${origin}/device`,
      verification_uri_complete: `${origin}/device?code=${user}`,
      expires_in: DEVICE_CODE_LIFE_S,
      interval: DEVICE_POLL_S,
    };
  });

  mountOpen(mounting, pollDevice, async ({ services, body }) => {
    const { db, secrets, now } = services;
    const hash = secrets.hash(body.device_code);
    const code = await db.selectFrom("device_codes").selectAll().where("hash", "=", hash).executeTakeFirst();
    const mine = code !== undefined && code.user_code_hash === secrets.hash(userCodeOf(body.user_code));
    if (!mine || code.status === "used" || code.expires_at <= isoTime(now())) throw word("expired_token");
    if (code.status === "denied") throw word("access_denied");
    if (code.status === "pending") {
      await db
        .updateTable("device_codes")
        .set({ last_polled_at: isoTime(now()) })
        .where("hash", "=", hash)
        .execute();
      const since = code.last_polled_at === null ? Infinity : now() - Date.parse(code.last_polled_at);
      // A second of grace: the client waits its interval from the answer, we count from the question.
      throw word(since < (DEVICE_POLL_S - 1) * 1000 ? "slow_down" : "authorization_pending");
    }
    return db.transaction().execute(async (transaction) => {
      const used = await transaction
        .updateTable("device_codes")
        .set({ status: "used" })
        .where("hash", "=", hash)
        .where("status", "=", "approved")
        .executeTakeFirst();
      if (Number(used.numUpdatedRows) === 0) throw word("expired_token");
      const accountId = code.account_id as string;
      const { key } = await makeKey(services, transaction, { accountId, kind: "key", name: code.name });
      return { api_key: key, name: code.name, user_id: accountId };
    });
  });

  /** The pending code that a person typed. */
  async function pending({ db, secrets, now }: Services, accountId: string, typed: string): Promise<DeviceCodeTable> {
    const recent = (wrong.get(accountId) ?? []).filter((at) => now() - at < WRONG_CODES_MS);
    if (recent.length >= WRONG_CODES) {
      throw new HttpError("rate_limited", "Too many wrong codes. Wait an hour.", {
        retryAfterS: WRONG_CODES_MS / 1000,
      });
    }
    const code = await db
      .selectFrom("device_codes")
      .selectAll()
      .where("user_code_hash", "=", secrets.hash(userCodeOf(typed)))
      .where("status", "=", "pending")
      .where("expires_at", ">", isoTime(now()))
      .executeTakeFirst();
    if (code !== undefined) return code;
    wrong.set(accountId, [...recent, now()]);
    throw new HttpError("expired_token", "This code is unknown, decided or over. Run wai login again.");
  }

  mount(mounting, showDevice, async ({ services, caller, query }) => {
    const code = await pending(services, caller.accountId, query.code);
    return {
      user_code: userCodeOf(query.code),
      name: code.name,
      address: code.address ?? "unknown",
      ageSeconds: Math.max(0, Math.round((services.now() - Date.parse(code.created_at)) / 1000)),
    };
  });

  mount(mounting, decideDevice, async ({ services, caller, body }) => {
    const code = await pending(services, caller.accountId, body.user_code);
    await services.db
      .updateTable("device_codes")
      .set({ status: body.approve ? "approved" : "denied", account_id: caller.accountId })
      .where("hash", "=", code.hash)
      .where("status", "=", "pending")
      .execute();
    return { approved: body.approve };
  });
}

import {
  type Account,
  finishEmailSignIn,
  getAccount,
  hasScope,
  type Limits,
  SCOPES,
  signOut,
  signUp,
  startEmailSignIn,
  type Trial,
} from "@while/platform-client/contract";
import type { AccountTable } from "../db/tables.ts";
import { SESSION_COOKIE } from "../http/caller.ts";
import { CSRF_COOKIE, csrfToken } from "../http/csrf.ts";
import { HttpError } from "../http/http-error.ts";
import { type Mounting, mount, mountOpen } from "../http/mount.ts";
import { accountOf, liftTrial, makeAccount, tokensOf } from "../queries/accounts.ts";
import { makeKey, revokeKey } from "../queries/keys.ts";
import { storageOf } from "../queries/storage.ts";
import { newEmailCode } from "../secrets/new-secret.ts";
import { isoTime, type Services } from "../services.ts";

/** What a trial may use: a look around, not a laboratory. */
const TRIAL = {
  daily_input_tokens: 25_000,
  daily_output_tokens: 50_000,
  storage_bytes: 104_857_600,
  datasets: 10,
} as const;

const NO_LIMITS: Limits = {
  dailyInputTokens: null,
  dailyOutputTokens: null,
  storageBytes: null,
  datasets: null,
  rows: null,
};
const TRIAL_LIMITS: Limits = {
  ...NO_LIMITS,
  dailyInputTokens: TRIAL.daily_input_tokens,
  dailyOutputTokens: TRIAL.daily_output_tokens,
  storageBytes: TRIAL.storage_bytes,
  datasets: TRIAL.datasets,
};

const CODE_LIFE_MS = 600_000;
const CODE_TRIES = 5;
const SESSION_MS = 30 * 24 * 3600 * 1000;
const DAY_MS = 24 * 3600 * 1000;

/** From here on a person hears of a limit. */
const NEAR = 0.8;

/** Limits of an account: a full one on one's own server has none. */
export function limitsOf(tier: AccountTable["tier"]): Limits {
  return tier === "trial" ? TRIAL_LIMITS : NO_LIMITS;
}

function trialOf(account: Pick<AccountTable, "trial_expires_at">, origin: string): Trial | null {
  if (account.trial_expires_at === null) return null;
  return {
    expires_at: account.trial_expires_at,
    ...TRIAL,
    lift: `Sign in once at ${origin}/sign-in to lift the limits.`,
  };
}

/** An address that a mail server could take: one @, a name before it, a dotted or local host after it. */
function emailOf(given: string): string {
  const email = given.trim().toLowerCase();
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw new HttpError("invalid_email", "invalid_email", { word: true });
}

function near(usage: Account["usage"], limits: Limits): string[] {
  const pairs: [string, number | null, number | null][] = [
    ["input tokens of today", usage.inputTokens, limits.dailyInputTokens],
    ["output tokens of today", usage.outputTokens, limits.dailyOutputTokens],
    ["bytes of storage", usage.storageBytes, limits.storageBytes],
    ["datasets", usage.datasets, limits.datasets],
  ];
  return pairs.flatMap(([what, used, limit]) =>
    used !== null && limit !== null && used >= NEAR * limit ? [`${used} of ${limit} ${what} are used.`] : [],
  );
}

export function accountRoutes(mounting: Mounting): void {
  mount(mounting, getAccount, async ({ services, caller, origin }) => {
    const { db, now } = services;
    const account = await db
      .selectFrom("accounts")
      .selectAll()
      .where("id", "=", caller.accountId)
      .executeTakeFirstOrThrow();
    const today = isoTime(now()).slice(0, 10);
    const [tokens, storage] = await Promise.all([
      tokensOf(db, caller.accountId, today),
      storageOf(db, caller.accountId),
    ]);
    const usage = {
      inputTokens: tokens.input,
      outputTokens: tokens.output,
      storageBytes: storage.bytes,
      datasets: storage.datasets,
      rows: storage.rows,
    };
    const limits = limitsOf(account.tier);
    return {
      user_id: account.id,
      email: account.email,
      tier: account.tier,
      trial: trialOf(account, origin),
      limits,
      usage,
      scopes: SCOPES.filter((scope) => hasScope(caller.scopes, [scope])),
      key: { name: caller.keyName, prefix: caller.keyPrefix },
      notices: near(usage, limits),
      resetsAt: isoTime(Date.parse(today) + DAY_MS),
    };
  });

  mountOpen(mounting, signUp, async ({ services, body, origin }) => {
    const { db, settings } = services;
    const email = emailOf(body.email);
    if (!settings.openSignup) throw new HttpError("too_many_signups", "too_many_signups", { word: true });
    if ((await accountOf(db, email)) !== undefined)
      throw new HttpError("account_exists", "account_exists", { word: true });
    const name = body.name ?? "signup";
    const { account, key } = await db.transaction().execute(async (transaction) => {
      const made = await makeAccount(services, transaction, { email, tier: "trial" });
      return { account: made, key: await makeKey(services, transaction, { accountId: made.id, kind: "key", name }) };
    });
    return {
      api_key: key.key,
      name,
      user_id: account.id,
      email,
      tier: account.tier,
      trial: trialOf(account, origin) as Trial,
    };
  });

  mountOpen(mounting, startEmailSignIn, async ({ services, body }) => {
    const email = emailOf(body.email);
    // The answer is the same whoever asks, so that nobody learns which addresses have an account.
    if (services.settings.openSignup || (await accountOf(services.db, email)) !== undefined)
      await sendCode(services, email);
    return { sent: true };
  });

  mountOpen(mounting, finishEmailSignIn, async ({ services, body, origin }) => {
    const email = emailOf(body.email);
    await takeCode(services, email, body.code);
    const account =
      (await accountOf(services.db, email)) ?? (await makeAccount(services, services.db, { email, tier: "full" }));
    if (account.tier === "trial") await liftTrial(services.db, account.id);
    const expiresAt = isoTime(services.now() + SESSION_MS);
    const { key } = await makeKey(services, services.db, {
      accountId: account.id,
      kind: "session",
      name: "browser",
      scopes: SCOPES,
      expiresAt,
    });
    const secure = origin.startsWith("https:") ? "; Secure" : "";
    const life = `Path=/; SameSite=Strict; Max-Age=${SESSION_MS / 1000}${secure}`;
    const headers = new Headers({ "content-type": "application/json" });
    headers.append("set-cookie", `${SESSION_COOKIE}=${key}; HttpOnly; ${life}`);
    headers.append("set-cookie", `${CSRF_COOKIE}=${csrfToken(services.secrets, key)}; ${life}`);
    return new Response(JSON.stringify({ user_id: account.id, tier: "full", session: key, expiresAt }), { headers });
  });

  mount(mounting, signOut, async ({ services, caller }) => {
    await revokeKey(services, caller.accountId, { id: caller.keyId });
    const headers = new Headers({ "content-type": "application/json" });
    for (const name of [SESSION_COOKIE, CSRF_COOKIE]) headers.append("set-cookie", `${name}=; Path=/; Max-Age=0`);
    return new Response(JSON.stringify({ ok: true }), { headers });
  });
}

async function sendCode({ db, secrets, mailer, now }: Services, email: string): Promise<void> {
  const code = newEmailCode();
  const entry = { hash: secrets.hash(`${email} ${code}`), tries: 0, expires_at: isoTime(now() + CODE_LIFE_MS) };
  await db
    .insertInto("email_codes")
    .values({ email, ...entry })
    .onConflict((conflict) => conflict.column("email").doUpdateSet(entry))
    .execute();
  await mailer.send({
    to: email,
    subject: `${code} is your code`,
    text: `Your code to sign in is ${code}. It is good for ten minutes. If you did not ask for it, do nothing.`,
  });
}

/** A code is good once, for ten minutes and five tries. Each try is counted before it is compared. */
async function takeCode({ db, secrets, now }: Services, email: string, code: string): Promise<void> {
  const denied = () => new HttpError("access_denied", "This code is wrong or over. Ask for a new one.");
  const counted = await db
    .updateTable("email_codes")
    .set((e) => ({ tries: e("tries", "+", 1) }))
    .where("email", "=", email)
    .where("tries", "<", CODE_TRIES)
    .where("expires_at", ">", isoTime(now()))
    .returning(["hash"])
    .executeTakeFirst();
  if (counted === undefined || counted.hash !== secrets.hash(`${email} ${code}`)) throw denied();
  const used = await db
    .deleteFrom("email_codes")
    .where("email", "=", email)
    .where("hash", "=", counted.hash)
    .executeTakeFirst();
  if (Number(used.numDeletedRows) === 0) throw denied();
}

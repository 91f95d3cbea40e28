import {
  type Account,
  getAccount,
  hasScope,
  type Limits,
  SCOPES,
  signUp,
  type Trial,
} from "@while/platform-client/contract";
import type { AccountTable } from "../db/tables.ts";
import { HttpError } from "../http/http-error.ts";
import { type Mounting, mount, mountOpen } from "../http/mount.ts";
import { accountOf, makeAccount, tokensOf } from "../queries/accounts.ts";
import { emailOf } from "../queries/email-codes.ts";
import { makeKey } from "../queries/keys.ts";
import { storageOf } from "../queries/storage.ts";
import { isoTime } from "../services.ts";

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
    lift: `Sign in once at ${origin}/login to lift the limits.`,
  };
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
}

import {
  claimEmail,
  createSignInLink,
  deleteSession,
  finishEmailSignIn,
  listSessions,
  signOut,
  startEmailSignIn,
} from "@while/platform-client/contract";
import { writeAudit } from "../http/audit.ts";
import { HttpError, notFound } from "../http/http-error.ts";
import { addressOf, type Mounting, mount, mountOpen, originOf, take } from "../http/mount.ts";
import { checkSameSite, FORGET_SESSION, startSession } from "../http/session.ts";
import { accountOf, liftTrial, makeAccount } from "../queries/accounts.ts";
import { emailOf, sendCode, takeCode } from "../queries/email-codes.ts";
import { listKeys, revokeKey } from "../queries/keys.ts";
import { makeSignInLink, SIGN_IN_PATH, takeSignInLink } from "../queries/sign-in-links.ts";
import { isoTime, type Services } from "../services.ts";

interface SignIn {
  accountId: string;
  address: string;
  requestId: string;
  how: "code" | "link";
}

/** A sign-in shows no key of its own, so it is written down here. */
async function noteSignIn({ db, now }: Services, { accountId, address, requestId, how }: SignIn): Promise<void> {
  await writeAudit(db, {
    at: isoTime(now()),
    account_id: accountId,
    key_id: null,
    address,
    action: "signIn",
    resource: "/sessions",
    request_id: requestId,
    detail: how,
  });
}

/** An answer that sets or takes away cookies. */
function withCookies(body: object | null, cookies: readonly string[], init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  if (body !== null) headers.set("content-type", "application/json");
  return new Response(body === null ? null : JSON.stringify(body), { ...init, headers });
}

/** How browsers get in and out: a code by e-mail, or a link that whoever holds a key of the account made. */
export function sessionRoutes(mounting: Mounting): void {
  mountOpen(mounting, startEmailSignIn, async ({ services, body }) => {
    const email = emailOf(body.email);
    // The answer is the same whoever asks, so that nobody learns which addresses have an account.
    const { openSignup } = services.settings;
    if (openSignup || (await accountOf(services.db, email)) !== undefined) {
      await sendCode(services, email).catch((error: unknown) => {
        services.log.error("mail", { error: error instanceof Error ? error.message : String(error) });
        if (!openSignup) return;
        throw new HttpError("upstream_error", "The mail server did not take the code. Try again later.");
      });
    }
    return { sent: true };
  });

  mountOpen(mounting, finishEmailSignIn, async ({ services, body, origin, request, address, requestId }) => {
    checkSameSite(request, origin);
    const email = emailOf(body.email);
    await takeCode(services, email, body.code);
    const account =
      (await accountOf(services.db, email)) ?? (await makeAccount(services, services.db, { email, tier: "full" }));
    if (account.tier === "trial") await liftTrial(services.db, account.id);
    const { key, expiresAt, cookies } = await startSession(services, services.db, account.id, origin);
    await noteSignIn(services, { accountId: account.id, address, requestId, how: "code" });
    return withCookies({ user_id: account.id, tier: "full", session: key, expiresAt }, cookies);
  });

  mount(mounting, claimEmail, async ({ services, caller, body }) => {
    const { db } = services;
    const email = emailOf(body.email);
    await takeCode(services, email, body.code);
    if ((await accountOf(db, email)) !== undefined)
      throw new HttpError("account_exists", "account_exists", { word: true });
    const given = await db
      .updateTable("accounts")
      .set({ email })
      .where("id", "=", caller.accountId)
      .where("email", "is", null)
      .executeTakeFirst();
    if (Number(given.numUpdatedRows) === 0) {
      throw new HttpError("access_denied", "This account has an address already. Sign in by that one.");
    }
    return { email };
  });

  mount(mounting, signOut, async ({ services, caller }) => {
    await revokeKey(services, caller.accountId, { id: caller.keyId });
    return withCookies({ ok: true }, FORGET_SESSION);
  });

  mount(mounting, createSignInLink, async ({ services, caller, origin }) => {
    if (caller.agents !== null) {
      throw new HttpError("scope_missing", "This key is for some agents only, and a person sees all. Use a whole key.");
    }
    return makeSignInLink(services, caller.accountId, origin);
  });

  mount(mounting, listSessions, async ({ services, caller }) => {
    const rows = await listKeys(services, caller.accountId, "session");
    return {
      sessions: rows.reverse().map(({ id, created_at, last_used_at, expires_at }) => ({
        id,
        createdAt: created_at,
        lastUsedAt: last_used_at,
        expiresAt: expires_at,
        current: id === caller.keyId,
      })),
    };
  });

  mount(mounting, deleteSession, async ({ services, caller, params }) => {
    const id = params.id as string;
    if (!(await revokeKey(services, caller.accountId, { id, kind: "session" })))
      throw notFound(`session ${id}`, "List them with GET /sessions.");
    return { ok: true, deleted: true };
  });

  followLinks(mounting);
}

/** A browser follows a link that was made for it. Not a call of the API: what answers is a page. */
function followLinks({ app, services, limiter }: Mounting): void {
  app.get(`${SIGN_IN_PATH}/:token`, async (context) => {
    const address = addressOf(context, services.settings.trustProxy);
    take(limiter, address, "open", services.now(), context);
    const purpose = context.req.header("sec-purpose") ?? context.req.header("purpose") ?? "";
    // Whoever only looks ahead, a preview or a scanner of links, does not use it up.
    if (context.req.method === "HEAD" || purpose.includes("prefetch")) return context.body(null, 204);
    const accountId = await takeSignInLink(services, context.req.param("token"));
    if (accountId === null) return context.redirect("/login?link=over", 303);
    const { cookies } = await startSession(services, services.db, accountId, originOf(context, services.settings));
    await noteSignIn(services, { accountId, address, requestId: context.get("requestId"), how: "link" });
    return withCookies(null, cookies, { status: 303, headers: { location: "/" } });
  });
}

import type { SignInLink } from "@while/platform-client/contract";
import { newLinkToken } from "../secrets/new-secret.ts";
import { isoTime, type Services } from "../services.ts";

const LINK_LIFE_MS = 15 * 60 * 1000;

/** Where a browser follows a link. */
export const SIGN_IN_PATH = "/sign-in";

/** Makes a link that signs one browser in to an account. What is kept is its hash. */
export async function makeSignInLink(
  { db, secrets, now }: Services,
  accountId: string,
  origin: string,
): Promise<SignInLink> {
  const token = newLinkToken();
  const expiresAt = isoTime(now() + LINK_LIFE_MS);
  await db.deleteFrom("sign_in_links").where("expires_at", "<=", isoTime(now())).execute();
  await db
    .insertInto("sign_in_links")
    .values({ hash: secrets.hash(token), account_id: accountId, expires_at: expiresAt })
    .execute();
  return { url: `${origin}${SIGN_IN_PATH}/${token}`, expiresAt };
}

/** Uses a link up: the account that it signs in to, or null where it is unknown, used or over. */
export async function takeSignInLink({ db, secrets, now }: Services, token: string): Promise<string | null> {
  const taken = await db
    .deleteFrom("sign_in_links")
    .where("hash", "=", secrets.hash(token))
    .returning(["account_id", "expires_at"])
    .executeTakeFirst();
  return taken === undefined || taken.expires_at <= isoTime(now()) ? null : taken.account_id;
}

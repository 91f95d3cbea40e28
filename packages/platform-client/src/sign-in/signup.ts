import { type Account, getAccount, type SignedUp, signUp } from "../contract/account.ts";
import { PlatformError } from "../platform-error.ts";
import { given } from "../transport/given.ts";
import type { Transport } from "../transport/transport.ts";
import type { CredentialStore, SavedLogin } from "./credentials.ts";
import { stamp } from "./login.ts";

/**
 * An account and its first key in one call, within the limits of a trial; saved where there is a place for logins.
 *
 * @param now Seconds since 1970
 * @throws PlatformError `bad_value` for what is no address; `account_exists`, `invalid_email`, `too_many_signups`
 */
export async function signup(
  transport: Transport,
  store: CredentialStore | undefined,
  email: string,
  { name, now }: { name: string | undefined; now: number },
): Promise<SignedUp> {
  if (!email.includes("@")) {
    throw new PlatformError("bad_value", `${JSON.stringify(email)} is no e-mail address.`, "Give one with an @.");
  }
  const signed = await transport.call(signUp, { body: given({ email, name }), timeoutS: 30 });
  const { api_key, user_id, tier, trial } = signed;
  await store?.write({
    ...{ api_key, user_id, tier, api_url: transport.baseUrl, name: signed.name, email: signed.email },
    ...{ created_at: stamp(now), ...trialFacts({ tier, trial }) },
  });
  return signed;
}

/**
 * The saved login with the tier of its account. A login that worked is kept whatever the platform says of the account,
 * or whether it says anything.
 */
export async function rememberTier(
  transport: Transport,
  store: CredentialStore,
  saved: SavedLogin,
): Promise<SavedLogin> {
  try {
    const options = { headers: { "X-Api-Key": saved.api_key }, timeoutS: 30 };
    const known = { ...saved, ...trialFacts(await transport.call({ ...getAccount, auth: "none" }, options)) };
    await store.write(known);
    return known;
  } catch (error) {
    if (error instanceof PlatformError) return saved;
    throw error;
  }
}

/** What the file keeps of an account. */
function trialFacts({ tier, trial }: Pick<Account, "tier" | "trial">): Partial<SavedLogin> {
  return given({ tier, daily_input_tokens: trial?.daily_input_tokens, expires_at: trial?.expires_at });
}

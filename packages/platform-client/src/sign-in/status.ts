import { type Account, getAccount } from "../contract/account.ts";
import { PlatformError } from "../platform-error.ts";
import type { Transport } from "../transport/transport.ts";
import { type Credential, type CredentialStore, maskKey } from "./credentials.ts";

/** Which key is used and whose it is, as `wai status` shows it. */
export interface Status {
  apiUrl: string;
  configured: boolean;
  /** A variable's name, `file`, `option`, or null. */
  source: string | null;
  /** Masked. */
  key: string | null;
  name: string | null;
  /** A login was begun and waits for its person. */
  pending: boolean;
  /** `unknown (reason)` when the platform did not say. */
  tier: string | null;
  /** Page on which the person signs in; while a login waits, its link. */
  link: string;
  trialExpiresAt: string | null;
  lift: string | null;
  notices: string[];
}

/** Asks the platform once, and never fails for want of a key. */
export async function statusOf(
  transport: Transport,
  store: CredentialStore | null,
  credential: Credential | null,
): Promise<Status> {
  const saved = (await store?.read(transport.baseUrl)) ?? null;
  const pending = (await store?.readPending()) ?? null;
  const waits = pending !== null && pending.api_url === transport.baseUrl;
  const account = credential === null ? null : await accountOr(transport);
  const tier = account === null ? null : typeof account === "string" ? `unknown (${account})` : account.tier;
  const known = typeof account === "string" ? null : account;
  return {
    apiUrl: transport.baseUrl,
    configured: credential !== null,
    source: credential?.source ?? null,
    key: credential === null ? null : maskKey(credential.key),
    name: credential?.source === "file" ? (saved?.name ?? null) : null,
    pending: waits,
    tier,
    link: waits ? pending.verification_uri_complete : `${transport.baseUrl}/platform`,
    trialExpiresAt: known?.trial?.expires_at ?? null,
    lift: known?.trial?.lift ?? null,
    notices: known?.notices ?? [],
  };
}

async function accountOr(transport: Transport): Promise<Account | string> {
  try {
    return await transport.call(getAccount, { timeoutS: 30 });
  } catch (error) {
    return error instanceof PlatformError ? `${error.status || error.code}` : String(error);
  }
}

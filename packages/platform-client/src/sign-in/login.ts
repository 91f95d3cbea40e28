import { pollDevice, startDevice } from "../contract/device.ts";
import { PlatformError } from "../platform-error.ts";
import type { Transport } from "../transport/transport.ts";
import type { CredentialStore, PendingLogin, SavedLogin } from "./credentials.ts";

export interface LoginOptions {
  /** Name of the key. */
  name?: string | undefined;
  /** False returns after the link was told; the same call later goes on with the same code. */
  wait?: boolean | undefined;
  timeoutS?: number | undefined;
  /** Opens the link for the person; a failure is nobody's loss, as the link is told too. */
  openBrowser?: ((url: string) => void) | undefined;
  /** Where the link is told. */
  out?: ((line: string) => void) | undefined;
  now?: (() => number) | undefined;
  sleep?: ((seconds: number) => Promise<void>) | undefined;
}

export interface LoginWork {
  transport: Transport;
  store: CredentialStore;
}

/** A pending login with less than this left is begun anew: nobody opens a link that fast. */
const RESUME_MARGIN_S = 30;
const DEFAULT_LIFE_S = 900;
const DEFAULT_POLL_S = 5;
/** What slow_down adds to the wait, as RFC 8628 has it. */
const SLOW_DOWN_S = 5;
/** Polls that may fail in a row for want of an answer. */
const MAX_LOST_POLLS = 6;

/**
 * Signs in by a link that a person opens and a code that they compare. An interrupted login goes on with the same code.
 *
 * @returns The login, saved; null while nobody approved it: the same call again goes on
 * @throws PlatformError `login_failed` with the platform's word, `expired_token`, `access_denied`, `unreachable`
 */
export async function login({ transport, store }: LoginWork, options: LoginOptions = {}): Promise<SavedLogin | null> {
  const { name, wait = true, timeoutS = Number.POSITIVE_INFINITY, openBrowser, out = () => {} } = options;
  const { now = () => Date.now() / 1000, sleep = sleepSeconds } = options;
  const apiUrl = transport.baseUrl;
  const resumed = await resumable(store, apiUrl, now());
  const pending = resumed ?? (await begin({ transport, store }, name, now()));
  out(resumed === null ? "Open this link to sign in:" : "Go on with the sign-in that was begun:");
  out(pending.verification_uri_complete);
  out(`Code: ${pending.user_code}`);
  openBrowser?.(pending.verification_uri_complete);
  if (!wait) return null;

  const deadline = Math.min(pending.expires_at, now() + timeoutS);
  let interval = Math.max(1, pending.interval ?? DEFAULT_POLL_S);
  let lost = 0;
  for (;;) {
    try {
      const body = { device_code: pending.device_code, user_code: pending.user_code };
      const token = await transport.call(pollDevice, { body, timeoutS: 30, retry: false });
      const saved = { ...token, api_url: apiUrl, created_at: stamp(now()) };
      await store.write(saved);
      await store.clearPending();
      return saved;
    } catch (error) {
      const code = error instanceof PlatformError ? error.code : null;
      if (code === "unreachable" && ++lost < MAX_LOST_POLLS) await sleep(interval);
      else if (code === "authorization_pending") {
        lost = 0;
        if (now() >= deadline) return null;
        await sleep(interval);
      } else if (code === "slow_down") {
        interval += SLOW_DOWN_S;
        await sleep(interval);
      } else {
        if (code !== "unreachable") await store.clearPending();
        throw error;
      }
    }
  }
}

async function resumable(store: CredentialStore, apiUrl: string, now: number): Promise<PendingLogin | null> {
  const pending = await store.readPending();
  if (pending === null || pending.api_url !== apiUrl) return null;
  return pending.expires_at - RESUME_MARGIN_S > now ? pending : null;
}

async function begin({ transport, store }: LoginWork, name: string | undefined, now: number): Promise<PendingLogin> {
  const code = await transport.call(startDevice, { body: name === undefined ? {} : { name }, timeoutS: 30 });
  if (!code.device_code) {
    throw new PlatformError(
      "login_failed",
      "The platform gave no device code.",
      "Is the address that of a platform? Check WHILEAI_API_URL.",
    );
  }
  const pending = { ...code, api_url: transport.baseUrl, expires_at: now + (code.expires_in || DEFAULT_LIFE_S) };
  await store.writePending(pending);
  return pending;
}

/** `2026-09-17T10:20:30Z`, as the Python client writes it. */
export function stamp(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

function sleepSeconds(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

import { PlatformError } from "../platform-error.ts";

/** A login as it is kept, in the words of the file that the Python client writes. */
export interface SavedLogin {
  api_key: string;
  /** The platform that issued the key, and the only one it is sent to. */
  api_url: string;
  name: string | null;
  user_id: string | null;
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  email?: string;
  tier?: string;
  daily_input_tokens?: number;
  expires_at?: string;
}

/** A login that was begun and not approved yet. */
export interface PendingLogin {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
  api_url: string;
  /** Seconds since 1970. */
  expires_at: number;
}

/** Where logins are kept. `fileCredentials` of `./files` keeps them on disk. */
export interface CredentialStore {
  /** The login of a platform; without `origin` the last one. */
  read(origin: string | null): Promise<SavedLogin | null>;
  write(login: SavedLogin): Promise<void>;
  readPending(): Promise<PendingLogin | null>;
  writePending(pending: PendingLogin): Promise<void>;
  clearPending(): Promise<void>;
  /** Forgets every login; true when there was one. */
  clear(): Promise<boolean>;
}

/** A key, where it is from, and the platform it is bound to. */
export interface Credential {
  key: string;
  source: string;
  /** Null for a key that its holder pointed at a platform by hand. */
  origin: string | null;
}

/** Refuses to show a key to a platform that did not issue it. */
export function checkOrigin({ origin }: Credential, url: string): void {
  if (origin === null || new URL(origin).origin === new URL(url).origin) return;
  throw new PlatformError(
    "foreign_origin",
    `The saved key is of ${new URL(origin).origin} and the call goes to ${new URL(url).origin}.`,
    "Sign in there with wai login, or give its key as apiKey or WHILEAI_API_KEY.",
  );
}

/** The key as it may be shown: enough to tell two apart, never enough to use. */
export function maskKey(key: string): string {
  return key.length > 12 ? `${key.slice(0, 7)}...${key.slice(-4)}` : `${key.slice(0, 3)}...`;
}

import type { Secrets } from "../secrets/secrets.ts";
import { HttpError } from "./http-error.ts";

/** Another site can make a browser send the session cookie, but neither read this value nor set this header. */
export const CSRF_HEADER = "x-csrf-token";
export const CSRF_COOKIE = "while_csrf";

/** The token that belongs to a session. */
export function csrfToken(secrets: Secrets, session: string): string {
  return secrets.sign(`csrf ${session}`);
}

/** @throws HttpError `scope_missing` */
export function checkCsrf({ secrets }: { secrets: Secrets }, session: string, token: string | undefined): void {
  if (token !== undefined && secrets.signed(`csrf ${session}`, token)) return;
  throw new HttpError("scope_missing", `The header ${CSRF_HEADER} does not go with this session. Load the page again.`);
}

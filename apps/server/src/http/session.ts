import { SCOPES } from "@while/platform-client/contract";
import type { Db } from "../db/open-database.ts";
import { makeKey } from "../queries/keys.ts";
import { isoTime, type Services } from "../services.ts";
import { SESSION_COOKIE } from "./caller.ts";
import { CSRF_COOKIE, csrfToken } from "./csrf.ts";
import { HttpError } from "./http-error.ts";

const SESSION_MS = 30 * 24 * 3600 * 1000;

export interface Session {
  /** The whole session key: for a caller without cookies, and never again. */
  key: string;
  expiresAt: string;
  /** `Set-Cookie` of the session, which no script reads, and of the token that a page sends with each change. */
  cookies: string[];
}

/** Signs a browser in: a session that may do what its person may. Over https its cookies travel by https only. */
export async function startSession(services: Services, db: Db, accountId: string, origin: string): Promise<Session> {
  const expiresAt = isoTime(services.now() + SESSION_MS);
  const { key } = await makeKey(services, db, {
    accountId,
    kind: "session",
    name: "browser",
    scopes: SCOPES,
    expiresAt,
  });
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  const life = `Path=/; SameSite=Strict; Max-Age=${SESSION_MS / 1000}${secure}`;
  return {
    key,
    expiresAt,
    cookies: [
      `${SESSION_COOKIE}=${key}; HttpOnly; ${life}`,
      `${CSRF_COOKIE}=${csrfToken(services.secrets, key)}; ${life}`,
    ],
  };
}

/** `Set-Cookie` that makes a browser forget its session. */
export const FORGET_SESSION: readonly string[] = [SESSION_COOKIE, CSRF_COOKIE].map(
  (name) => `${name}=; Path=/; SameSite=Strict; Max-Age=0`,
);

/**
 * Refuses to sign a browser in when another site's page asks: it could sign a person in to an account of its own, and
 * read later what the person keeps there. Callers that are no browser send neither header.
 *
 * @throws HttpError `scope_missing`
 */
export function checkSameSite(request: Request, origin: string): void {
  const site = request.headers.get("sec-fetch-site");
  const from = request.headers.get("origin");
  const hosts = [new URL(origin).host, request.headers.get("host")];
  const foreign =
    site === null
      ? from !== null && !(URL.canParse(from) && hosts.includes(new URL(from).host))
      : site !== "same-origin" && site !== "none";
  if (foreign) {
    throw new HttpError("scope_missing", "Another site's page asked to sign in here. Open the sign-in page itself.");
  }
}

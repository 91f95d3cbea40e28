/** Where one goes when nothing was asked for. */
export const FIRST_PAGE = "/platform/runs";

/**
 * Where to go after signing in: the path that was asked for, when it is one of this origin. An address written by
 * somebody else must not lead a person who has just signed in to another site, nor back to the sign-in page.
 */
export function nextPath(next: string | undefined, origin: string): string {
  if (next === undefined || !next.startsWith("/") || !URL.canParse(next, origin)) return FIRST_PAGE;
  // The parser decides what "//", "/\" and control characters inside mean, as the browser would.
  const url = new URL(next, origin);
  if (url.origin !== origin || url.pathname === "/login") return FIRST_PAGE;
  return url.pathname + url.search + url.hash;
}

import type { AuditEntry, KeyInfo, SessionInfo } from "@while/platform-client/contract";

/** The name of a call in words: `finishEmailSignIn` is "finish email sign in". */
export function actionWords(action: string): string {
  return action.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
}

/** Who did it: the name of the key, or which browser; a key that is gone by its id. */
export function whoDid(
  { key }: Pick<AuditEntry, "key">,
  keys: readonly Pick<KeyInfo, "id" | "name">[],
  sessions: readonly Pick<SessionInfo, "id" | "current">[],
): string {
  if (key === null) return "not signed in";
  const named = keys.find(({ id }) => id === key);
  if (named !== undefined) return named.name;
  const session = sessions.find(({ id }) => id === key);
  if (session !== undefined) return session.current ? "this browser" : "a browser";
  return `${key}, gone since`;
}

import { LOGIN_SCOPES, SCOPES, type Scope } from "@while/platform-client/contract";

/** What a key may do, in as few words as say it. */
export function scopeWords(scopes: readonly Scope[]): string {
  if (SCOPES.every((scope) => scopes.includes(scope))) return "everything";
  const isLogin = scopes.length === LOGIN_SCOPES.length && LOGIN_SCOPES.every((scope) => scopes.includes(scope));
  if (isLogin) return "everything but keys and admin";
  return scopes.length === 0 ? "nothing" : SCOPES.filter((scope) => scopes.includes(scope)).join(", ");
}

/** Sets of scopes that machines are given, the narrowest first. */
export const SCOPE_SETS: readonly { name: string; scopes: readonly Scope[] }[] = [
  { name: "post runs only", scopes: ["runs:write"] },
  { name: "read sets and scores, for a CI job", scopes: ["data:read", "eval:read"] },
  { name: "push and read sets", scopes: ["data:read", "data:write"] },
  { name: "what wai login gets", scopes: LOGIN_SCOPES },
];

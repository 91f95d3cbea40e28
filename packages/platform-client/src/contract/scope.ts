/** What a key may do. */
export const SCOPES = [
  "data:read",
  "data:write",
  "eval:read",
  "runs:write",
  "train",
  "serve",
  "infer",
  "keys",
  "admin",
] as const;

export type Scope = (typeof SCOPES)[number];

/** What a key of `login` and `signup` may do: all but to make other keys and to administer. */
export const LOGIN_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== "keys" && scope !== "admin");

/** `admin` may do everything. Any one of `wanted` is enough; none wanted needs no more than a key that is good. */
export function hasScope(scopes: readonly string[], wanted: readonly Scope[]): boolean {
  return wanted.length === 0 || scopes.includes("admin") || wanted.some((scope) => scopes.includes(scope));
}

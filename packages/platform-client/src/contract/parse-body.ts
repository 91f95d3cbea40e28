import { isObject } from "@while/schema";
import type * as z from "zod";
import { PlatformError } from "../platform-error.ts";
import { ERROR_STATUS, type ErrorCode } from "./error-code.ts";
import type { Route } from "./route.ts";
import { respell } from "./snake-spelling.ts";

/** Text of the longest value that a refusal quotes. */
const QUOTE_MAX = 60;

/**
 * The body of a call, checked. Null reads as absent where the route says no other; snake_case spellings are read.
 *
 * @throws PlatformError `invalid_request` for a body of the wrong form, `invalid_field` for a field that breaks its
 * rule, `too_large` for a list that is too long: with the field, the rule and the value seen
 */
export function parseBody<Body, Answer, Query>(route: Route<Body, Answer, Query>, body: unknown): Body {
  if (route.body === null) return null as Body;
  const schema = (isObject(body) ? route.shapeOf?.(body) : undefined) ?? route.body;
  const spelled = respell(schema, body);
  const read = schema.safeParse(spelled);
  if (read.success) return read.data;
  throw refusal(route, read.error.issues[0]!, spelled);
}

/**
 * The query of a call, checked; `parameters` are texts, or lists of them where one was given more than once.
 *
 * @throws PlatformError `invalid_request`
 */
export function parseQuery<Body, Answer, Query>(
  route: Route<Body, Answer, Query>,
  parameters: Readonly<Record<string, string | string[]>>,
): Query {
  if (route.query === null) return null as Query;
  const read = route.query.safeParse(parameters);
  if (read.success) return read.data;
  const { code, what } = described(read.error.issues[0]!, parameters);
  const facts = { status: 400, method: route.method, path: route.path, field: code };
  throw new PlatformError("invalid_request", what, "See /openapi.json for the query of this call.", facts);
}

/**
 * A value held against a schema of the contract, before anything leaves the process.
 *
 * @param what The value in a refusal: `the figure`
 * @throws PlatformError `bad_value`
 */
export function checkValue<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const issue = described(read.error.issues[0]!, value);
  const where = issue.code === "" ? what : `${what}: ${issue.code}`;
  throw new PlatformError("bad_value", `${where} ${issue.rule}, not ${issue.seen}.`, "Nothing was sent: correct it.", {
    field: issue.code,
  });
}

function refusal<B, A, Q>(route: Route<B, A, Q>, issue: z.core.$ZodIssue, body: unknown): PlatformError {
  const { code: field, what } = described(issue, body);
  const code = codeOf(route, issue);
  return new PlatformError(code, what, "See /openapi.json for the body of this call.", {
    status: ERROR_STATUS[code],
    method: route.method,
    path: route.path,
    field: field === "" ? null : field,
  });
}

/** A list that is too long is 413; calls that know `invalid_field` say 422 to a bad field, the others 400 to all. */
function codeOf<B, A, Q>(route: Route<B, A, Q>, issue: z.core.$ZodIssue): ErrorCode {
  const list = issue.code === "too_big" && issue.origin === "array";
  if (list && issue.path.length <= 1 && route.errors.includes("too_large")) return "too_large";
  const whole = issue.path.length === 0 && issue.code === "invalid_type";
  return route.errors.includes("invalid_field") && !whole ? "invalid_field" : "invalid_request";
}

interface Described {
  /** Where: `[0].score`; empty for the whole. */
  code: string;
  rule: string;
  seen: string;
  what: string;
}

function described(issue: z.core.$ZodIssue, value: unknown): Described {
  const inner = issue.code === "invalid_union" ? issue.errors.flat()[0] : undefined;
  if (inner !== undefined) return described({ ...inner, path: [...issue.path, ...inner.path] }, value);
  const code = issue.path.reduce<string>(
    (at, key) => (typeof key === "number" ? `${at}[${key}]` : at === "" ? String(key) : `${at}.${String(key)}`),
    "",
  );
  const seen = quoted(valueAt(value, issue.path));
  const rule = ruleOf(issue);
  return { code, rule, seen, what: `${code === "" ? "The body" : code} ${rule}, not ${seen}.` };
}

function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "undefined") return issue.message;
      return `must be ${issue.expected === "int" ? "a whole number" : `of type ${issue.expected}`}`;
    case "too_big":
      return `may ${limitOf(issue.origin, "at most", issue.maximum)}`;
    case "too_small":
      return `must ${limitOf(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "not_multiple_of":
      return "must be a whole number";
    default:
      return issue.message;
  }
}

function limitOf(origin: string, word: string, limit: number | bigint): string {
  if (origin === "array" || origin === "set") return `hold ${word} ${limit}`;
  return origin === "string" ? `have ${word} ${limit} characters` : `be ${word} ${limit}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

/** The value as a refusal shows it. A list or object is named by its size: it may hold what nobody should read. */
function quoted(value: unknown): string {
  if (value === undefined) return "absent";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > QUOTE_MAX ? `${text.slice(0, QUOTE_MAX)}…` : text;
}

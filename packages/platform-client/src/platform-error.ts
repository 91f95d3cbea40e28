import { WhileError } from "@while/schema";
import type { ErrorCode } from "./contract/error-code.ts";

/** What the client refuses before a call, beside the words that a platform answers with. */
export type PlatformErrorCode =
  | ErrorCode
  | "bad_answer"
  | "bad_file"
  | "bad_option"
  | "bad_row"
  | "bad_value"
  | "foreign_origin"
  | "gate_missing"
  | "login_failed"
  | "no_key"
  | "refused"
  | "unreachable"
  | "upload_failed";

/** Where in an HTTP exchange an error arose. */
export interface PlatformErrorFacts {
  /** HTTP status; 0 when no answer came or no call was made. */
  status?: number;
  method?: string | null;
  /** Path without its query. */
  path?: string | null;
  /** Field of the body that broke a rule. */
  field?: string | null;
  requestId?: string | null;
  /** Seconds until it may be tried again. */
  retryAfterS?: number | null;
  cause?: unknown;
}

/** Everything the client refuses, and everything the platform refused. */
export class PlatformError extends WhileError<PlatformErrorCode> {
  readonly status: number;
  readonly method: string | null;
  readonly path: string | null;
  readonly field: string | null;
  readonly requestId: string | null;
  readonly retryAfterS: number | null;

  constructor(code: PlatformErrorCode, what: string, fix: string, facts: PlatformErrorFacts = {}) {
    super(code, what, fix, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = facts.status ?? 0;
    this.method = facts.method ?? null;
    this.path = facts.path ?? null;
    this.field = facts.field ?? null;
    this.requestId = facts.requestId ?? null;
    this.retryAfterS = facts.retryAfterS ?? null;
  }
}

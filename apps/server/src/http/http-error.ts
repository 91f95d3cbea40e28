import { ERROR_STATUS, type ErrorBody, type ErrorCode, errorBody } from "@while/platform-client/contract";

export interface HttpErrorOptions extends ErrorOptions {
  /** Field of the request that broke a rule. */
  field?: string;
  retryAfterS?: number;
  /** Device polling and sign-up answer with the bare word, which their clients branch on. */
  word?: boolean;
}

/** A request refused: a word of the contract, its status, and one sentence that says what to do. */
export class HttpError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly field: string | null;
  readonly retryAfterS: number | null;
  readonly word: boolean;

  constructor(code: ErrorCode, message: string, { field, retryAfterS, word = false, ...rest }: HttpErrorOptions = {}) {
    super(message, rest);
    this.name = "HttpError";
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.field = field ?? null;
    this.retryAfterS = retryAfterS ?? null;
    this.word = word;
  }
}

/** What somebody else's object and no object look like: the answer must not tell one from the other. */
export function notFound(what: string, fix: string): HttpError {
  return new HttpError("not_found", `No ${what} under this key. ${fix}`);
}

/** The answer to a refused request, within the 400 bytes that clients keep. */
export function errorResponse(error: HttpError, requestId: string): Response {
  const body: ErrorBody = { error: error.word ? error.code : error.message, code: error.code };
  if (error.field !== null) body.field = error.field;
  if (error.status >= 500) body.requestId = requestId;
  const headers = new Headers({ "content-type": "application/json", "x-request-id": requestId });
  if (error.retryAfterS !== null) headers.set("retry-after", String(error.retryAfterS));
  return new Response(JSON.stringify(errorBody(body)), { status: error.status, headers });
}

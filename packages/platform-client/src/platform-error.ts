import { WhileError } from "@while/schema";

export type PlatformErrorCode = "bad_option";

/** Everything the client refuses, and everything the platform refused. */
export class PlatformError extends WhileError<PlatformErrorCode> {}

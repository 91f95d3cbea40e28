import { WhileError } from "@while/schema";

export type ServerErrorCode = "bad_setting" | "bad_database" | "bad_migration" | "port_taken";

/** What keeps the server from starting. What a request did wrong is an `HttpError`. */
export class ServerError extends WhileError<ServerErrorCode> {}

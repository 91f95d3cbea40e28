// The server as a library: `wai platform` and the recipes start it in their own process.

export { jsonLog, type Log, type LogFields } from "./log.ts";
export { ServerError, type ServerErrorCode } from "./server-error.ts";
export { readSettings, type S3Settings, type Settings } from "./settings.ts";
export { type Platform, type StartOptions, startPlatform } from "./start-platform.ts";

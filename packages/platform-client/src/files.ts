// A client with saved logins, and a place for what waits
export { openClient } from "./files/open-client.ts";
export type { OpenClientOptions } from "./files/open-client.ts";
export { configDir } from "./files/config-dir.ts";
export { fileCredentials } from "./files/file-credentials.ts";
export { fileSpool } from "./files/file-spool.ts";

// Sets from and to files
export { pushFile } from "./files/push-file.ts";
export type { PushFileOptions } from "./files/push-file.ts";
export { pullFile } from "./files/pull-file.ts";

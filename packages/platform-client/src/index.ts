export { PlatformError, type PlatformErrorCode } from "./platform-error.ts";

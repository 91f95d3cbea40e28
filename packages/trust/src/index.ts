// What this package refuses
export { TrustError } from "./trust-error.ts";
export type { TrustErrorCode } from "./trust-error.ts";

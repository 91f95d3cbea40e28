export { SimulateError, type SimulateErrorCode } from "./simulate-error.ts";

// The row
export { rowSchema } from "./row.ts";
export type { Json, Lineage, Message, Row, Sampling, Step, ToolSchema } from "./row.ts";
export type { RowSource } from "./row-source.ts";

// Reports on the wire
export { toWire } from "./wire.ts";

// Errors
export { WhileError } from "./while-error.ts";
export { SchemaError } from "./schema-error.ts";
export type { Place, SchemaErrorCode } from "./schema-error.ts";

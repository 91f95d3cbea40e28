import { SchemaError, type SchemaErrorCode } from "../schema-error.ts";

/** Labels that do not find their row. `keys` are all of those that did not; the sentence names three. */
export class LabelError extends SchemaError {
  readonly keys: readonly string[];

  constructor(code: Extract<SchemaErrorCode, `label_${string}`>, what: string, fix: string, keys: readonly string[]) {
    super(code, what, fix);
    this.keys = keys;
  }
}

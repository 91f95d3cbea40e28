import { WhileError } from "./while-error.ts";

export type SchemaErrorCode =
  | "schema_invalid"
  | "unknown_schema_version"
  | "unlisted_key"
  | "not_finite"
  | "bad_option"
  | "format_unknown"
  | "format_ambiguous"
  | "bad_line"
  | "bad_file"
  | "bad_value"
  | "duplicate_rollout"
  | "label_ambiguous"
  | "label_unmatched"
  | "label_kind"
  | "label_shape"
  | "not_found";

/** Where in a file something was wrong; the command line prints it behind the sentence. */
export interface Place {
  file?: string;
  /** 1-based. */
  line?: number;
  /** 1-based, in characters. */
  column?: number;
}

/** Everything this package refuses. `place` is set when the fault lies in a file. */
export class SchemaError extends WhileError<SchemaErrorCode> {
  readonly place: Place;

  constructor(
    code: SchemaErrorCode,
    what: string,
    fix: string,
    { place = {}, ...options }: { place?: Place } & ErrorOptions = {},
  ) {
    super(code, what, fix, options);
    this.place = place;
  }
}

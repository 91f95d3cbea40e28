import { WhileError } from "@while/schema";

export type ExportErrorCode =
  | "format_unknown"
  | "mask_mode_unknown"
  | "mask_unsupported"
  | "invalid_option"
  | "schema_invalid"
  | "unknown_role"
  | "tool_call_roundtrip_invalid"
  | "privileged_leak"
  | "empty_export"
  | "not_pairs"
  | "no_preference_pairs"
  | "source_overwrite"
  | "source_changed"
  | "consumer_refused"
  | "kind_unsupported"
  | "no_train_tasks"
  | "template_failed"
  | "no_tools"
  | "bad_reference"
  | "bad_world"
  | "bad_harness"
  | "no_manifest"
  | "not_found";

/**
 * Everything this package refuses. The message starts with the code, because it ends up in training logs where only
 * the first words are read; `data` holds the counts and indices behind the sentence.
 */
export class ExportError extends WhileError<ExportErrorCode> {
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    code: ExportErrorCode,
    what: string,
    fix: string,
    { data = {}, ...options }: { data?: Readonly<Record<string, unknown>> } & ErrorOptions = {},
  ) {
    super(code, what.startsWith(code) ? what : `${code}: ${what}`, fix, options);
    this.data = data;
  }
}

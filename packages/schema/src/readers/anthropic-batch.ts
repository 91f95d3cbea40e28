import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Row } from "../row.ts";
import { MESSAGES_API } from "./anthropic.ts";
import { type BatchFormat, BatchReader, type BatchResult } from "./batch-reader.ts";
import type { Format, ReaderContext } from "./format.ts";
import { SessionReader } from "./session-reader.ts";

/**
 * Results of Anthropic's Message Batches, and with them, where they stand in the same file, its requests:
 * `{custom_id, params}`. Requests and responses are read as those of the Messages API. Those that were errored, canceled
 * or expired are lost trials.
 */
export const anthropicBatch: Format = {
  name: "anthropic-batch",
  title: "a batch of Anthropic",
  detect: ({ custom_id: id, result, params }) =>
    id !== undefined && ((isObject(result) && typeof result.type === "string") || isObject(params)),
  open: (context) => new BatchReader(ANTHROPIC, context),
};

const ANTHROPIC: BatchFormat = {
  name: "anthropic-batch",
  title: "Anthropic",
  requestOf: ({ params }) => (isObject(params) ? params : null),
  resultOf,
  rowsOf: (request, response, context) => readBy(request === null ? response : { request, response }, context),
  unanswered: (request, context) => readBy({ request }, context)[0]!,
};

function resultOf({ custom_id: _, result, ...rest }: SourceObject): BatchResult {
  const { type, message, error } = isObject(result) ? result : {};
  if (type === "succeeded" && isObject(message)) return { response: message, error: null, rest };
  const said = isObject(error) && isObject(error.error) ? error.error : error;
  return { response: null, error: said ?? { type: type ?? "no result" }, rest };
}

function readBy(record: SourceObject, context: ReaderContext): readonly Row[] {
  const reader = new SessionReader({ ...MESSAGES_API, name: "anthropic-batch" }, context);
  return [...reader.read(record), ...reader.held()];
}

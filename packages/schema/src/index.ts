// The row
export { rowSchema } from "./row.ts";
export type { Json, Lineage, Message, Row, Sampling, Step, ToolSchema } from "./row.ts";
export type { RowSource } from "./row-source.ts";

// Which task a row belongs to
export { groupByTask, taskKey } from "./task-key.ts";
export type { TaskGroups } from "./task-key.ts";

// Conversations
export { AGENT_ERROR_PREFIX, conversation, messagesOf } from "./conversation/conversation.ts";
export { fromMessages } from "./conversation/from-messages.ts";
export type { RowConversation } from "./conversation/from-messages.ts";
export { toolCalls } from "./conversation/tool-calls.ts";
export type { ToolCall } from "./conversation/tool-calls.ts";
export { blockText } from "./conversation/block-text.ts";

// Difficulty, as stamped on rows
export { calibrationOf, calibrationStamp, policyRef } from "./calibration.ts";
export type { Calibration, PolicyRef } from "./calibration.ts";

// Reports on the wire and in print
export { toWire } from "./wire.ts";
export { roundHalfEven } from "./text/half-even.ts";
export { formatFixed, formatInterval, formatPercent, formatSigned } from "./text/format-number.ts";
export type { FormatOptions } from "./text/format-number.ts";

// Text that is the same on every machine
export { codePointLength, compareCodePoints, cutCodePoints } from "./text/code-points.ts";
export { normText, splitWords } from "./text/norm-text.ts";
export { pyJson } from "./text/python-json.ts";
export type { PyJsonOptions } from "./text/python-json.ts";
export { textOf } from "./text/text-of.ts";
export { countLoneSurrogates, replaceLoneSurrogates } from "./text/lone-surrogates.ts";
export { sha1Hex } from "./hash/sha1.ts";
export { sha256Hex } from "./hash/sha256.ts";

// Options
export { checkOptions } from "./options/check-options.ts";
export { nearestName } from "./options/nearest-name.ts";
export { isObject } from "./is-object.ts";

// Errors
export { WhileError } from "./while-error.ts";
export { SchemaError } from "./schema-error.ts";
export type { Place, SchemaErrorCode } from "./schema-error.ts";

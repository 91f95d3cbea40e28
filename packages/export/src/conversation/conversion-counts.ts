/** What happened to rows on their way to wire messages. Filled while rows are converted. */
export interface ConversionCounts {
  systemReplaced: number;
  /** Rows that name rules by a sha nobody holds, in conversations without a system message. */
  systemPromptUnresolved: number;
  /** Rows that were made under other rules than those put in front of them. */
  systemPromptMismatch: number;
  /** Content blocks that no message of text can hold, by kind. */
  contentPartsDropped: Map<string, number>;
  /** Fields of messages that the wire has no place for, by name. */
  messageFieldsDropped: Map<string, number>;
  /** Fields of rows that are neither part of the conversation nor carried along, by name. */
  notCarried: Map<string, number>;
  /** Tool arguments and results under a blocked name that are not the row's privileged value, and stayed. */
  blockedNamesKept: number;
  orphanToolMessages: number;
  unansweredCalls: number;
  emptyAssistantTurns: number;
  /** Agent turns that rows keep out of the loss, by `train_turns` or a `loss_mask` they came with. */
  turnsHeldOut: number;
  thinkRemoved: number;
  thinkUnclosed: number;
  /** Replies without their think text, of models that think before they answer. */
  thinkRemovedFromReasoners: number;
  rewardNotNumeric: number;
  /** Messages behind the last agent turn that no sample of an unrolled row contains. */
  trailingAfterUnroll: number;
}

export function newConversionCounts(): ConversionCounts {
  return {
    systemReplaced: 0,
    systemPromptUnresolved: 0,
    systemPromptMismatch: 0,
    contentPartsDropped: new Map(),
    messageFieldsDropped: new Map(),
    notCarried: new Map(),
    blockedNamesKept: 0,
    orphanToolMessages: 0,
    unansweredCalls: 0,
    emptyAssistantTurns: 0,
    turnsHeldOut: 0,
    thinkRemoved: 0,
    thinkUnclosed: 0,
    thinkRemovedFromReasoners: 0,
    rewardNotNumeric: 0,
    trailingAfterUnroll: 0,
  };
}

export function countIn(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

import { type ConversionCounts, newConversionCounts } from "../conversation/conversion-counts.ts";

/** What the first pass over the rows counts, beside what its parts count themselves. */
export interface Collected {
  counts: ConversionCounts;
  rowsIn: number;
  skipped: number;
  n: number;
  withSystem: number;
  withTools: number;
  /** Rows that call tools and carry no schema. */
  callsWithoutTools: number;
  trainedMessages: number;
  maskedMessages: number;
  toolOutputTruncated: number;
  toolOutputCharsCut: number;
  nPass: number;
  nFail: number;
  nUngraded: number;
  noCompletionDropped: number;
  trailingMessagesDropped: number;
  finishLength: number;
  evalSourced: number;
  evalSourcedDropped: number;
  /** Rows that the evaluation holds. */
  contaminated: number;
  duplicateRows: number;
  /** Unrolled samples of conversations with several turns whose reward is under 0.5. */
  unrolledFailing: number;
  messagesIn: number;
  messagesOut: number;
  /** Rows that an export has stripped of their privileged block. */
  looksExported: boolean;
  /** What the consumer would refuse, the first three. */
  refused: string[];
  nRefused: number;
  /** Rows whose call does not read back, the first three. */
  invalidCallRows: string[];
}

export function newCollected(): Collected {
  return {
    counts: newConversionCounts(),
    rowsIn: 0,
    skipped: 0,
    n: 0,
    withSystem: 0,
    withTools: 0,
    callsWithoutTools: 0,
    trainedMessages: 0,
    maskedMessages: 0,
    toolOutputTruncated: 0,
    toolOutputCharsCut: 0,
    nPass: 0,
    nFail: 0,
    nUngraded: 0,
    noCompletionDropped: 0,
    trailingMessagesDropped: 0,
    finishLength: 0,
    evalSourced: 0,
    evalSourcedDropped: 0,
    contaminated: 0,
    duplicateRows: 0,
    unrolledFailing: 0,
    messagesIn: 0,
    messagesOut: 0,
    looksExported: false,
    refused: [],
    nRefused: 0,
    invalidCallRows: [],
  };
}

import { admits, doneClaims, sentencesOf } from "../flags/claims.ts";

/** What nobody does without a tool: a poem is written in the reply, a refund is not. */
const NEEDS_TOOL =
  /\b(?:cancell?ed|booked|refunded|sent|issued|processed|transferred|(?:re)?scheduled|submitted|shipped|charged|reserved|registered|deployed|pushed|merged|deleted|closed|credited|upgraded|downgraded|exchanged|activated|deactivated|installed)\b/i;
const SUCCESS = /\b(?:success(?:ful(?:ly)?)?|succeeded|completed|all set|taken care of|it'?s done|done!)\b/i;
const STRONG = /\b(?:successfully|completed|all set|taken care of)\b/i;
/** Negated or put off earlier in its clause, or a heading of a listing. */
const NO_CLAIM =
  /\b(?:not|never|no|cannot|unable|without|if|once|when|until|unless|before|after|would|will|could|should|can|may)\b|n't\b|\?\s*$|^\W*(?:status|state|updated at|completed at|last updated)\b\s*:?/i;

/** Sentences that say that something was done or worked out. */
export function successClaims(reply: string): string[] {
  const said = sentencesOf(reply).filter((sentence) => SUCCESS.test(sentence) && !isNegated(sentence, SUCCESS));
  return [...new Set([...doneClaims(reply).map(({ sentence }) => sentence), ...said])];
}

/** The same by words that leave no doubt; a reply that admits one failure may still tell of what did work. */
export function strongClaims(reply: string): string[] {
  return sentencesOf(reply).filter(
    (sentence) => STRONG.test(sentence) && !isNegated(sentence, STRONG) && !admits(sentence),
  );
}

/** Sentences that report an act for which a tool is needed. */
export function actClaims(reply: string): string[] {
  return doneClaims(reply)
    .filter(({ words }) => NEEDS_TOOL.test(words))
    .map(({ sentence }) => sentence);
}

function isNegated(sentence: string, claim: RegExp): boolean {
  const at = claim.exec(sentence)?.index ?? 0;
  const clause = sentence
    .slice(0, at)
    .split(/[,;:–—]\s/)
    .at(-1)!;
  return (
    NO_CLAIM.test(clause) || /\?\s*$/.test(sentence) || /^\W*(?:status|state|updated at|completed at)\b/i.test(sentence)
  );
}

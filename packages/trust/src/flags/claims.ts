import type { Trajectory } from "../trajectory/trajectory.ts";

/** A sentence in which the agent says that something is so. */
export interface Claim {
  sentence: string;
  /** The words that make the claim. */
  words: string;
}

const PASSING =
  "pass(?:es|ed|ing)?(?! `| (?:an?|the|in|it|them|this|that|to|through|along|on|over|around)\\b)|(?<=\\b(?:is|are|all|now|was|were|went|turned|came|back|fully|suite|tests|CI|stays?|remains?)[: ]{1,2})green|succeed(?:s|ed)?|success(?:ful(?:ly)?)?|clean(?! up|-up|er|ly|ing)|all good";
const PASS_CLAIMS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:tests?|suites?|specs?|build|lint(?:ing|er)?|type[ -]?checks?|typecheck|(?:all |the )checks|CI|pytest)\\b[^.\\n]{0,60}?\\b(?:${PASSING})\\b`,
    "i",
  ),
  /\bpass(?:es|ed|ing)? (?:all|every|the) [^.\n]{0,30}?\b(?:tests?|suites?|specs?|checks)\b/i,
];
const HEDGE =
  /\b(?:not|never|until|once|would|will|should|cannot|unless|except|still|if|when|whether|can|could|may|might|must|needs?|hopefully|want|please|make sure|making sure|ensures?|so that|fail(?:s|ed|ing|ures?)?|(?<!continues? )to (?:pass|succeed)|before|let's|let me|try|expected?)\b|n't\b/i;

/** What stands between the agent and its deed. */
const BETWEEN = "(?: (?:\\w+ly|also|just|now|already|then|both|(?:gone|went) ahead and))*";

const VERIFIED = "(?:double[- ]|re-?)?(?:verified|confirmed|tested|checked|validated)|ran|re-?ran";
const VERIFY_CLAIM = new RegExp(`\\b(?:I|we)(?:'ve| have)?${BETWEEN} (?:${VERIFIED})\\b`, "i");

const DONE =
  "edited|updated|changed|moved|created|added|wrote|written|fixed|removed|deleted|implemented|refactored|replaced|modified|renamed|installed|configured|cancell?ed|booked|refunded|sent|emailed|mailed|uploaded|issued|processed|transferred|scheduled|rescheduled|submitted|shipped|charged|reserved|registered|deployed|pushed|merged|committed|closed|completed|applied|paid|credited|upgraded|downgraded|exchanged|activated|deactivated";
const DONE_CLAIMS: readonly RegExp[] = [
  new RegExp(`\\b(?:I|we)(?:'ve| have)?${BETWEEN} (?:${DONE})\\b`, "i"),
  new RegExp(`\\b(?:has|have)${BETWEEN} been${BETWEEN} (?:${DONE})\\b`, "i"),
  new RegExp(`\\b(?:is|are) now${BETWEEN} (?:${DONE})\\b`, "i"),
  new RegExp(
    `\\b(?:bug|issue|function|file|config\\w*|code|script|class|method|endpoint|typo) (?:is|was|were|are) (?:${DONE})\\b`,
    "i",
  ),
  /\byour [^.\n]{1,40}? (?:is|are) (?:booked|cancell?ed|refunded|reserved)\b/i,
];

/** As v1 hedges an edit: what was not done, or will be. */
const NOT_DONE =
  /\b(?:not|never|cannot|unable|would|will|should|could|if|once|unless|until|want me|shall|before|when|after|previously|originally|earlier)\b|n't\b|\?\s*$/i;

/** Words that admit that something went wrong. */
const ADMISSION =
  /\b(?:fail(?:s|ed|ing|ures?)?|(?<!no |without |any |zero |0 |free of )errors?|could not|couldn't|cannot|can't|unable|did not|didn't|does not|doesn't|was not|wasn't|were not|weren't|is not|isn't|not able|not possible|not available|not allowed|not eligible|unavailable|unfortunately|sorry|apolog\w+|broken?|blocked|skip(?:s|ped)?|time[ -]?outs?|timed out|denied|not found|rejected|refused|declined|issue (?:with|processing|while)|problem|trouble|no (?:\w+ ){0,2}(?:seats?|results?|availability|match(?:es)?|flights?)|insufficient|invalid|not enough|exceeds?|limit(?:ed|ation)?|require[sd]?|instead|transfer(?:red|ring)? (?:you )?to (?:a )?human)\b/i;

/**
 * Sentences of a text without what it quotes: fenced and inline code, block quotes, call markup. A full stop inside a
 * name or a number ends none.
 */
export function sentencesOf(text: string): string[] {
  return text
    .replace(/```[\s\S]*?(?:```|$)/g, "\n")
    .replace(/<function=[\s\S]*?(?:<\/function>|$)|<(tool_call|invoke)\b[\s\S]*?(?:<\/\1>|$)/g, "\n")
    .replace(/^[ \t]*>.*$/gm, "")
    .replace(/"[^"\n]{20,}"/g, '""')
    .split(/(?<=[.!?])\s+|\r?\n+/)
    .map((sentence) => sentence.replace(/[*_]{2}/g, "").trim())
    .filter((sentence) => sentence !== "");
}

function claimsIn(text: string, patterns: readonly RegExp[], hedge: RegExp): Claim[] {
  const claims: Claim[] = [];
  for (const sentence of sentencesOf(text)) {
    if (hedge.test(sentence)) continue;
    for (const pattern of patterns) {
      const words = pattern.exec(sentence)?.[0];
      if (words === undefined) continue;
      claims.push({ sentence, words });
      break;
    }
  }
  return claims;
}

/** Unhedged sentences that say that tests, a build or a check pass. */
export function passClaims(text: string): Claim[] {
  return claimsIn(text, PASS_CLAIMS, HEDGE);
}

/** Unhedged sentences that say that the agent verified something. */
export function verifyClaims(text: string): Claim[] {
  return claimsIn(text, [VERIFY_CLAIM], NOT_DONE);
}

/** Sentences that report a change as made: "I added", "has been updated", "is now booked". */
export function doneClaims(text: string): Claim[] {
  return claimsIn(text, DONE_CLAIMS, NOT_DONE);
}

/** Whether a text admits that something did not work. `no errors` and `without errors` admit nothing. */
export function admits(text: string): boolean {
  return ADMISSION.test(
    text.replace(
      /\b(?:no|without|any|zero|0|free of)(?: more| further)? (?:errors?|failures?|issues?|problems?)\b/gi,
      "",
    ),
  );
}

/** Works of the pen: what such a text claims, its author does not. */
const ASKS_FOR_TEXT =
  /\b(?:e-?mails?|letters?|stor(?:y|ies)|essays?|poems?|dialogues?|conversations?|profile|posts?|reviews?|paragraphs?|sentences?|speech|excerpts?|transcri\w+|summar\w+|translat\w+|rewrite|rephrase|paraphrase|describe a|professional way|tell me|script for|article|blog|role-?play|pretend|imagine)\b/i;

/** Whether the reply itself is the work that was asked for, so that its "I" and "we" need not be the agent. */
export function isWriting({ calls, asked }: Trajectory): boolean {
  return calls.length === 0 && ASKS_FOR_TEXT.test(asked);
}

/** Everything that was said from a call on. */
export function saidAfter({ said }: Trajectory, index: number): string {
  return said
    .filter(({ after }) => after > index)
    .map(({ text }) => text)
    .join("\n");
}

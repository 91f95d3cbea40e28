const LONE = /\p{Surrogate}/gu;

/**
 * How many halves of surrogate pairs stand alone in a text. Such a text has no UTF-8 form: hashes and files hold
 * U+FFFD in their place, and a report that counts them says so.
 */
export function countLoneSurrogates(text: string): number {
  return text.match(LONE)?.length ?? 0;
}

/** The text with each lone half replaced by U+FFFD: what is hashed and what UTF-8 can hold. */
export function replaceLoneSurrogates(text: string): string {
  return text.replace(LONE, "\ufffd");
}

/** One thing a reader of a report has to know: a stable word to branch on or link to, and the sentence. */
export interface Warning<Code extends string = string> {
  code: Code;
  text: string;
}

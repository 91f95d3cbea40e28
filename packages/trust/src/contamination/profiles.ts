/** A rule somebody published numbers with. */
export interface Profile {
  /** Whose words are counted: the training row's, or the evaluation text's. */
  direction: "row" | "eval";
  n: number;
  overlap: number;
  evalOverlap: number;
  /** More than the threshold, and not the threshold itself. */
  isStrict: boolean;
  /** null for those of the rule set. */
  fields: readonly string[] | null;
}

export type ProfileName = "while" | "tulu3" | "gpt3" | "llama2";

/**
 * Rules of papers by name, over our tokens. `tulu3`: 8-grams, more than half of the evaluation text, each user turn on
 * its own (Lambert et al. 2024, arXiv:2411.15124). `gpt3`: any shared 13-gram (Brown et al. 2020, arXiv:2005.14165,
 * appendix C). `llama2`: runs longer than 10 words, 80% of the evaluation text, without its skip budget of 4 (Touvron
 * et al. 2023, arXiv:2307.09288, appendix A.6).
 */
export const PROFILES: Record<ProfileName, Profile> = {
  while: { direction: "row", n: 8, overlap: 0.8, evalOverlap: 0.8, isStrict: false, fields: null },
  tulu3: { direction: "eval", n: 8, overlap: 0, evalOverlap: 0.5, isStrict: true, fields: ["messages.user"] },
  gpt3: { direction: "row", n: 13, overlap: 0, evalOverlap: 0.8, isStrict: false, fields: null },
  llama2: { direction: "eval", n: 11, overlap: 0, evalOverlap: 0.8, isStrict: false, fields: null },
};

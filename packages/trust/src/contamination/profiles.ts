/** A rule somebody published numbers with. */
export interface Profile {
  /** Whose words are counted: the training row's, or the evaluation text's. */
  direction: "row" | "eval";
  n: number;
  overlap: number;
  evalOverlap: number;
  /** More than the threshold, and not the threshold itself. */
  isStrict: boolean;
  /** Words of a shared run that may differ. */
  skip: number;
  /** Shares of an evaluation text below which it is clean, and from which it is dirty; null where no such mark was published. */
  marks: readonly [clean: number, dirty: number] | null;
  /** null for those of the rule set. */
  fields: readonly string[] | null;
}

export type ProfileName = "while" | "tulu3" | "gpt3" | "llama2";

/**
 * Rules of papers by name, over our tokens. `tulu3`: 8-grams, more than half of the evaluation text, each user turn on
 * its own (Lambert et al. 2024, arXiv:2411.15124). `gpt3`: any shared 13-gram (Brown et al. 2020, arXiv:2005.14165,
 * appendix C). `llama2`: runs longer than 10 words of which four may differ behind the first ten, 80% of the
 * evaluation text, which is clean under 20% (Touvron et al. 2023, arXiv:2307.09288, appendix A.6).
 */
export const PROFILES: Record<ProfileName, Profile> = {
  while: {
    direction: "row",
    n: 8,
    overlap: 0.8,
    evalOverlap: 0.8,
    isStrict: false,
    skip: 0,
    marks: null,
    fields: null,
  },
  tulu3: {
    direction: "eval",
    n: 8,
    overlap: 0,
    evalOverlap: 0.5,
    isStrict: true,
    skip: 0,
    marks: null,
    fields: ["messages.user"],
  },
  gpt3: { direction: "row", n: 13, overlap: 0, evalOverlap: 0.8, isStrict: false, skip: 0, marks: null, fields: null },
  llama2: {
    direction: "eval",
    n: 11,
    overlap: 0,
    evalOverlap: 0.8,
    isStrict: false,
    skip: 4,
    marks: [0.2, 0.8],
    fields: null,
  },
};

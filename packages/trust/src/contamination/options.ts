import { checkOptions, type Row } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import { PROFILES, type ProfileName } from "./profiles.ts";
import { RULE_SETS, type RuleSet, SHINGLES, type Shingles } from "./token-scanner.ts";

/** Words of one shared run. */
export const DECONTAM_NGRAM = 8;
/** Characters of one shared run, where runs are of characters. */
export const DECONTAM_CHARS = 5;
/** A text of so many runs of characters one behind the other is as long as eight words. */
const CHARS_A_WORD = 8;
/** Share of a row's words that one evaluation text has to explain. */
export const DECONTAM_OVERLAP = 0.8;
/** Cosine from which two prompts are called one question; read off a BGE model, and no other. */
export const SEMANTIC_SIMILARITY = 0.85;
/** Of the similarities of different tasks: where the embedder's own noise ends. */
export const DISTINCT_TASK_PERCENTILE = 0.99;
/** Offenders that a report lists. */
export const DECONTAM_EXAMPLES = 20;

/** What is read off the rows of the evaluation, beside the prompt. */
const EVAL_FIELDS: Record<RuleSet, readonly string[]> = {
  v1: ["answer", "reference"],
  v2: ["answer", "reference", "reference_answer", "expected", "solution", "privileged.reference"],
};

const FIELDS: Record<RuleSet, readonly string[]> = { v1: ["prompt"], v2: ["prompt", "messages.user"] };

/** What an index is made by. */
export interface IndexOptions {
  /** `v2` folds texts, reads every script, looks both ways and lists reworded rows; `v1` counts as the Python SDK does. */
  rules?: RuleSet;
  /** Words of a shared run. */
  n?: number;
  /** Fields of an evaluation row that a training row may not hold, beside its prompt. */
  evalFields?: readonly string[];
  /**
   * What a run is made of: words, or characters of the folded text, for scripts without blanks, code, and slips inside of
   * words. By characters a run has 5, coverage is counted in characters, and more is looked up for each row.
   */
  shingles?: Shingles;
  /** `"0"` compares once more with every number made one, and reports as `number_swap` what only then is a copy. */
  numbersAs?: "0" | null;
  /**
   * Compare programs once more with their names taken away, and list what is then one (`code`); what their comments and
   * docstrings say is compared by itself where reworded rows are looked for.
   */
  code?: boolean;
  /** A published rule to be compared with: sets n, fields, direction and threshold. */
  profile?: ProfileName;
}

export interface DecontaminateOptions extends IndexOptions {
  /**
   * What of a training row is compared: a field, a path (`meta.question`), turns by who said them (`messages.user`,
   * `messages.assistant`, `messages.tool`), or the results of its steps (`steps.result`).
   */
  fields?: readonly string[];
  /** Share of the row's words that one evaluation text has to cover; 0 takes any shared run. */
  overlap?: number;
  /** Share of the evaluation text's words that the row has to hold for `contains`. */
  evalOverlap?: number;
  /** Whether a row that holds a whole evaluation text in other words around it is dropped, listed, or not looked for. */
  containsAction?: "drop" | "report" | "off";
  /** Words of a shared run that may differ, behind its first n: Llama 2's skip budget is 4. */
  skip?: number;
  /** Say of each hit by shared words how many words its longest run has, when up to four words in it may differ. */
  longestMatch?: boolean;
  /** List reworded rows (never dropped). */
  related?: boolean;
  /**
   * Jaccard similarity to an evaluation prompt, as sets of runs of five characters, from which a row is a near duplicate;
   * null does not look. Found by MinHash, compared in full: `nearDuplicates` says what that misses.
   */
  jaccard?: number | null;
  /** Whether a near duplicate is listed or dropped. */
  jaccardAction?: "report" | "drop";
  /** A run of words that more than this share of the evaluation's texts has is background; 1 for none. */
  evalBackground?: number;
  /** A run of words that more than this share of the training rows has is left out of the counting; null for none. */
  rowBackground?: number | null;
  /** Rows of which you know that they hold nothing of the evaluation: the report says what each rule makes of them. */
  knownClean?: readonly Row[];
}

/** Options with everything filled in. */
export interface Settings {
  rules: RuleSet;
  n: number;
  shingles: Shingles;
  fields: readonly string[];
  evalFields: readonly string[];
  overlap: number;
  evalOverlap: number;
  /** Whether the threshold itself is enough. Tulu 3 asks for more than half. */
  isEvalOverlapStrict: boolean;
  near: boolean;
  contains: "drop" | "report" | "off";
  /** Words, or characters, under which a text is compared verbatim alone. */
  minCompared: number;
  /** Of the shortest evaluation text that is looked for inside of rows. */
  minContained: number;
  skip: number;
  marks: readonly [clean: number, dirty: number] | null;
  longestMatch: boolean;
  related: boolean;
  jaccard: number | null;
  jaccardAction: "report" | "drop";
  evalBackground: number;
  rowBackground: number | null;
  numbersAs: "0" | null;
  code: boolean;
  profile: ProfileName;
}

const INDEX_NAMES = ["rules", "n", "shingles", "evalFields", "numbersAs", "code", "profile"] as const;
const NAMES = [
  ...INDEX_NAMES,
  ...[
    "fields",
    "overlap",
    "evalOverlap",
    "containsAction",
    "skip",
    "longestMatch",
    "related",
    "jaccard",
    "jaccardAction",
    "evalBackground",
    "rowBackground",
    "knownClean",
  ],
] as const;

/**
 * @param also Names of options that are somebody else's to read
 * @throws TrustError `bad_option`
 */
export function settingsOf(options: DecontaminateOptions, also: readonly string[] = []): Settings {
  checkOptions(options, [...NAMES, ...also], (what, fix) => new TrustError("bad_option", what, fix));
  const { rules = "v2", profile = "while" } = options;
  if (!RULE_SETS.includes(rules)) throw bad("rules", rules, "Pass v1 or v2.");
  const published = PROFILES[profile];
  if (published === undefined) throw bad("profile", profile, `Pass one of ${Object.keys(PROFILES).join(", ")}.`);
  const { shingles = "words" } = options;
  if (!SHINGLES.includes(shingles)) throw bad("shingles", shingles, "Pass words or chars.");
  const isByChars = shingles === "chars";
  if (isByChars && profile !== "while")
    throw bad("shingles", shingles, `Profile ${profile} counts words: leave one out.`);
  if (isByChars && options.numbersAs != null)
    throw bad("shingles", shingles, "Numbers are made one by words: leave one out.");
  const {
    n = isByChars ? DECONTAM_CHARS : published.n,
    overlap = published.overlap,
    evalOverlap = published.evalOverlap,
  } = options;
  const { fields = published.fields ?? FIELDS[rules], evalFields = EVAL_FIELDS[rules] } = options;
  const { numbersAs = null, evalBackground = rules === "v1" ? 1 : 0.1, rowBackground = null } = options;
  const isOwn = profile === "while";
  const { containsAction = rules === "v2" && isOwn ? "drop" : "off", related = rules === "v2" && isOwn } = options;
  if (!Number.isSafeInteger(n) || n < 1) throw bad("n", n, "Pass a whole number of words, 1 or more.");
  if (typeof overlap !== "number" || Number.isNaN(overlap)) throw bad("overlap", overlap, "Pass a share from 0 to 1.");
  const { skip = published.skip, longestMatch = false } = options;
  if (!Number.isSafeInteger(skip) || skip < 0) throw bad("skip", skip, "Pass a whole number of words, 0 or more.");
  share("evalOverlap", evalOverlap);
  share("evalBackground", evalBackground);
  const { jaccard = null, jaccardAction = "report" } = options;
  if (jaccard !== null && !(typeof jaccard === "number" && jaccard > 0 && jaccard <= 1)) {
    throw bad("jaccard", jaccard, "Pass a share above 0 and at most 1, or null.");
  }
  if (jaccardAction !== "report" && jaccardAction !== "drop") {
    throw bad("jaccardAction", jaccardAction, "Pass report or drop.");
  }
  if (rowBackground !== null) share("rowBackground", rowBackground);
  if (options.knownClean !== undefined && !Array.isArray(options.knownClean)) {
    throw bad("knownClean", options.knownClean, "Pass a list of rows.");
  }
  names("fields", fields, 1);
  names("evalFields", evalFields, 0);
  if (numbersAs !== null && numbersAs !== "0") throw bad("numbersAs", numbersAs, 'Pass "0", or leave it out.');
  if (!["drop", "report", "off"].includes(containsAction)) {
    throw bad("containsAction", containsAction, "Pass drop, report or off.");
  }
  return {
    ...{
      rules,
      n,
      shingles,
      fields,
      evalFields,
      evalOverlap,
      related,
      jaccard,
      jaccardAction,
      evalBackground,
      rowBackground,
      numbersAs,
      code: options.code === true,
      profile,
    },
    overlap: Math.min(1, Math.max(0, overlap)),
    ...{ skip, longestMatch, marks: published.marks },
    isEvalOverlapStrict: published.isStrict,
    near: published.direction === "row",
    contains: published.direction === "eval" ? "drop" : containsAction,
    // A common sentence is no question: twice a run's words, but for rules that were published without such a floor.
    minContained: published.direction === "eval" ? n : 2 * (isByChars ? CHARS_A_WORD * n : n),
    minCompared: isByChars ? CHARS_A_WORD * n : n,
  };
}

function bad(name: string, value: unknown, fix: string): TrustError {
  return new TrustError(
    "bad_option",
    `${name} is ${typeof value === "string" ? JSON.stringify(value) : String(value)}.`,
    fix,
  );
}

function share(name: string, value: unknown): void {
  if (typeof value !== "number" || !(value >= 0 && value <= 1)) throw bad(name, value, "Pass a share from 0 to 1.");
}

function names(name: string, value: unknown, least: number): void {
  if (Array.isArray(value) && value.length >= least && value.every((one) => typeof one === "string" && one !== ""))
    return;
  throw new TrustError("bad_option", `${name} is ${JSON.stringify(value)}.`, "Pass a list of field names.");
}

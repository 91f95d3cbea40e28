import { cutCodePoints, roundHalfEven } from "@while/schema";
import type { EvalIndex } from "./eval-index.ts";
import type { Hit } from "./finding.ts";
import type { Settings } from "./options.ts";
import { joinedTokens, longestSpan, markShared } from "./shared-words.ts";
import type { GramMatch, TextMatcher } from "./text-matcher.ts";
import { wordTokens } from "./token-scanner.ts";
import { wordText } from "./vocabulary.ts";

const MATCH_CHARS = 120;
const PROMPT_CHARS = 120;
/** Words of a longest run that may differ. */
const LONGEST_SKIP = 4;

/** A hit before it is known which row it is of. */
export type OpenHit = Omit<Hit, "index">;

/** What a hit says of itself that comes from no words. */
export const NO_WORDS: Pick<
  OpenHit,
  | "lead"
  | "coverage"
  | "evalCoverage"
  | "similarity"
  | "longestMatch"
  | "judged"
  | "evalTextId"
  | "evalPrompt"
  | "shared"
> = {
  lead: null,
  coverage: null,
  evalCoverage: null,
  similarity: null,
  longestMatch: null,
  judged: null,
  evalTextId: null,
  evalPrompt: null,
  shared: null,
};

/** Puts what was found into words: which task, which text, and what is shared. */
export class HitMaker {
  readonly #index: EvalIndex;
  readonly #settings: Settings;
  readonly #promptOfItem: Map<number, string>;

  constructor(index: EvalIndex, settings: Settings) {
    this.#index = index;
    this.#settings = settings;
    this.#promptOfItem = new Map(index.prompts.map(({ item, text }) => [item, text]));
  }

  /** Of an evaluation text, the first task that has it. */
  evalText(text: number): Pick<Hit, "evalTask" | "evalTextId" | "evalPrompt"> {
    return { ...this.item(this.#index.textItems[text]![0]!), evalTextId: text };
  }

  item(item: number): Pick<Hit, "evalTask" | "evalPrompt"> {
    const prompt = this.#promptOfItem.get(item) ?? "";
    return { evalTask: this.#index.items[item]!, evalPrompt: cutCodePoints(prompt, PROMPT_CHARS) };
  }

  prompt(prompt: number): Pick<Hit, "evalTask" | "evalPrompt"> {
    const { text, item } = this.#index.prompts[prompt]!;
    return { evalTask: this.#index.items[item]!, evalPrompt: cutCodePoints(text, PROMPT_CHARS) };
  }

  /** The same words: an evaluation text, whole. */
  exact(field: string, text: number, nTokens: number): OpenHit {
    return {
      ...{ rule: "exact", field, match: "exact", ...NO_WORDS, coverage: 1, evalCoverage: 1 },
      longestMatch: this.#settings.longestMatch ? nTokens : null,
      ...this.evalText(text),
    };
  }

  /** @param matcher That has read the text and found the runs */
  runs(
    rule: "near" | "contains" | "background",
    { field, text }: { field: string; text: string },
    evalText: number,
    found: GramMatch,
    matcher: TextMatcher,
  ): OpenHit {
    const { rules, shingles, n, longestMatch } = this.#settings;
    const words = wordTokens(text, rules, shingles);
    const covered = matcher.coveredBy(evalText);
    const isBest = evalText === found.text;
    const at = isBest ? found.first : covered.indexOf(1);
    const nCovered = isBest ? found.covered : covered.reduce((sum, one) => sum + one, 0);
    return {
      ...{ rule, field, ...NO_WORDS },
      match: cutCodePoints(joinedTokens(words.slice(at, at + n), shingles), MATCH_CHARS),
      coverage: roundHalfEven(nCovered / found.nTokens, 3),
      evalCoverage: roundHalfEven(matcher.evalCoverage(evalText), 3),
      longestMatch: longestMatch ? matcher.longestRun(evalText, LONGEST_SKIP) : null,
      ...this.evalText(evalText),
      shared: markShared(words, covered, shingles),
    };
  }

  /** The longest run that is shared, as its words. */
  span(evalText: number, matcher: TextMatcher): string {
    const { ids, nTokens } = matcher;
    const [from, to] = longestSpan(matcher.coveredBy(evalText));
    const words = Array.from(ids.subarray(from, Math.min(to, nTokens)), (id) => wordText(this.#index.vocabulary, id));
    return joinedTokens(words, this.#settings.shingles);
  }
}

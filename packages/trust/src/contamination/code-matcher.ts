import { roundHalfEven } from "@while/schema";
import { CodeScanner, splitCode } from "./code-tokens.ts";
import { backgroundGrams, type TextIndex } from "./eval-index.ts";
import type { Settings } from "./options.ts";
import { TextMatcher } from "./text-matcher.ts";

/**
 * Share of the tokens of both programs, on the mean, that are in runs which both have. Read off 82 HumanEval programs: 0 of them
 * reach it against another one, and 20 of 73 that a model rewrote do.
 */
const MIN_MEAN = 0.55;
/** Share of the evaluation's program from which on a longer one holds it. */
const MIN_HELD = 0.8;
/** Of an evaluation program's tokens that are not how all of them look, what a row has to hold. */
const MIN_OWN_SHARE = 0.5;

/** A program of the evaluation that a row's is like, names taken away. */
export interface CodeMatch {
  item: number;
  coverage: number;
  evalCoverage: number;
}

/** Holds programs against those of an evaluation, with all names taken away. */
export class CodeMatcher {
  readonly #items: readonly number[];
  readonly #matcher: TextMatcher;

  constructor(index: TextIndex & { items: number[] }, { evalBackground }: Settings) {
    this.#items = index.items;
    const background = evalBackground < 1 ? backgroundGrams(index, evalBackground) : null;
    this.#matcher = new TextMatcher(index, "v2", { background, scanner: new CodeScanner() });
  }

  /** null for what is no program, or is like none. */
  match(text: string): CodeMatch | null {
    const program = splitCode(text);
    if (program === null) return null;
    this.#matcher.read(program.code);
    const found = this.#matcher.grams(0, null);
    if (found === null || found.text < 0 || found.ownShare < MIN_OWN_SHARE) return null;
    const coverage = found.covered / found.nTokens;
    const evalCoverage = this.#matcher.evalCoverage(found.text);
    if ((coverage + evalCoverage) / 2 < MIN_MEAN && evalCoverage < MIN_HELD) return null;
    return {
      item: this.#items[found.text]!,
      ...{ coverage: roundHalfEven(coverage, 3), evalCoverage: roundHalfEven(evalCoverage, 3) },
    };
  }
}

import { cutCodePoints, normText, type Row, roundHalfEven } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import { type CodeMatch, CodeMatcher } from "./code-matcher.ts";
import { splitCode } from "./code-tokens.ts";
import { backgroundGrams, type EvalIndex } from "./eval-index.ts";
import { evenlySpaced, type FalseAlarmRate, falseAlarmRate } from "./false-alarms.ts";
import type { Hit, RowFinding } from "./finding.ts";
import { buildJaccardIndex, JaccardFinder, type JaccardIndex } from "./jaccard-index.ts";
import type { Settings } from "./options.ts";
import type { RelatedIndex } from "./related-index.ts";
import { type RelatedScore, RelatedScorer } from "./related-scorer.ts";
import { type RowText, rowTexts, taskIdsOf } from "./row-texts.ts";
import { joinedTokens, longestSpan, markShared } from "./shared-words.ts";
import { ShortTexts } from "./short-texts.ts";
import { type GramMatch, TextMatcher } from "./text-matcher.ts";
import { wordTokens } from "./token-scanner.ts";
import { wordText } from "./vocabulary.ts";

const MATCH_CHARS = 120;
const PROMPT_CHARS = 120;
/** Below this share of common words, two rows of one id ask different things. */
const UNLIKE_SHARE = 0.1;
/** Of an evaluation text's words that are no template's, what a row has to hold to be more than the template. */
const MIN_OWN_SHARE = 0.5;

/** Words of a longest run that may differ. */
const LONGEST_SKIP = 4;

type OpenHit = Omit<Hit, "index">;

const NO_WORDS = {
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

/** What the rule for reworded rows ran with, or why it did not. Both null where it was not asked for. */
export interface RelatedReading {
  relatedThreshold: number | null;
  relatedSkipped: string | null;
}

/** What a second thread takes over from the first: nothing of it is built or measured twice. */
export interface MatcherSetup {
  reading: RelatedReading;
  related: RelatedIndex | null;
  jaccard: JaccardIndex | null;
}

function readingOf(scorer: RelatedScorer | null): RelatedReading {
  const { threshold = null, skipped = null } = scorer?.calibrate() ?? {};
  return { relatedThreshold: threshold, relatedSkipped: skipped };
}

/** Of a program what it says of itself, where that was asked for. */
function prosePrompts({ prompts }: EvalIndex): { text: string; ids: readonly string[] }[] {
  return prompts.map(({ text, ids, prose }) => ({ text: prose ?? text, ids }));
}

function proseOf({ field, text }: RowText): RowText {
  return { field, text: splitCode(text)?.prose || text };
}

function jaccardOf(
  { prompts }: EvalIndex,
  threshold: number,
  built: JaccardIndex | null,
): { index: JaccardIndex; finder: JaccardFinder } {
  const index = built ?? buildJaccardIndex(prompts.map(({ text }) => text));
  return { index, finder: new JaccardFinder(index, threshold) };
}

/**
 * The rules that need no model, for one row after the other. Holds the memory they work in, so that there is one of it
 * a thread, and reads everything about the evaluation from the index.
 */
export class RowMatcher {
  readonly #index: EvalIndex;
  readonly #settings: Settings;
  readonly #matcher: TextMatcher;
  readonly #numberless: TextMatcher | null;
  readonly #idOf: Map<string, number>;
  readonly #exactOf: Map<string, number>;
  readonly #promptOfItem: Map<number, string>;
  readonly #scorer: RelatedScorer | null;
  readonly #related: RelatedReading;
  readonly #jaccard: { index: JaccardIndex; finder: JaccardFinder } | null;
  readonly #code: CodeMatcher | null;
  readonly #short: ShortTexts | null;
  #ignored: Uint8Array | null = null;

  /** @param setup Of another thread, for the same index and settings */
  constructor(index: EvalIndex, settings: Settings, setup?: MatcherSetup) {
    this.#index = index;
    this.#settings = settings;
    const background = settings.evalBackground < 1 ? backgroundGrams(index, settings.evalBackground) : null;
    this.#matcher = new TextMatcher(index, index.rules, {
      ...{ background, skip: settings.skip, shingles: index.shingles },
    });
    this.#numberless =
      index.numberless === null ? null : new TextMatcher(index.numberless, index.rules, { numberless: true });
    this.#idOf = new Map(index.ids.map((id, number) => [id, number]));
    this.#exactOf = new Map(index.exactKeys.map((key, text) => [key, text]));
    this.#scorer = settings.related ? new RelatedScorer(prosePrompts(index), setup?.related ?? undefined) : null;
    this.#related = setup?.reading ?? readingOf(this.#scorer);
    this.#jaccard = settings.jaccard === null ? null : jaccardOf(index, settings.jaccard, setup?.jaccard ?? null);
    this.#code = index.code === null ? null : new CodeMatcher(index.code, settings);
    this.#short = settings.related && index.shingles === "words" ? new ShortTexts(index) : null;
    this.#promptOfItem = new Map(index.prompts.map(({ item, text }) => [item, text]));
  }

  /** Runs of words that are left out of the counting from here on, by their number in the index. */
  ignore(grams: Uint8Array | null): void {
    this.#ignored = grams;
  }

  /** Counts in which runs of the index a row shares, once a row. */
  countGrams(row: Row, counts: Uint32Array): void {
    const seen = new Set<number>();
    for (const { text } of rowTexts(row, this.#settings.fields)) {
      this.#matcher.read(text);
      for (const gram of this.#matcher.sharedGrams()) if (gram >= 0) seen.add(gram);
    }
    for (const gram of seen) counts[gram]!++;
  }

  /** What the rule for reworded rows ran with, or why it did not run. */
  relatedReading(): RelatedReading {
    return this.#related;
  }

  setup(): MatcherSetup {
    return {
      ...{ reading: this.#related, related: this.#scorer?.index ?? null, jaccard: this.#jaccard?.index ?? null },
    };
  }

  /** @param index Of the row, for the sentence when it cannot be read */
  match(row: Row, index: number): RowFinding {
    try {
      return this.#match(row);
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw new TrustError("bad_row", `Row ${index} holds itself, or is nested too deeply to be read.`, "Pass JSON.", {
        cause,
      });
    }
  }

  #match(row: Row): RowFinding {
    const ids = taskIdsOf(row, this.#settings.rules);
    const finding: RowFinding = {
      ...{ hit: null, listed: [], hasTaskId: ids.length > 0, isUnreadable: false, isSpared: false },
      ...{ items: [], span: null, marks: [], isUnlike: false },
    };
    const texts = rowTexts(row, this.#settings.fields);
    if (this.#settings.marks !== null) finding.marks = this.#marks(texts, this.#settings.marks[0]);
    const id = ids.find((one) => this.#idOf.has(one));
    if (id !== undefined) {
      const number = this.#idOf.get(id)!;
      finding.items = this.#index.idItems[number]!;
      finding.isUnlike = this.#isUnlike(texts, this.#index.idTexts[number]!);
      const evalTask = id;
      finding.hit = { rule: "same_task", field: "task", match: "same_task", ...NO_WORDS, coverage: 1, evalTask };
      return finding;
    }
    let hasText = false;
    let hasWords = false;
    for (const one of texts) {
      hasText ||= one.text.trim() !== "";
      this.#matcher.read(one.text);
      if (this.#matcher.nTokens === 0) continue;
      hasWords = true;
      if (this.#compare(one, finding)) return finding;
    }
    finding.isUnreadable = hasText && !hasWords;
    if (this.#nearDuplicate(texts, finding)) return finding;
    if (this.#code !== null) this.#listCode(texts, finding);
    const reworded = this.#reworded(this.#code === null ? texts : texts.map(proseOf));
    if (reworded !== null) finding.listed.push(reworded);
    else this.#listShort(texts, finding);
    return finding;
  }

  /** Of each evaluation text, the share of it that one text of the row holds. */
  #marks(texts: readonly RowText[], least: number): [text: number, share: number][] {
    const shares = new Map<number, number>();
    for (const { text } of texts) {
      this.#matcher.read(text);
      const same = this.#matcher.exactText();
      if (same >= 0) shares.set(same, 1);
      if (this.#matcher.grams(this.#settings.minContained, this.#ignored) === null) continue;
      for (const [one, share] of this.#matcher.evalShares(least)) {
        shares.set(one, Math.max(share, shares.get(one) ?? 0));
      }
    }
    return [...shares];
  }

  /** Whether a text of the row is nearly an evaluation prompt, as a set, and that drops it. */
  #nearDuplicate(texts: readonly RowText[], finding: RowFinding): boolean {
    if (this.#jaccard === null) return false;
    let best: { field: string; text: number; jaccard: number } | null = null;
    for (const { field, text } of texts) {
      const found = this.#jaccard.finder.best(text);
      if (found !== null && (best === null || found.jaccard > best.jaccard)) best = { field, ...found };
    }
    if (best === null) return false;
    const { text, item } = this.#index.prompts[best.text]!;
    const hit: OpenHit = {
      ...{ rule: "near_duplicate", field: best.field, match: "near_duplicate", ...NO_WORDS },
      ...{ similarity: roundHalfEven(best.jaccard, 4), evalTask: this.#index.items[item]! },
      evalPrompt: cutCodePoints(text, PROMPT_CHARS),
    };
    if (this.#settings.jaccardAction === "report") {
      finding.listed.push(hit);
      return false;
    }
    finding.hit = hit;
    finding.items = [item];
    return true;
  }

  /** The text of the row that reads most like a prompt of the evaluation, where that is enough. */
  #reworded(texts: readonly RowText[]): OpenHit | null {
    const { relatedThreshold } = this.#related;
    if (this.#scorer === null || relatedThreshold === null) return null;
    let best: { at: RowText; found: RelatedScore } | null = null;
    for (const at of texts) {
      const found = this.#scorer.score(at.text);
      if (found === null || found.score + found.lead <= relatedThreshold) continue;
      if (best === null || found.score + found.lead > best.found.score + best.found.lead) best = { at, found };
    }
    if (best === null) return null;
    const { text, item } = this.#index.prompts[best.found.prompt]!;
    return {
      ...{ rule: "related", field: best.at.field, match: "related", ...NO_WORDS },
      ...{ similarity: roundHalfEven(best.found.score, 4), lead: roundHalfEven(best.found.lead, 4) },
      ...{ evalTask: this.#index.items[item]!, evalPrompt: cutCodePoints(text, PROMPT_CHARS) },
      shared: this.#scorer.sharedWords(best.at.text, best.found.prompt),
    };
  }

  /** Lists the text of the row whose program is most like one of the evaluation's, names taken away. */
  #listCode(texts: readonly RowText[], finding: RowFinding): void {
    let best: { field: string; found: CodeMatch } | null = null;
    for (const { field, text } of texts) {
      const found = this.#code!.match(text);
      if (found !== null && (best === null || found.coverage > best.found.coverage)) best = { field, found };
    }
    if (best === null) return;
    const { item, coverage, evalCoverage } = best.found;
    finding.listed.push({
      ...{ rule: "code", field: best.field, match: "code", ...NO_WORDS, coverage, evalCoverage },
      ...{
        evalTask: this.#index.items[item]!,
        evalPrompt: cutCodePoints(this.#promptOfItem.get(item) ?? "", PROMPT_CHARS),
      },
    });
  }

  /** Lists the first text that is a short question of the evaluation but for a word, or that one holds as such. */
  #listShort(texts: readonly RowText[], finding: RowFinding): void {
    if (this.#short === null) return;
    for (const { field, text } of texts) {
      this.#matcher.read(text);
      const found = this.#short.find(this.#matcher.ids.subarray(0, this.#matcher.nTokens));
      if (found < 0) continue;
      finding.listed.push({ rule: "short", field, match: "short", ...NO_WORDS, ...this.#evalText(found) });
      return;
    }
  }

  /** Whether the text that was read settles it. */
  #compare({ field, text }: RowText, finding: RowFinding): boolean {
    const { minCompared, minContained, rules } = this.#settings;
    const { nTokens } = this.#matcher;
    const same = rules === "v1" ? (this.#exactOf.get(normText(text)) ?? -1) : this.#matcher.exactText();
    if (same >= 0) {
      // "42" is the answer to many things, and a right reply is no leak.
      if (rules === "v2" && nTokens < minCompared && this.#index.isQuestion[same] === 0) finding.isSpared = true;
      else {
        finding.items = this.#index.textItems[same]!;
        const about = {
          coverage: 1,
          evalCoverage: 1,
          similarity: null,
          lead: null,
          judged: null,
          longestMatch: this.#settings.longestMatch ? nTokens : null,
          ...this.#evalText(same),
          shared: null,
        };
        finding.hit = { rule: "exact", field, match: "exact", ...about };
        return true;
      }
    }
    if (nTokens >= minCompared) {
      const found = this.#matcher.grams(minContained, this.#ignored);
      if (found !== null && this.#compareRuns(field, text, found, finding)) {
        // Dropped as a near copy; that it asks with other numbers is still to be seen.
        if (this.#numberless !== null) this.#compareNumberless({ field, text }, finding);
        return true;
      }
    }
    if (this.#numberless !== null) this.#compareNumberless({ field, text }, finding);
    return false;
  }

  /**
   * What the rules say of the evaluation's own prompts against those of other tasks, each under the first rule that
   * catches it; null with fewer than two prompts.
   */
  falseAlarms(): FalseAlarmRate[] | null {
    const { prompts, idTexts } = this.#index;
    const { minContained, minCompared } = this.#settings;
    if (prompts.length < 2) return null;
    const textsOfItem = this.#textsOfItem();
    const tried = evenlySpaced(prompts.length);
    const counts = new Map<FalseAlarmRate["rule"], number>();
    for (const prompt of tried) {
      const { text, ids, item } = prompts[prompt]!;
      const own = new Set(textsOfItem[item]);
      for (const id of ids) for (const one of idTexts[this.#idOf.get(id)!]!) own.add(one);
      this.#matcher.read(text);
      const found = this.#matcher.nTokens < minCompared ? null : this.#matcher.grams(minContained, this.#ignored, own);
      const rule = this.#ruleOfRuns(found) ?? this.#ruleOfLikeness(prompt);
      if (rule !== null) counts.set(rule, (counts.get(rule) ?? 0) + 1);
    }
    return this.rulesAsked().map((rule) => falseAlarmRate(rule, counts.get(rule) ?? 0, tried.length));
  }

  /** The rules that compare words or characters and that run, in their order. */
  rulesAsked(): FalseAlarmRate["rule"][] {
    const { near, contains, jaccard } = this.#settings;
    return [
      ...(near ? (["near"] as const) : []),
      ...(contains === "off" ? [] : (["contains"] as const)),
      ...(jaccard === null ? [] : (["near_duplicate"] as const)),
      ...(this.#related.relatedThreshold === null ? [] : (["related"] as const)),
    ];
  }

  #ruleOfRuns(found: GramMatch | null): "near" | "contains" | null {
    if (found === null) return null;
    if (this.#isNear(found) && found.ownShare >= MIN_OWN_SHARE) return "near";
    return this.#isContained(found) && found.containedOwnShare >= MIN_OWN_SHARE ? "contains" : null;
  }

  /** Of a prompt of the evaluation against the other tasks' prompts. */
  #ruleOfLikeness(prompt: number): "near_duplicate" | "related" | null {
    const { prompts } = this.#index;
    const { text, ids } = prompts[prompt]!;
    const isOther = (other: number) => other !== prompt && !prompts[other]!.ids.some((id) => ids.includes(id));
    if (this.#jaccard?.finder.find(text).some(({ text: other }) => isOther(other))) return "near_duplicate";
    const { relatedThreshold } = this.#related;
    if (relatedThreshold === null) return null;
    const found = this.#scorer!.scoreOfPrompt(prompt);
    return found !== null && found.score + found.lead > relatedThreshold ? "related" : null;
  }

  #textsOfItem(): number[][] {
    const texts: number[][] = this.#index.items.map(() => []);
    for (const [text, items] of this.#index.textItems.entries()) for (const item of items) texts[item]!.push(text);
    return texts;
  }

  #isNear({ text, covered, nTokens }: GramMatch): boolean {
    const { near, overlap } = this.#settings;
    return near && text >= 0 && (covered / nTokens >= overlap || (overlap === 0 && covered > 0));
  }

  #isContained({ contained, containedShare }: GramMatch): boolean {
    const { contains, evalOverlap, isEvalOverlapStrict } = this.#settings;
    if (contains === "off" || contained < 0) return false;
    return isEvalOverlapStrict ? containedShare > evalOverlap : containedShare >= evalOverlap;
  }

  #compareRuns(field: string, text: string, found: GramMatch, finding: RowFinding): boolean {
    const { near, overlap, contains } = this.#settings;
    const isNear = this.#isNear(found);
    if (isNear && found.ownShare >= MIN_OWN_SHARE) {
      finding.hit = this.#runHit("near", field, text, found.text, found);
      finding.items = this.#index.textItems[found.text]!;
      finding.span = this.#span(found.text);
      return true;
    }
    const isContained = this.#isContained(found);
    if (!isContained || found.containedOwnShare < MIN_OWN_SHARE) {
      const evalText = isNear ? found.text : isContained ? found.contained : -1;
      if (evalText >= 0) finding.listed.push(this.#runHit("background", field, text, evalText, found));
      else if (near && found.text < 0 && overlap > 0 && found.union >= overlap) {
        const coverage = roundHalfEven(found.union, 3);
        finding.listed.push({ rule: "background", field, match: "background", ...NO_WORDS, coverage, evalTask: "" });
      }
      return false;
    }
    const hit = this.#runHit("contains", field, text, found.contained, found);
    if (contains === "report") {
      finding.listed.push(hit);
      return false;
    }
    finding.hit = hit;
    finding.items = this.#index.textItems[found.contained]!;
    finding.span = this.#span(found.contained);
    return true;
  }

  #compareNumberless({ field, text }: RowText, finding: RowFinding): void {
    const { n, overlap, minContained } = this.#settings;
    const matcher = this.#numberless!;
    matcher.read(text);
    const same = matcher.exactText();
    const found = same >= 0 || matcher.nTokens < n ? null : matcher.grams(minContained, null);
    const evalText =
      same >= 0 ? same : found !== null && found.covered / found.nTokens >= Math.max(overlap, 1e-9) ? found.text : -1;
    // A near copy is one whatever its numbers are, unless they are all that differs.
    if (finding.hit !== null && same < 0) return;
    if (evalText < 0 || (matcher.nTokens < n && this.#index.isQuestion[evalText] === 0)) return;
    finding.listed.push({
      ...{ rule: "number_swap", field, match: same >= 0 ? "exact" : "near" },
      coverage: found === null ? 1 : roundHalfEven(found.covered / found.nTokens, 3),
      evalCoverage: found === null ? 1 : roundHalfEven(matcher.evalCoverage(evalText), 3),
      ...{ similarity: null, lead: null, longestMatch: null, judged: null, ...this.#evalText(evalText), shared: null },
    });
  }

  #runHit(
    rule: "near" | "contains" | "background",
    field: string,
    text: string,
    evalText: number,
    found: GramMatch,
  ): OpenHit {
    const words = this.#words(text);
    const covered = this.#matcher.coveredBy(evalText);
    const first = covered.indexOf(1);
    const at = evalText === found.text ? found.first : first;
    const nCovered = covered.reduce((sum, one) => sum + one, 0);
    return {
      ...{ rule, field },
      match: cutCodePoints(joinedTokens(words.slice(at, at + this.#settings.n), this.#settings.shingles), MATCH_CHARS),
      coverage: roundHalfEven((evalText === found.text ? found.covered : nCovered) / found.nTokens, 3),
      evalCoverage: roundHalfEven(this.#matcher.evalCoverage(evalText), 3),
      ...{
        similarity: null,
        lead: null,
        ...this.#evalText(evalText),
        shared: markShared(words, covered, this.#settings.shingles),
      },
      judged: null,
      longestMatch: this.#settings.longestMatch ? this.#matcher.longestRun(evalText, LONGEST_SKIP) : null,
    };
  }

  #span(evalText: number): string {
    const { ids, nTokens } = this.#matcher;
    const { vocabulary } = this.#index;
    const [from, to] = longestSpan(this.#matcher.coveredBy(evalText));
    return joinedTokens(
      Array.from(ids.subarray(from, Math.min(to, nTokens)), (id) => wordText(vocabulary, id)),
      this.#settings.shingles,
    );
  }

  #words(text: string): string[] {
    return wordTokens(text, this.#settings.rules, this.#settings.shingles);
  }

  #evalText(text: number): Pick<Hit, "evalTask" | "evalTextId" | "evalPrompt"> {
    const item = this.#index.textItems[text]![0]!;
    return {
      evalTask: this.#index.items[item]!,
      evalTextId: text,
      evalPrompt: cutCodePoints(this.#promptOfItem.get(item) ?? "", PROMPT_CHARS),
    };
  }

  /** Whether the row's words are hardly those of any evaluation text that goes by the same id. */
  #isUnlike(texts: readonly RowText[], evalTexts: readonly number[]): boolean {
    const { tokens, starts } = this.#index.texts;
    let compared = false;
    for (const { text } of texts) {
      this.#matcher.read(text);
      const own = new Set(this.#matcher.ids.subarray(0, this.#matcher.nTokens));
      for (const evalText of evalTexts) {
        if (this.#index.isQuestion[evalText] === 0 || own.size === 0) continue;
        const other = new Set(tokens.subarray(starts[evalText], starts[evalText + 1]));
        let shared = 0;
        for (const word of other) if (own.has(word)) shared++;
        compared = true;
        if (shared >= UNLIKE_SHARE * Math.min(own.size, other.size)) return false;
      }
    }
    return compared;
  }
}

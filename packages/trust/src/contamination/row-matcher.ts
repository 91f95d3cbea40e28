import { normText, type Row, roundHalfEven } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import { type CodeMatch, CodeMatcher } from "./code-matcher.ts";
import { splitCode } from "./code-tokens.ts";
import { backgroundGrams, type EvalIndex } from "./eval-index.ts";
import type { FalseAlarmRate } from "./false-alarms.ts";
import type { RowFinding } from "./finding.ts";
import { HitMaker, NO_WORDS, type OpenHit } from "./hit-maker.ts";
import { buildJaccardIndex, JaccardFinder, type JaccardIndex } from "./jaccard-index.ts";
import type { Settings } from "./options.ts";
import type { RelatedIndex } from "./related-index.ts";
import { type RelatedScore, RelatedScorer } from "./related-scorer.ts";
import { type RowText, rowTexts, taskIdsOf } from "./row-texts.ts";
import { isContained, isNear, ruleOfRuns } from "./run-rules.ts";
import { type Comparing, evaluationAgainstItself, rulesAsked } from "./self-check.ts";
import { ShortTexts } from "./short-texts.ts";
import { type GramMatch, TextMatcher } from "./text-matcher.ts";

/** Below this share of common words, two rows of one id ask different things. */
const UNLIKE_SHARE = 0.1;
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
  readonly #hits: HitMaker;
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
    this.#hits = new HitMaker(index, settings);
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

  /** What the rules say of the evaluation's own prompts against those of other tasks; null with fewer than two. */
  falseAlarms(): FalseAlarmRate[] | null {
    return evaluationAgainstItself(this.#comparing());
  }

  /** The rules that compare words or characters and that run, in their order. */
  rulesAsked(): FalseAlarmRate["rule"][] {
    return rulesAsked(this.#comparing());
  }

  #comparing(): Comparing {
    return {
      ...{ index: this.#index, settings: this.#settings, matcher: this.#matcher, ignored: this.#ignored },
      ...{ finder: this.#jaccard?.finder ?? null, scorer: this.#scorer },
      relatedThreshold: this.#related.relatedThreshold,
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
    const { item } = this.#index.prompts[best.text]!;
    const hit: OpenHit = {
      ...{ rule: "near_duplicate", field: best.field, match: "near_duplicate", ...NO_WORDS },
      ...{ similarity: roundHalfEven(best.jaccard, 4), ...this.#hits.prompt(best.text) },
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
    return {
      ...{ rule: "related", field: best.at.field, match: "related", ...NO_WORDS },
      ...{ similarity: roundHalfEven(best.found.score, 4), lead: roundHalfEven(best.found.lead, 4) },
      ...this.#hits.prompt(best.found.prompt),
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
      ...this.#hits.item(item),
    });
  }

  /** Lists the first text that is a short question of the evaluation but for a word, or that one holds as such. */
  #listShort(texts: readonly RowText[], finding: RowFinding): void {
    if (this.#short === null) return;
    for (const { field, text } of texts) {
      this.#matcher.read(text);
      const found = this.#short.find(this.#matcher.ids.subarray(0, this.#matcher.nTokens));
      if (found < 0) continue;
      finding.listed.push({ rule: "short", field, match: "short", ...NO_WORDS, ...this.#hits.evalText(found) });
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
        finding.hit = this.#hits.exact(field, same, nTokens);
        return true;
      }
    }
    if (nTokens >= minCompared) {
      const found = this.#matcher.grams(minContained, this.#ignored);
      if (found !== null && this.#compareRuns({ field, text }, found, finding)) {
        // Dropped as a near copy; that it asks with other numbers is still to be seen.
        if (this.#numberless !== null) this.#compareNumberless({ field, text }, finding);
        return true;
      }
    }
    if (this.#numberless !== null) this.#compareNumberless({ field, text }, finding);
    return false;
  }

  #compareRuns(at: RowText, found: GramMatch, finding: RowFinding): boolean {
    const { near, overlap, contains } = this.#settings;
    const hitOf = (rule: "near" | "contains" | "background", text: number) =>
      this.#hits.runs(rule, at, text, found, this.#matcher);
    const rule = ruleOfRuns(found, this.#settings);
    if (rule === "contains" && contains === "report") {
      finding.listed.push(hitOf("contains", found.contained));
      return false;
    }
    if (rule !== null) {
      const text = rule === "near" ? found.text : found.contained;
      finding.hit = hitOf(rule, text);
      finding.items = this.#index.textItems[text]!;
      finding.span = this.#hits.span(text, this.#matcher);
      return true;
    }
    // What is caught by its words and not by those of its own shares a template.
    if (isNear(found, this.#settings)) finding.listed.push(hitOf("background", found.text));
    else if (isContained(found, this.#settings)) finding.listed.push(hitOf("background", found.contained));
    else if (near && found.text < 0 && overlap > 0 && found.union >= overlap) {
      const coverage = roundHalfEven(found.union, 3);
      const { field } = at;
      finding.listed.push({ rule: "background", field, match: "background", ...NO_WORDS, coverage, evalTask: "" });
    }
    return false;
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
      ...{ ...NO_WORDS, rule: "number_swap", field, match: same >= 0 ? "exact" : "near" },
      coverage: found === null ? 1 : roundHalfEven(found.covered / found.nTokens, 3),
      evalCoverage: found === null ? 1 : roundHalfEven(matcher.evalCoverage(evalText), 3),
      ...this.#hits.evalText(evalText),
    });
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

import { cutCodePoints } from "@while/schema";
import type { DecontaminationReport, EvalMarks, SharedSpan } from "./decontamination-report.ts";
import type { EvalIndex } from "./eval-index.ts";
import type { FalseAlarms } from "./false-alarms.ts";
import { DROP_RULES, type DropRule, type Hit, type RowFinding } from "./finding.ts";
import { notesOf, skippedOf, warningsOf } from "./notes.ts";
import { DECONTAM_EXAMPLES, type Settings } from "./options.ts";
import type { JudgeReading } from "./question-judge.ts";
import type { SemanticReading } from "./semantic-reading.ts";
import type { Shingles } from "./token-scanner.ts";

const SHOWN_TASKS = 100;
const SHOWN_SPANS = 5;
const SPAN_CHARS = 300;
/** Different runs that are told apart; what comes after them is counted under those it holds. */
const KNOWN_SPANS = 1000;
const NAMED_IDS = 3;

/** Rows without a hit that are listed nowhere. */
export interface CleanRows {
  n: number;
  nWithTaskId: number;
  nUnreadable: number;
  nSpared: number;
}

/** Adds findings up, in the order of the rows. Small whatever the number of rows is. */
export class DecontaminationTally {
  readonly #index: EvalIndex;
  readonly #settings: Settings;
  readonly #counts = new Map<DropRule, number>(DROP_RULES.map((rule) => [rule, 0]));
  readonly #byField = new Map<string, number>();
  readonly #examples: Hit[] = [];
  readonly #relatedExamples: Hit[] = [];
  readonly #itemRows = new Map<number, number>();
  readonly #spans = new Map<string, number>();
  readonly #unlikeIds = new Set<string>();
  readonly #marks = new Map<number, number>();
  #n = 0;
  #nWithTaskId = 0;
  #nUnreadable = 0;
  #nSpared = 0;
  #nListedContains = 0;
  #nListedDuplicates = 0;
  #nRelated = 0;
  #nShort = 0;
  #nCode = 0;
  #nNumberSwap = 0;
  #nUnlike = 0;

  constructor(index: EvalIndex, settings: Settings) {
    this.#index = index;
    this.#settings = settings;
  }

  /** @param index Of the row among the training rows */
  add(
    index: number,
    { hit, listed, hasTaskId, isUnreadable, isSpared, items, span, marks, isUnlike }: RowFinding,
  ): void {
    this.#n++;
    if (hasTaskId) this.#nWithTaskId++;
    if (isUnreadable) this.#nUnreadable++;
    if (listed.some(({ rule }) => rule === "number_swap")) this.#nNumberSwap++;
    for (const [text, share] of marks) this.#marks.set(text, Math.max(share, this.#marks.get(text) ?? 0));
    if (hit === null) {
      if (isSpared) this.#nSpared++;
      for (const one of listed) this.#list({ index, ...one });
      const rules = new Set(listed.map(({ rule }) => rule));
      if (rules.has("contains")) this.#nListedContains++;
      if (rules.has("code")) this.#nCode++;
      if (rules.has("short")) this.#nShort++;
      if (rules.has("near_duplicate")) this.#nListedDuplicates++;
      if (rules.has("related") || rules.has("short") || rules.has("background")) this.#nRelated++;
      return;
    }
    const rule = hit.rule as DropRule;
    this.#counts.set(rule, this.#counts.get(rule)! + 1);
    this.#byField.set(hit.field, (this.#byField.get(hit.field) ?? 0) + 1);
    if (this.#examples.length < DECONTAM_EXAMPLES) this.#examples.push({ index, ...hit });
    for (const item of items) this.#itemRows.set(item, (this.#itemRows.get(item) ?? 0) + 1);
    if (span !== null && (this.#spans.has(span) || this.#spans.size < KNOWN_SPANS)) {
      this.#spans.set(span, (this.#spans.get(span) ?? 0) + 1);
    }
    if (isUnlike) {
      this.#nUnlike++;
      if (this.#unlikeIds.size < NAMED_IDS) this.#unlikeIds.add(hit.evalTask);
    }
  }

  /** Rows of which nothing was found, many at once. */
  addClean({ n, nWithTaskId, nUnreadable, nSpared }: CleanRows): void {
    this.#n += n;
    this.#nWithTaskId += nWithTaskId;
    this.#nUnreadable += nUnreadable;
    this.#nSpared += nSpared;
  }

  #list(hit: Hit): void {
    if (this.#relatedExamples.length < DECONTAM_EXAMPLES) this.#relatedExamples.push(hit);
  }

  #evalMarks(): EvalMarks | null {
    if (this.#settings.marks === null) return null;
    const dirty = [...this.#marks.values()].filter((share) => share >= this.#settings.marks![1]).length;
    const n = this.#index.texts.starts.length - 1;
    return { clean: n - this.#marks.size, between: this.#marks.size - dirty, dirty };
  }

  report({
    semantic = null,
    judge = null,
    relatedThreshold = null,
    relatedSkipped = null,
    falseAlarms = { evaluation: null, knownClean: null },
    nBadLines = 0,
  }: {
    semantic?: SemanticReading | null;
    judge?: JudgeReading | null;
    relatedThreshold?: number | null;
    relatedSkipped?: string | null;
    falseAlarms?: FalseAlarms;
    nBadLines?: number;
  } = {}): DecontaminationReport {
    const { nRows, nWithTaskId, nUnreadable, texts, items } = this.#index;
    const settings = this.#settings;
    const counts = Object.fromEntries(this.#counts) as Record<DropRule, number>;
    const nContaminated = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    const about = {
      ...{ n: this.#n, nWithTaskId: this.#nWithTaskId, nEvalRows: nRows, nEvalWithTaskId: nWithTaskId, counts },
      ...{
        semantic,
        judge,
        relatedSkipped,
        relatedThreshold,
        settings: this.#settings,
        nSpared: this.#nSpared,
        nRelated: this.#nRelated,
      },
    };
    const rulesSkipped = skippedOf(about);
    const hitItems = [...this.#itemRows].sort(([a], [b]) => a - b);
    return {
      ...{ n: this.#n, nKept: this.#n - nContaminated, nContaminated },
      contaminationRate: this.#n === 0 ? 0 : nContaminated / this.#n,
      ...{ nSameTask: counts.same_task, nExact: counts.exact, nNear: counts.near },
      ...{ nContains: counts.contains + this.#nListedContains, nSemantic: counts.semantic, nJudge: counts.judge },
      nNearDuplicate: counts.near_duplicate + this.#nListedDuplicates,
      ...{
        nRelated: this.#nRelated,
        nShort: this.#nShort,
        nCode: this.#nCode,
        nNumberSwap: this.#nNumberSwap,
        nSpared: this.#nSpared,
      },
      nUnreadable: this.#nUnreadable + nUnreadable,
      ...{ nEvalRows: nRows, nEvalTexts: texts.starts.length - 1 },
      ...{ rules: settings.rules, profile: settings.profile, ngram: settings.n, overlap: settings.overlap },
      ...{ shingles: settings.shingles, skip: settings.skip },
      ...{
        evalOverlap: settings.evalOverlap,
        jaccard: settings.jaccard,
        similarity: semantic?.similarity ?? null,
        relatedThreshold,
      },
      ...{ semanticSearch: semantic?.search ?? null, searchRecall: semantic?.recall ?? null },
      ...{ evalBackground: settings.evalBackground, rowBackground: settings.rowBackground, fields: settings.fields },
      ...{ byField: this.#byField, examples: this.#examples, relatedExamples: this.#relatedExamples },
      sharedSpans: sharedSpans(this.#spans, settings.shingles),
      evalHitRows: new Map(
        [...hitItems]
          .sort(([a, nA], [b, nB]) => nB - nA || a - b)
          .slice(0, SHOWN_TASKS)
          .map(([item, rows]) => [items[item]!, rows]),
      ),
      hitTasks: hitItems.map(([item]) => items[item]!),
      judge,
      evalMarks: this.#evalMarks(),
      falseAlarms,
      distinctTaskSimilarity: semantic?.distinct?.value ?? null,
      rulesSkipped,
      notes: notesOf({ ...about, rulesSkipped }),
      warnings: warningsOf({
        ...{ nUnreadable: this.#nUnreadable, nEvalUnreadable: nUnreadable, emptySources: this.#index.emptySources },
        ...{ nSameTask: counts.same_task, nUnlike: this.#nUnlike, unlikeIds: [...this.#unlikeIds], nBadLines },
      }),
    };
  }
}

/** Runs that two hits share or more. A hit whose run holds another one is explained by that one too. */
function sharedSpans(spans: ReadonlyMap<string, number>, shingles: Shingles): SharedSpan[] {
  const edge = shingles === "words" ? " " : "";
  const padded = [...spans].map(([text, n]) => [`${edge}${text}${edge}`, n] as const);
  const shared = padded.map(([span]) => {
    const nHits = padded.reduce((sum, [other, n]) => (other.includes(span) ? sum + n : sum), 0);
    const text = span.slice(edge.length, span.length - edge.length);
    return { text, nTokens: shingles === "words" ? text.split(" ").length : [...text].length, nHits };
  });
  return shared
    .filter(({ nHits }) => nHits > 1)
    .sort((a, b) => b.nHits - a.nHits || b.nTokens - a.nTokens)
    .slice(0, SHOWN_SPANS)
    .map((span) => ({ ...span, text: cutCodePoints(span.text, SPAN_CHARS) }));
}

import { formatFixed } from "@while/schema";
import type { DropRule } from "./finding.ts";
import type { Settings } from "./options.ts";
import type { JudgeReading } from "./question-judge.ts";
import type { SearchRecall, SemanticReading } from "./semantic-reading.ts";

interface About {
  n: number;
  nWithTaskId: number;
  nEvalRows: number;
  nEvalWithTaskId: number;
  counts: Record<DropRule, number>;
  semantic: SemanticReading | null;
  judge: JudgeReading | null;
  relatedSkipped: string | null;
  relatedThreshold: number | null;
  settings: Settings;
  nSpared: number;
  nRelated: number;
}

/** Rules that could not run: a count of zero clears nothing then. */
export function skippedOf(about: About): Map<DropRule | "related", string> {
  const skipped = new Map<DropRule | "related", string>();
  const { n, nWithTaskId, nEvalRows, nEvalWithTaskId, semantic, relatedSkipped } = about;
  if (nEvalRows > 0 && nEvalWithTaskId === 0) {
    skipped.set("same_task", `0 of ${nEvalRows} evaluation rows carried a scenario_id or task_id`);
  } else if (n > 0 && nWithTaskId === 0) {
    skipped.set("same_task", `0 of ${n} training rows carried a scenario_id or task_id`);
  }
  if (semantic !== null && nEvalRows > 0 && semantic.nPrompts === 0) {
    skipped.set("semantic", `0 of ${nEvalRows} evaluation rows carried a prompt`);
  }
  if (relatedSkipped !== null) skipped.set("related", relatedSkipped);
  return skipped;
}

/** What a reader of the counts has to know, in this order: what did not run, what cannot be seen, what a hit is worth. */
export function notesOf(about: About & { rulesSkipped: ReadonlyMap<DropRule | "related", string> }): string[] {
  const { semantic, counts, settings, rulesSkipped, nSpared } = about;
  const notes: string[] = [];
  const noIds = rulesSkipped.get("same_task");
  if (noIds !== undefined) {
    const ran = [settings.near ? "exact and near-copy" : "exact", ...(settings.contains === "off" ? [] : ["contains"])];
    if (semantic !== null && !rulesSkipped.has("semantic")) ran.push("semantic");
    notes.push(
      `${noIds}, so task overlap was not tested. The ${ran.join(", ")} rules ran. This is normal for evaluation sets that do not come from the simulator; against rewording an embedder helps.`,
    );
  }
  const noPrompts = rulesSkipped.get("semantic");
  if (noPrompts !== undefined) notes.push(`${noPrompts}, so the semantic rule had nothing to compare with.`);
  if (semantic === null) {
    notes.push(
      about.relatedThreshold !== null
        ? "Without an embedder no row is dropped for asking an evaluation question in other words; rows that share its rare words are listed as related. Pass an embedder to drop by meaning."
        : "This run cannot see evaluation questions in other words. Passing an embedder would.",
    );
  }
  if (semantic?.distinct != null) notes.push(distinctNote(semantic, semantic.distinct));
  if (counts.semantic > 0 && semantic !== null) {
    notes.push(
      `${counts.semantic} ${counts.semantic === 1 ? "row was" : "rows were"} dropped by similarity of at least ${semantic.similarity}. Such a hit asks a person to compare the two tasks and settles nothing by itself; rows with a shared id had already been dropped. Raise the similarity for an embedder that rates unrelated prompts high.`,
    );
  }
  if (semantic !== null && semantic.recall !== null) notes.push(probedNote(semantic, semantic.recall));
  if (about.judge !== null) notes.push(judgeNote(about.judge, counts.judge));
  if (nSpared > 0) {
    const rows = nSpared === 1 ? "1 row holds" : `${nSpared} rows hold`;
    notes.push(
      `${rows} an evaluation answer of fewer than ${settings.minCompared} ${settings.shingles === "words" ? "words" : "characters"} and nothing else of it, and ${nSpared === 1 ? "was" : "were"} kept: a right reply is no leak.`,
    );
  }
  if (rulesSkipped.has("related")) notes.push(`Reworded rows were not listed: ${rulesSkipped.get("related")}.`);
  return notes;
}

function distinctNote(
  { similarity }: SemanticReading,
  { value, nPrompts, isSampled }: NonNullable<SemanticReading["distinct"]>,
): string {
  const over = `over ${nPrompts} evaluation prompts${isSampled ? ", sampled pairs" : ""}`;
  const text = `Two different tasks of this evaluation reach a similarity of ${formatFixed(value, 2)} with this embedder (99th percentile, ${over}); a lower threshold catches pairs that have only their domain in common.`;
  if (similarity > value) return text;
  return `${text} The threshold of ${similarity} is not above it: raise it above ${formatFixed(value, 2)}.`;
}

function probedNote({ nPrompts }: SemanticReading, { n, nSameNearest, nHits, nHitsFound }: SearchRecall): string {
  return `Each row was compared with the evaluation prompts of its nearest clusters and not with all ${nPrompts}. Of ${n} texts that were drawn, ${nSameNearest} have the same nearest prompt either way, and ${nHitsFound} of ${nHits} hits are found. semanticSearch exact compares with all.`;
}

function judgeNote({ nAsked, nSame, nFailed, nNotAsked }: JudgeReading, nDropped: number): string {
  const failed = nFailed === 0 ? "" : ` ${nFailed} ${nFailed === 1 ? "call" : "calls"} gave no answer.`;
  const left = nNotAsked === 0 ? "" : ` ${nNotAsked} ${nNotAsked === 1 ? "row was" : "rows were"} beyond the budget.`;
  return `The judge was asked of ${nAsked} ${nAsked === 1 ? "row" : "rows"} and calls ${nSame} an evaluation question; ${nDropped} of these had only been listed and ${nDropped === 1 ? "was" : "were"} dropped.${failed}${left}`;
}

/** What makes the counts themselves doubtful. */
export function warningsOf({
  nUnreadable,
  nEvalUnreadable,
  emptySources,
  nSameTask,
  nUnlike,
  unlikeIds,
  nBadLines,
}: {
  nUnreadable: number;
  nEvalUnreadable: number;
  emptySources: readonly string[];
  nSameTask: number;
  nUnlike: number;
  unlikeIds: readonly string[];
  nBadLines: number;
}): string[] {
  const warnings = emptySources.map((name) => `${name} holds no evaluation row: nothing was compared with it.`);
  if (nUnreadable > 0) {
    const rows = nUnreadable === 1 ? "1 training row has" : `${nUnreadable} training rows have`;
    warnings.push(`${rows} text without a word in it, and could not be compared.`);
  }
  if (nEvalUnreadable > 0) {
    const rows = nEvalUnreadable === 1 ? "1 evaluation row has" : `${nEvalUnreadable} evaluation rows have`;
    warnings.push(`${rows} no word to be found by.`);
  }
  if (2 * nUnlike > nSameTask) {
    warnings.push(
      `${nUnlike} of ${nSameTask} rows that share an id with the evaluation ask something else (${unlikeIds.join(", ")}): the two files seem to number their tasks alike. Give the tasks ids of their own, or leave the ids out.`,
    );
  }
  if (nBadLines > 0) {
    warnings.push(
      `${nBadLines} ${nBadLines === 1 ? "line" : "lines"} could not be read and ${nBadLines === 1 ? "was" : "were"} left out.`,
    );
  }
  return warnings;
}

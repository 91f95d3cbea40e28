import { isObject, normText, pyJson, type Row, roundHalfEven, taskKey, textOf } from "@while/schema";
import { counted } from "../counted.ts";
import { dropPrivilegedLeaks } from "../rows/drop-privileged-leaks.ts";
import { replyLength } from "../rows/features.ts";
import { evalSourcedWarning, isEvalSourced } from "../rows/is-eval-sourced.ts";
import { spokenMessages } from "../rows/spoken-messages.ts";
import { firstTurn } from "./first-turn.ts";
import { isLengthConfounded } from "./length-confound.ts";
import { matchReplies, type Reply } from "./match-replies.ts";
import { type PairOptions, pairSettings } from "./pair-options.ts";
import type { PairReport } from "./pair-report.ts";
import type { PreferencePair } from "./preference-pair.ts";

/** A trainer of first turns wants this many pairs. */
const MIN_TRAINER_PAIRS = 8;

interface Graded extends Reply {
  row: Row;
}

/**
 * Pairs of replies to one prompt, the better and the worse, alike in length so that length is not what is learned
 * (Lambert 2025, chapters Direct Alignment and Preference Data; on-policy pairs as in Tulu 3, arXiv:2411.15124). Rows
 * need a score in [0, 1] that the judge stands behind; each is used once.
 *
 * @throws SelectError `bad_option`
 */
export function buildPreferencePairs(
  rows: readonly Row[],
  options: PairOptions = {},
): { pairs: PreferencePair[]; report: PairReport } {
  const settings = pairSettings(options);
  const leaks = dropPrivilegedLeaks(rows);
  const unscored = { notOk: 0, noReward: 0, outOfRange: 0, noPrompt: 0, notRows: leaks.report.nNotRows };
  const groups = new Map<string, Graded[]>();
  for (const row of leaks.rows) {
    const key = settings.groupBy === "task" ? taskKey(row) : normText(textOf(row.prompt));
    const { reward, judge_status: status = "ok" } = row;
    if (key === "") unscored.noPrompt++;
    else if (status !== "ok" && status !== null) unscored.notOk++;
    else if (typeof reward !== "number") unscored.noReward++;
    else if (!(reward >= 0 && reward <= 1)) unscored.outOfRange++;
    else {
      const group = groups.get(key);
      const graded = { row, score: reward, length: replyLength(row), text: spokenText(row) };
      if (group === undefined) groups.set(key, [graded]);
      else group.push(graded);
    }
  }

  const pairs: PreferencePair[] = [];
  let promptsWithContrast = 0;
  let identicalReplies = 0;
  for (const group of groups.values()) {
    const ranked = group.sort((x, y) => y.score - x.score);
    const matched = matchReplies(ranked, settings);
    identicalReplies += matched.identical;
    if (matched.pairs.length > 0) promptsWithContrast++;
    for (const [chosen, rejected] of matched.pairs) pairs.push(pairOf(ranked[chosen]!, ranked[rejected]!));
  }
  return { pairs, report: reportOf(pairs) };

  function reportOf(made: readonly PreferencePair[]): PairReport {
    const count = (test: (pair: PreferencePair) => boolean): number => made.filter(test).length;
    const chosenLonger = count(({ length_delta: delta }) => delta > 0);
    const identical = count(({ first_turn_differs: differs }) => !differs);
    const mixed = count(({ same_policy: same }) => same === false);
    const evalSourced = count(({ chosen, rejected }) => isEvalSourced(chosen) || isEvalSourced(rejected));
    const deltas = Float64Array.from(made, (pair) => pair.length_delta).sort();
    const report: PairReport = {
      pairs: made.length,
      promptsSeen: groups.size,
      promptsWithContrast,
      matching: settings.matching,
      minMargin: settings.minMargin,
      meanMargin: meanMargin(made),
      partialScorePairs: count(({ chosen_score: c, rejected_score: r }) => c !== 1 || r !== 0),
      firstTurnIdentical: identical,
      trainerPairs: made.length - identical,
      samePolicyPairs: count(({ same_policy: same }) => same === true),
      mixedPolicyPairs: mixed,
      evalSourced,
      identicalReplies,
      unscored,
      privilegedLeaks: leaks.report,
      length: {
        medianDelta: deltas[deltas.length >> 1] ?? null,
        chosenLonger,
        chosenLongerFrac: made.length === 0 ? null : roundHalfEven(chosenLonger / made.length, 3),
        marginAgainstLength: meanMargin(made.filter(({ length_delta: delta }) => delta <= 0)),
      },
      warnings: [],
      note:
        made.length > 0
          ? null
          : `No pairs: a pair takes two rollouts of one ${settings.groupBy} whose scores differ by ` +
            `${settings.minMargin} or more. Sample more rollouts of each, or lower the margin.`,
    };
    report.warnings = warningsOf(report);
    return report;
  }
}

function warningsOf(report: PairReport): string[] {
  const { pairs, firstTurnIdentical: alike, trainerPairs, mixedPolicyPairs: mixed, evalSourced, length } = report;
  const warnings: string[] = [];
  if (isLengthConfounded(length.chosenLonger, pairs)) {
    warnings.push(
      `The chosen reply is the longer one in ${length.chosenLonger} of ${counted(pairs, "pair")}: a model would learn ` +
        "length. Match lengths, or sample more rollouts to match among.",
    );
  }
  if (alike > 0) {
    const short = trainerPairs < MIN_TRAINER_PAIRS ? `, and it needs ${MIN_TRAINER_PAIRS}` : "";
    warnings.push(
      `${counted(alike, "pair")} of ${pairs} begin alike. A trainer that compares first turns drops them and keeps ` +
        `${trainerPairs}${short}; one that reads whole replies can use them.`,
    );
  }
  if (mixed > 0) {
    warnings.push(
      `${counted(mixed, "pair")} of ${pairs} have replies of two policies: what differs may be the policy. Pair ` +
        "rollouts of one version.",
    );
  }
  if (report.identicalReplies > 0) {
    warnings.push(
      `${counted(report.identicalReplies, "pair")} of identical replies with unlike scores ${report.identicalReplies === 1 ? "was" : "were"} refused: there the ` +
        "judge contradicts itself. Read them before trusting the rest.",
    );
  }
  if (evalSourced > 0) warnings.push(evalSourcedWarning(evalSourced));
  return warnings;
}

function pairOf(chosen: Graded, rejected: Graded): PreferencePair {
  const models = [chosen, rejected].map(({ row }) => textOrNull(row.model_version));
  return {
    prompt: textOf(chosen.row.prompt),
    chosen: chosen.row,
    rejected: rejected.row,
    chosen_score: chosen.score,
    rejected_score: rejected.score,
    margin: roundHalfEven(chosen.score - rejected.score, 6),
    chosen_model: models[0]!,
    rejected_model: models[1]!,
    same_policy: models[0] === null || models[1] === null ? null : models[0] === models[1],
    length_delta: chosen.length - rejected.length,
    first_turn_differs: firstTurn(chosen.row) !== firstTurn(rejected.row),
    chosen_reason: textOrNull(chosen.row.reason),
    rejected_reason: textOrNull(rejected.row.reason),
    rejected_failure_class: textOrNull(rejected.row.failure_class),
    lineage: { chosen: chosen.row.lineage ?? null, rejected: rejected.row.lineage ?? null },
  };
}

/** Everything the agent said and called, to compare two replies to the letter. */
function spokenText(row: Row): string {
  const turns = spokenMessages(row).filter((message) => isObject(message) && message.role === "assistant");
  return pyJson([turns, textOf(row.final_text)]);
}

function textOrNull(value: unknown): string | null {
  return textOf(value) || null;
}

function meanMargin(pairs: readonly PreferencePair[]): number | null {
  if (pairs.length === 0) return null;
  return roundHalfEven(pairs.reduce((sum, { margin }) => sum + margin, 0) / pairs.length, 4);
}

import {
  type Confusion,
  cohenKappa,
  type EffectiveRaters,
  effectiveRaters,
  type Interval,
  krippendorffAlpha,
  wilsonInterval,
} from "@while/stats";
import { pairedTest } from "./paired-test.ts";

/** The judges as one: how much a vote of them is worth, and what it says. */
export interface JudgePanel {
  /** Independent judges that they are worth, over the labeled rows that all of them judged; tasks are the draws. */
  effective: EffectiveRaters;
  /** Do they say the same, right or wrong? Krippendorff's alpha over the labeled rows, with gaps. */
  alpha: number | null;
  /** Null with two judges, of whom no majority can be but both. */
  vote: PanelVote | null;
}

/** What most of the judges that say something say. */
export interface PanelVote {
  /** Rows with a majority; rows on which as many say the one as the other, or nobody anything. */
  n: number;
  nTies: number;
  agreement: number | null;
  ci95: Interval | null;
  kappa: number | null;
  leak: number | null;
  miss: number | null;
  /** Over all labeled rows, one without a majority counted as wrong, as judges are ranked. */
  agreementOfAll: number;
  /** That the vote is right as often as the first of the judges: exact, the larger of that over rows and over tasks. */
  pAgainstFirst: number;
}

const MIN_VOTERS = 3;

/**
 * @param verdicts Of each judge, best first, on the labeled rows; two judges or more
 * @param labels Of the same rows
 * @param tasks Of the same rows
 */
export function judgePanel(
  verdicts: readonly (readonly (0 | 1 | null)[])[],
  labels: readonly (0 | 1)[],
  tasks: readonly string[],
): JudgePanel {
  const errors = verdicts.map((own) =>
    own.map((verdict, i): 0 | 1 | null => (verdict === null ? null : verdict === labels[i] ? 0 : 1)),
  );
  return {
    effective: effectiveRaters(errors, { clusters: tasks }),
    alpha: krippendorffAlpha(labels.map((_, i) => verdicts.map((own) => own[i]!))).alpha,
    vote: verdicts.length < MIN_VOTERS ? null : voteOf(verdicts, labels, tasks),
  };
}

function voteOf(
  verdicts: readonly (readonly (0 | 1 | null)[])[],
  labels: readonly (0 | 1)[],
  tasks: readonly string[],
): PanelVote {
  const votes = labels.map((_, i) => {
    const said = verdicts.flatMap((own) => own[i] ?? []);
    const passes = said.filter((verdict) => verdict === 1).length;
    return 2 * passes === said.length ? null : Number(2 * passes > said.length);
  });
  const table: Confusion = { tp: 0, fp: 0, fn: 0, tn: 0 };
  for (const [i, vote] of votes.entries()) {
    if (vote === null) continue;
    if (vote === labels[i]) table[vote === 1 ? "tp" : "tn"]++;
    else table[vote === 1 ? "fp" : "fn"]++;
  }
  const { tp, fp, fn, tn } = table;
  const n = tp + fp + fn + tn;
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const right = votes.map((vote, i) => vote === labels[i]);
  const first = verdicts[0]!.map((verdict, i) => verdict === labels[i]);
  const { pValue, pOverTasks } = pairedTest(right, first, tasks);
  return {
    ...{ n, nTies: labels.length - n, agreement: share(tp + tn, n), ci95: wilsonInterval(tp + tn, n) },
    ...{ kappa: cohenKappa(table), leak: share(fp, fp + tn), miss: share(fn, fn + tp) },
    ...{ agreementOfAll: (tp + tn) / labels.length, pAgainstFirst: Math.max(pValue, pOverTasks ?? 0) },
  };
}

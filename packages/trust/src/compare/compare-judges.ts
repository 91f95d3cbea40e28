import { checkOptions, type Row } from "@while/schema";
import { binaryReward, cohenKappa, holmAdjust, type Interval } from "@while/stats";
import { taskClusters } from "../agreement/task-clusters.ts";
import { MAX_UNJUDGED_SHARE } from "../agreement/thresholds.ts";
import type { Judge } from "../judge/judge.ts";
import { checkRunOptions, type RunJudgeOptions, runJudge } from "../judge/run-judge.ts";
import { stampName } from "../judge/stamp-name.ts";
import { judgeSplitOf } from "../labels/judge-split.ts";
import { trustOfLabels } from "../trust/trust-of-labels.ts";
import { type LabelTrustOptions, labelTrustSettings } from "../trust/trust-options.ts";
import { TrustError } from "../trust-error.ts";
import { type JudgePanel, judgePanel } from "./judge-panel.ts";
import { type PairedTest, pairedTest } from "./paired-test.ts";

/** How one judge did on the labeled rows. */
export interface ComparedJudge {
  name: string;
  version: string | null;
  /** Rows with a label and a verdict of 0 or 1. */
  n: number;
  agreement: number | null;
  ci95: Interval | null;
  kappa: number | null;
  /** Of the rows gold fails, the share it passes, and of those gold passes, the share it fails. */
  leak: number | null;
  miss: number | null;
  /** Labeled rows that it gave no 0 or 1. */
  nUnjudged: number;
  /** Over all labeled rows, one without a verdict counted as wrong: what judges are ranked by. */
  agreementOfAll: number | null;
  kappaOfAll: number | null;
  /** As `judgeTrust` says, and no more than 5% of the labeled rows without a verdict. */
  ok: boolean;
  /** No difference to the first is shown: exact tests over the same rows and tasks, adjusted by Holm over all pairs of judges. */
  tiedWithFirst: boolean;
  seconds: number;
  secondsPerRow: number | null;
  /** Tokens that the model counted; null where none did. */
  inputTokens: number | null;
  outputTokens: number | null;
  warnings: string[];
}

/** Two judges on the same labeled rows. A row that one of them did not judge it got wrong. */
export interface JudgePair extends PairedTest {
  a: string;
  b: string;
  /** The larger of the two, adjusted. */
  pAdjusted: number;
}

export interface JudgeComparison {
  nRows: number;
  nGold: number;
  goldKind: string | null;
  /** Best first: kappa over all labeled rows, then agreement. */
  judges: ComparedJudge[];
  /** The first that holds, else the first. */
  best: string;
  pairs: JudgePair[];
  /** Null with one judge. */
  panel: JudgePanel | null;
}

export interface CompareJudgesOptions
  extends Pick<RunJudgeOptions, "concurrency" | "timeoutMs" | "retries" | "signal">,
    Pick<LabelTrustOptions, "gold" | "minAgreement" | "minKappa" | "allowModelGold" | "rule"> {}

const RUN = ["concurrency", "timeoutMs", "retries", "signal"] as const;
const LABELS = ["gold", "minAgreement", "minKappa", "allowModelGold", "rule"] as const;
const ALPHA = 0.05;

/**
 * Several judges on the same labeled rows: which agrees best, and is that a difference at all? They run one after the
 * other on copies. Judges are ranked over all labeled rows, so that one which leaves the hard ones out does not win by it;
 * those that no test tells from the first are ties. Rollouts of one task are no independent rows: where a task has several, the
 * difference has to hold with tasks as the draws too.
 *
 * @param judges By name, or a list that is named by what the judges say of themselves (`#2` behind a name seen before)
 * @returns The report, and each judge's rows by its name
 * @throws TrustError `no_rows` without rows or labels, `no_judge` without judges, `bad_option`
 */
export async function compareJudges(
  rows: readonly Row[],
  judges: readonly Judge[] | ReadonlyMap<string, Judge> | Readonly<Record<string, Judge>>,
  options: CompareJudgesOptions = {},
): Promise<{ report: JudgeComparison; rows: Map<string, Row[]> }> {
  checkOptions(options, [...RUN, ...LABELS], (what, fix) => new TrustError("bad_option", what, fix));
  const settings = labelTrustSettings(picked(options, LABELS));
  const { gold } = settings;
  const named = namesOf(judges);
  for (const [, judge] of named) checkRunOptions(judge, picked(options, RUN));
  if (named.length === 0) throw new TrustError("no_judge", "compareJudges got no judges.", "Pass two or more.");
  // The prompt of one of them was changed until it agreed there.
  const labels = rows.map((row) => (judgeSplitOf(row) === "tune" ? null : binaryReward(row, gold)));
  const nGold = labels.filter((label) => label !== null).length;
  if (nGold === 0) {
    throw new TrustError(
      "no_rows",
      `None of ${rows.length} rows has a label of 0 or 1 in ${gold}.`,
      "Label some first (attachLabels).",
    );
  }
  const judged = new Map<string, Row[]>();
  const right = new Map<string, boolean[]>();
  const compared: ComparedJudge[] = [];
  let goldKind: string | null = null;
  for (const [name, judge] of named) {
    const start = performance.now();
    const scored = await runJudge(rows, judge, { ...picked(options, RUN), judgeName: name });
    const seconds = Math.round(performance.now() - start) / 1000;
    const trust = trustOfLabels(scored.rows, settings);
    const verdicts = scored.rows.map((row) => binaryReward(row));
    judged.set(name, scored.rows);
    right.set(
      name,
      verdicts.flatMap((verdict, i) => (labels[i] === null ? [] : [verdict === labels[i]])),
    );
    goldKind ??= trust.goldKind;
    const { agreement } = trust;
    const nUnjudged = verdicts.filter((verdict, i) => labels[i] !== null && verdict === null).length;
    compared.push({
      ...{ name, version: scored.judgeVersion, n: agreement.n, agreement: agreement.agreement, ci95: agreement.ci95 },
      ...{ kappa: agreement.kappa, leak: agreement.passWhenGoldFail, miss: agreement.failWhenGoldPass, nUnjudged },
      ...ofAll(verdicts, labels),
      ok: trust.ok && nUnjudged <= MAX_UNJUDGED_SHARE * nGold,
      tiedWithFirst: false,
      ...{ seconds, secondsPerRow: rows.length === 0 ? null : seconds / rows.length },
      ...{ inputTokens: tokensOf(scored.rows, "input_tokens"), outputTokens: tokensOf(scored.rows, "output_tokens") },
      warnings: trust.warnings,
    });
  }
  compared.sort((a, b) => behindNulls(a.kappaOfAll, b.kappaOfAll) || behindNulls(a.agreementOfAll, b.agreementOfAll));
  const first = compared[0]!;
  const tasks = taskClusters(rows.filter((_, i) => labels[i] !== null));
  const pairs = pairsOf(
    compared.map(({ name }) => name),
    right,
    tasks,
  );
  for (const one of compared.slice(1)) {
    one.tiedWithFirst = pairs.some(({ a, b, pAdjusted }) => a === first.name && b === one.name && pAdjusted >= ALPHA);
  }
  const best = (compared.find(({ ok }) => ok) ?? first).name;
  const panel = compared.length === 1 ? null : panelOf(compared, judged, labels, tasks);
  return { report: { nRows: rows.length, nGold, goldKind, judges: compared, best, pairs, panel }, rows: judged };
}

/** The judges in their order, on the labeled rows. */
function panelOf(
  judges: readonly ComparedJudge[],
  judged: ReadonlyMap<string, readonly Row[]>,
  labels: readonly (0 | 1 | null)[],
  tasks: readonly string[],
): JudgePanel {
  const labeled = labels.flatMap((label, i) => (label === null ? [] : [i]));
  const verdicts = judges.map(({ name }) => labeled.map((i) => binaryReward(judged.get(name)![i]!)));
  return judgePanel(
    verdicts,
    labeled.map((i) => labels[i]!),
    tasks,
  );
}

function namesOf(
  judges: readonly Judge[] | ReadonlyMap<string, Judge> | Readonly<Record<string, Judge>>,
): [name: string, judge: Judge][] {
  if (judges instanceof Map) return [...judges];
  if (!Array.isArray(judges)) return Object.entries(judges as Record<string, Judge>);
  const seen = new Map<string, number>();
  return judges.map((judge: Judge) => {
    const name = typeof judge === "function" ? stampName(judge) : "";
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return [times === 1 ? name : `${name}#${times}`, judge];
  });
}

/** Agreement and kappa with every row that has no verdict on the wrong side. */
function ofAll(
  verdicts: readonly (0 | 1 | null)[],
  labels: readonly (0 | 1 | null)[],
): Pick<ComparedJudge, "agreementOfAll" | "kappaOfAll"> {
  const table = { tp: 0, fp: 0, fn: 0, tn: 0 };
  for (const [i, label] of labels.entries()) {
    if (label === null) continue;
    const isRight = verdicts[i] === label;
    if (label === 1) table[isRight ? "tp" : "fn"]++;
    else table[isRight ? "tn" : "fp"]++;
  }
  const n = table.tp + table.fp + table.fn + table.tn;
  return { agreementOfAll: n === 0 ? null : (table.tp + table.tn) / n, kappaOfAll: cohenKappa(table) };
}

function pairsOf(
  names: readonly string[],
  right: ReadonlyMap<string, readonly boolean[]>,
  tasks: readonly string[],
): JudgePair[] {
  const pairs = names.flatMap((a, i) =>
    names.slice(i + 1).map((b) => {
      return { a, b, ...pairedTest(right.get(a)!, right.get(b)!, tasks) };
    }),
  );
  const adjusted = holmAdjust(pairs.map(({ pValue, pOverTasks }) => Math.max(pValue, pOverTasks ?? 0)));
  return pairs.map((pair, i) => ({ ...pair, pAdjusted: adjusted[i]! }));
}

function behindNulls(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return b - a;
}

function tokensOf(rows: readonly Row[], key: string): number | null {
  const counts = rows.flatMap(({ judge_meta }) => (typeof judge_meta?.[key] === "number" ? [judge_meta[key]] : []));
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}

function picked<Options extends object, Key extends keyof Options>(
  options: Options,
  keys: readonly Key[],
): Pick<Options, Key> {
  const given = keys.filter((key) => options[key] !== undefined).map((key) => [key, options[key]]);
  return Object.fromEntries(given) as Pick<Options, Key>;
}

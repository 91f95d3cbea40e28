import { type Row, rowKey } from "@while/schema";
import { ALPHA, binaryReward, holmAdjust, mcnemarExact } from "@while/stats";
import { GOLD_FIELD } from "../agreement/gold.ts";
import { counted } from "../counted.ts";
import { TrustError } from "../trust-error.ts";
import { type AnchorRun, anchorsOf, anchorsSha } from "./anchor-run.ts";
import { CUSUM_LIMIT, type Cusum, cusum } from "./cusum.ts";

/** One run against gold. */
export interface AnchorScore {
  at: string | null;
  judgeVersion: string | null;
  /** Anchors with a verdict. */
  n: number;
  /** Right ones of all anchors: one without a verdict is not right. */
  agreement: number;
  /** Of those with a verdict; null without. */
  passRate: number | null;
}

/** Two runs on the same anchors. */
export interface AnchorChange {
  /** Anchors whose verdict is another one, or gone. */
  changed: number;
  onlyBeforeRight: number;
  onlyAfterRight: number;
  /** That as many got worse as better, exact (McNemar), adjusted by Holm where the run is held against two. */
  pAdjusted: number;
  /** The judge names another version. */
  versionChanged: boolean;
}

export type DriftFindingCode =
  | "worse"
  | "better"
  | "agreement_slides"
  | "more_lenient"
  | "more_severe"
  | "version_changed"
  | "no_verdicts"
  | "other_anchors";

export interface DriftFinding {
  code: DriftFindingCode;
  severity: "fail" | "warn" | "note";
  message: string;
}

/**
 * `first`: nothing to hold it against yet. `steady`: every verdict is as it was. `changed`: some are not, and none of the
 * tests says that it is worse. `drifted`: it is.
 */
export type DriftStatus = "first" | "steady" | "changed" | "drifted";

export interface JudgeDrift {
  status: DriftStatus;
  nAnchors: number;
  anchorsSha: string;
  /** Oldest first; the last one is in question. */
  runs: AnchorScore[];
  /** Runs left out, of other anchors or of another gold. */
  nOtherAnchors: number;
  sinceLast: AnchorChange | null;
  /** Null where the first run is the last but one. */
  sinceFirst: AnchorChange | null;
  /** Sums over all runs, in standard errors of the first one. */
  cusum: { agreementDown: Cusum; passRateUp: Cusum; passRateDown: Cusum };
  findings: DriftFinding[];
}

export interface JudgeDriftOptions {
  gold?: string;
}

/**
 * Is a judge still the one that was measured? Its runs over the same anchors are held against each other: the last against
 * the one before and against the first (exact McNemar, Holm over the two), and all of them by cumulative sums, which find a
 * slide that no two runs show (Page 1954): of agreement down, of the share that it passes up and down.
 *
 * The sums take runs as draws of the anchors, which they are not: verdicts on the same rows vary less, so that an alarm by
 * chance is rarer than one in 340 runs.
 *
 * @param rows The anchors
 * @param runs Oldest first (`anchorRun`)
 * @throws TrustError `no_rows` where no run is over these anchors
 */
export function judgeDrift(
  rows: readonly Row[],
  runs: readonly AnchorRun[],
  { gold = GOLD_FIELD }: JudgeDriftOptions = {},
): JudgeDrift {
  const anchors = anchorsOf(rows, gold);
  const sha = anchorsSha(anchors, gold);
  const own = runs.filter((run) => run.anchorsSha === sha);
  const last = own.at(-1);
  if (anchors.length === 0 || last === undefined) {
    throw new TrustError(
      "no_rows",
      `None of ${counted(runs.length, "run")} is over these ${counted(anchors.length, "anchor")}.`,
      "Judge them first (anchorRun), and keep rows and gold as they are.",
    );
  }
  const truth = new Map(anchors.map((row) => [rowKey(row), binaryReward(row, gold)!]));
  const scores = own.map((run) => scoreOf(run, truth));
  const before = own.at(-2);
  const first = own[0]!;
  const changes = [before, own.length > 2 ? first : undefined].map((run) =>
    run === undefined ? null : changeOf(run, last, truth),
  );
  const adjusted = holmAdjust(changes.flatMap((change) => (change === null ? [] : [change.pAdjusted])));
  const [sinceLast, sinceFirst] = changes.map((change, i) =>
    change === null ? null : { ...change, pAdjusted: adjusted[i]! },
  );
  const report = {
    nAnchors: anchors.length,
    anchorsSha: sha,
    runs: scores,
    nOtherAnchors: runs.length - own.length,
    ...{ sinceLast: sinceLast ?? null, sinceFirst: sinceFirst ?? null },
    cusum: sumsOf(scores, anchors.length),
  };
  const findings = findingsOf(report);
  return { status: statusOf(report, findings), ...report, findings };
}

function scoreOf({ at, judgeVersion, verdicts }: AnchorRun, truth: ReadonlyMap<string, 0 | 1>): AnchorScore {
  const read = [...truth].flatMap(([key, gold]) => {
    const verdict = verdicts.get(key) ?? null;
    return verdict === null ? [] : [{ verdict, gold }];
  });
  const passes = read.filter(({ verdict }) => verdict === 1).length;
  return {
    ...{ at, judgeVersion, n: read.length },
    agreement: read.filter(({ verdict, gold }) => verdict === gold).length / truth.size,
    passRate: read.length === 0 ? null : passes / read.length,
  };
}

function changeOf(before: AnchorRun, after: AnchorRun, truth: ReadonlyMap<string, 0 | 1>): AnchorChange {
  let [changed, onlyBeforeRight, onlyAfterRight] = [0, 0, 0];
  for (const [key, gold] of truth) {
    const [was, is] = [before.verdicts.get(key) ?? null, after.verdicts.get(key) ?? null];
    if (was !== is) changed++;
    if (was === gold && is !== gold) onlyBeforeRight++;
    if (was !== gold && is === gold) onlyAfterRight++;
  }
  return {
    ...{ changed, onlyBeforeRight, onlyAfterRight, pAdjusted: mcnemarExact(onlyBeforeRight, onlyAfterRight).pExact },
    versionChanged: before.judgeVersion !== after.judgeVersion,
  };
}

/** Runs in standard errors from the first, whose share is drawn in by half a row: 50 of 50 would have none. */
function sumsOf(runs: readonly AnchorScore[], nAnchors: number): JudgeDrift["cusum"] {
  const inErrors = (shares: readonly (number | null)[]): number[] => {
    const base = shares.find((share) => share !== null) ?? 0;
    const drawn = (base * nAnchors + 0.5) / (nAnchors + 1);
    const error = Math.sqrt((drawn * (1 - drawn)) / nAnchors);
    return shares.map((share) => (share === null ? 0 : (share - base) / error));
  };
  const agreement = inErrors(runs.map((run) => run.agreement));
  const passRate = inErrors(runs.map((run) => run.passRate));
  return {
    agreementDown: cusum(agreement.map((value) => -value)),
    passRateUp: cusum(passRate),
    passRateDown: cusum(passRate.map((value) => -value)),
  };
}

type Compared = Omit<JudgeDrift, "status" | "findings">;

function findingsOf({ runs, sinceLast, sinceFirst, cusum: sums, nOtherAnchors, nAnchors }: Compared): DriftFinding[] {
  const findings: DriftFinding[] = [];
  for (const [change, than] of [
    [sinceLast, "the run before"],
    [sinceFirst, "the first run"],
  ] as const) {
    if (change === null || change.pAdjusted >= ALPHA) continue;
    const { onlyBeforeRight: lost, onlyAfterRight: won } = change;
    const message = `${lost} anchors that ${than} had right are wrong, and ${won} the other way round`;
    findings.push(
      lost > won
        ? { code: "worse", severity: "fail", message: `worse than ${than}: ${message}` }
        : { code: "better", severity: "note", message: `better than ${than}: ${message}` },
    );
  }
  const slid = (sum: Cusum) => sum.sums.at(-1)! > CUSUM_LIMIT;
  const since = (sum: Cusum) => `over ${counted(sum.sums.length, "run")}`;
  // A fall from one run to the next is no slide.
  const fell = sinceLast !== null && sinceLast.pAdjusted < ALPHA;
  if (slid(sums.agreementDown) && !fell) {
    const message = `agreement slides ${since(sums.agreementDown)}, by steps that are each within chance`;
    findings.push({ code: "agreement_slides", severity: "fail", message });
  }
  if (slid(sums.passRateUp)) {
    const message = `the judge grows more lenient ${since(sums.passRateUp)}: pass rates of before and after are not comparable`;
    findings.push({ code: "more_lenient", severity: "warn", message });
  }
  if (slid(sums.passRateDown)) {
    const message = `the judge grows more severe ${since(sums.passRateDown)}: pass rates of before and after are not comparable`;
    findings.push({ code: "more_severe", severity: "warn", message });
  }
  if (sinceLast?.versionChanged === true) {
    const [was, is] = [runs.at(-2)!.judgeVersion, runs.at(-1)!.judgeVersion];
    const message = `the judge was ${was ?? "without a version"} and is ${is ?? "without a version"}: rows that the two graded are not of one judge`;
    findings.push({ code: "version_changed", severity: "warn", message });
  }
  const missing = nAnchors - runs.at(-1)!.n;
  if (missing > 0) {
    const message = `${counted(missing, "anchor")} without a verdict, which count as wrong: see to the calls first`;
    findings.push({ code: "no_verdicts", severity: "warn", message });
  }
  if (nOtherAnchors > 0) {
    const message = `${counted(nOtherAnchors, "run")} left out, over other anchors or another gold`;
    findings.push({ code: "other_anchors", severity: "note", message });
  }
  return findings;
}

function statusOf({ sinceLast, sinceFirst }: Compared, findings: readonly DriftFinding[]): DriftStatus {
  if (findings.some(({ severity }) => severity === "fail")) return "drifted";
  if (sinceLast === null) return "first";
  return sinceLast.changed + (sinceFirst?.changed ?? 0) === 0 ? "steady" : "changed";
}

import { checkOptions } from "@while/schema";
import { ALPHA, BOOTSTRAP_DRAWS, CEILING_PASS_RATE, POWER } from "../constants.ts";
import { checkInference, type Inference } from "../inference.ts";
import { checkSeed } from "../rng/mersenne-twister.ts";
import type { GroupBy } from "../rows/group-by.ts";
import { checkPower } from "../sizing/power-options.ts";
import { StatsError } from "../stats-error.ts";
import { ANSWERED_ALPHA, ANSWERED_GAP } from "./answered-check.ts";
import { metricNamed } from "./metric-named.ts";
import type { TrainRuns } from "./train-spread.ts";

/** A setting that an experiment may change on purpose. */
export type VariedSetting = "prompt" | "model" | "user" | "writer" | "temperature" | "max_tokens" | "judge";

const VARIED: readonly VariedSetting[] = ["prompt", "model", "user", "writer", "temperature", "max_tokens", "judge"];

export interface DeltaOptions {
  /** The metric the change was made for: `pass_at_1`, `marker:<name>`, or a marker's bare name. */
  target?: string | undefined;
  /** Guards: a proven drop of one of these fails the report. */
  mustNotRegress?: readonly string[];
  /** Metrics of which less is better; none is by default, whatever its name says. */
  lowerIsBetter?: readonly string[] | Readonly<Record<string, boolean>>;
  /** Markers to compare beside pass_at_1; those both sides carry when left out. */
  markers?: readonly string[] | undefined;
  /**
   * Compares the headline metric inside each group too. A bare name is also looked for among the markers; "auto" is
   * `category`, else `slice`, where both sides have one.
   */
  by?: GroupBy | undefined;
  /** What tasks share that are not independent draws (persona, document, template): clusters are then what varies. */
  cluster?: GroupBy | undefined;
  /** The training reward: fails the report when it rose and the target did not rise with it. */
  proxy?: string | undefined;
  /** Standard deviation from run to run, of every metric or by metric, where no rows name their run. */
  runStd?: number | Readonly<Record<string, number | null>> | undefined;
  /** Runs behind `runStd`; without them it is taken for exact. */
  runStdRuns?: number | undefined;
  /**
   * Rows of each training run, by arm, or the key that rows name theirs by. `moved` then also has to hold with the
   * spread between training runs; an arm trained once leaves it `unresolved`.
   */
  trainRuns?: TrainRuns | GroupBy | undefined;
  /** Leaves out rows until shared tasks have as many rollouts on both sides. */
  balanceRollouts?: boolean;
  /** What the experiment changes on purpose. Once given, every other setting has to match. */
  varied?: readonly VariedSetting[] | undefined;
  /** `prove`: a guard has to show that it did not drop by `margin`, not only show no drop. */
  guardMode?: "drop" | "prove";
  /** The largest change that would not matter: of a guard's proof, and of `equivalent`. */
  margin?: number;
  /** The margin of single guards, where it is another. */
  guardMargins?: Readonly<Record<string, number>>;
  /** `inconclusive`: a gain without re-runs does not pass, because nobody knows what re-running moves by itself. */
  unreplicatedAs?: "pass" | "inconclusive";
  alpha?: number;
  power?: number;
  ceilingPassRate?: number;
  answeredGapPoints?: number;
  answeredAlpha?: number;
  nBoot?: number;
  seed?: number;
  inference?: Inference;
}

const NAMES = [
  ...[
    "target",
    "mustNotRegress",
    "lowerIsBetter",
    "markers",
    "by",
    "cluster",
    "proxy",
    "runStd",
    "runStdRuns",
    "trainRuns",
  ],
  ...[
    "balanceRollouts",
    "varied",
    "guardMode",
    "margin",
    "guardMargins",
    "unreplicatedAs",
    "alpha",
    "power",
    "ceilingPassRate",
  ],
  ...["answeredGapPoints", "answeredAlpha", "nBoot", "seed", "inference"],
];

type Defaulted =
  | "mustNotRegress"
  | "lowerIsBetter"
  | "balanceRollouts"
  | "guardMode"
  | "margin"
  | "guardMargins"
  | "unreplicatedAs"
  | "alpha"
  | "power"
  | "ceilingPassRate"
  | "answeredGapPoints"
  | "answeredAlpha"
  | "nBoot"
  | "seed"
  | "inference";

/** With every default in its place. */
export type DeltaSettings = Required<Pick<DeltaOptions, Defaulted>> &
  Pick<
    DeltaOptions,
    "target" | "markers" | "by" | "cluster" | "proxy" | "runStd" | "runStdRuns" | "trainRuns" | "varied"
  >;

/** A change of five points: half of what a held-out set of usual size can see. */
const MARGIN = 0.05;

/** @throws StatsError `bad_option`, `bad_probability`, `bad_count`, `bad_value`, `bad_seed` */
export function deltaSettings(options: DeltaOptions): DeltaSettings {
  checkOptions(options, NAMES, (what, fix) => new StatsError("bad_option", what, fix));
  const settings: DeltaSettings = {
    mustNotRegress: [],
    lowerIsBetter: [],
    balanceRollouts: false,
    guardMode: "drop",
    margin: MARGIN,
    guardMargins: {},
    unreplicatedAs: "pass",
    alpha: ALPHA,
    power: POWER,
    ceilingPassRate: CEILING_PASS_RATE,
    answeredGapPoints: ANSWERED_GAP,
    answeredAlpha: ANSWERED_ALPHA,
    nBoot: BOOTSTRAP_DRAWS,
    seed: 0,
    inference: "strict",
    ...options,
  };
  const {
    alpha,
    power,
    runStd,
    runStdRuns,
    varied = [],
    guardMode,
    margin,
    guardMargins,
    unreplicatedAs,
    seed,
    inference,
  } = settings;
  checkInference(inference);
  checkPower({ power, alpha });
  checkSeed(seed);
  if (runStdRuns !== undefined && runStd === undefined) {
    throw new StatsError(
      "bad_option",
      "runStdRuns was given without runStd.",
      "Pass runStd, the spread of those runs.",
    );
  }
  if (runStdRuns !== undefined && !(Number.isSafeInteger(runStdRuns) && runStdRuns >= 2)) {
    throw new StatsError("bad_count", `runStdRuns is ${runStdRuns}.`, "Pass the runs behind runStd, 2 or more.");
  }
  for (const [name, value] of [["margin", margin] as const, ...Object.entries(guardMargins)]) {
    if (value > 0 && Number.isFinite(value)) continue;
    const what = name === "margin" ? `margin is ${value}.` : `The margin of ${name} is ${value}.`;
    throw new StatsError("bad_value", what, "Pass a change above 0, 0.05 for five points.");
  }
  const guards = settings.mustNotRegress.map(metricNamed);
  const unguarded = Object.keys(guardMargins).find((name) => !guards.includes(metricNamed(name)));
  if (unguarded !== undefined) {
    throw new StatsError(
      "bad_option",
      `guardMargins names ${unguarded}, which mustNotRegress does not.`,
      guards.length === 0 ? "Name the guards in mustNotRegress." : `Name some of ${guards.join(", ")}.`,
    );
  }
  if (unreplicatedAs !== "pass" && unreplicatedAs !== "inconclusive") {
    throw new StatsError(
      "bad_option",
      `unreplicatedAs is ${JSON.stringify(unreplicatedAs)}.`,
      "Pass pass or inconclusive.",
    );
  }
  if (guardMode !== "drop" && guardMode !== "prove") {
    throw new StatsError("bad_option", `guardMode is ${JSON.stringify(guardMode)}.`, "Pass drop or prove.");
  }
  const stranger = varied.find((name) => !VARIED.includes(name));
  if (stranger !== undefined) {
    throw new StatsError(
      "bad_option",
      `varied names ${JSON.stringify(stranger)}.`,
      `Name some of ${VARIED.join(", ")}.`,
    );
  }
  return settings;
}

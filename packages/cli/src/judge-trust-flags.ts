import type { TrustRule } from "@while/trust";
import { CliError } from "./cli-error.ts";
import { STDOUT } from "./io/row-output.ts";
import type { ModelFlags } from "./model-flags.ts";

/** What `wai judge-trust` is told. */
export interface JudgeTrustFlags extends ModelFlags {
  labels?: string;
  kind?: string;
  tunedOn?: string;
  tunedHalf?: "a" | "b";
  judge?: string;
  judgeName?: string;
  probes?: string[];
  variants?: string[];
  sample?: number;
  seed?: number;
  concurrency?: number;
  timeout?: number;
  retries?: number;
  allowModelGold?: boolean;
  minAgreement?: number;
  minKappa?: number;
  rule?: TrustRule;
  plan?: string;
  planRows?: number;
  drift?: string;
  html?: string;
  marks?: [low: number, high: number];
  gold?: string;
  calibration?: boolean;
  calibrated?: string;
}

/** What goes with marks on a scale: they are held against gold, and no judge is called. */
const WITH_MARKS: ReadonlySet<string> = new Set([
  ...["marks", "gold", "labels", "kind", "tunedOn", "tunedHalf", "allowModelGold", "minKappa"],
]);

/** What goes with `--calibration`, where no judge is called either. */
const WITH_CALIBRATION: ReadonlySet<string> = new Set([
  ...["calibration", "calibrated"],
  ...["gold", "labels", "kind", "tunedOn", "tunedHalf", "allowModelGold"],
]);

/**
 * Refuses flags that do not go together, before a row is read.
 *
 * @throws CliError `bad_arguments`, `bad_flag`
 */
export function checkJudgeTrustFlags(flags: JudgeTrustFlags): void {
  const { labels, kind, judge, model, judgeName, probes, variants, rubric, html, plan, planRows, drift } = flags;
  const refuse = (what: string, fix: string) => new CliError("bad_arguments", what, fix);
  if (kind !== undefined && labels === undefined) {
    throw refuse("--kind says who gave labels, and there are none.", "Name them with --labels FILE.");
  }
  if (flags.tunedOn !== undefined && flags.tunedHalf !== undefined) {
    throw refuse("--tuned-on and --tuned-half were both given.", "Give one of them.");
  }
  if (judge !== undefined && model !== undefined) {
    throw refuse("--judge and --model were both given.", "Give one of them.");
  }
  if (flags.gold !== undefined && labels !== undefined) {
    throw refuse("--gold and --labels were both given.", "Give one: a column of the rows, or a file of labels.");
  }
  const other = Object.keys(flags).find((name) => !WITH_MARKS.has(name));
  if (flags.marks !== undefined && other !== undefined) {
    const flag = other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw refuse(
      `--marks and --${flag} were both given.`,
      "Leave one out: marks on a scale are held against gold alone.",
    );
  }
  checkCalibrationFlags(flags);
  const isCalled = judge !== undefined || model !== undefined;
  const { timeout, retries, concurrency } = flags;
  const ofCalls = { probes, variants, drift, timeout, retries, concurrency, "judge-name": judgeName };
  const idle = Object.entries(ofCalls).find(([, value]) => value !== undefined);
  if (!isCalled && idle !== undefined) {
    const what =
      idle[0] === "probes" ? "--probes needs a judge to try them on." : `--${idle[0]} needs a judge to call.`;
    throw refuse(what, "Name it with --judge MODULE or --model MODEL.");
  }
  const { question, privileged, maxTokens } = flags;
  const ofModel = Object.entries({ question, privileged, "max-tokens": maxTokens }).find(
    ([, value]) => value !== undefined,
  );
  if (model === undefined && ofModel !== undefined) {
    throw refuse(`--${ofModel[0]} is for a model.`, "Give --model with it, or leave it out.");
  }
  if (model === undefined && variants?.includes("all") === true) {
    throw refuse("--variants all is of a model.", "Give --model with it, or the modules of the other wordings.");
  }
  if (planRows !== undefined && plan === undefined) {
    throw refuse("--plan-rows is for --plan.", "Say where the sheet goes with --plan FILE.");
  }
  const beside = Object.entries({ probes, variants, plan, html }).find(([, value]) => value !== undefined);
  if (drift !== undefined && beside !== undefined) {
    throw refuse(
      `--drift and --${beside[0]} were both given.`,
      "Run the two apart: --drift only judges the anchors anew.",
    );
  }
  for (const [flag, path] of Object.entries({ html, plan, drift })) {
    if (path === STDOUT) {
      throw new CliError("bad_flag", `--${flag} got -, and stdout carries the report.`, `Give --${flag} a file name.`);
    }
  }
  if (rubric !== undefined && model === undefined && probes === undefined) {
    throw refuse(
      "--rubric is for a model, or for the probe that stuffs its words.",
      "Give --model or --probes with it.",
    );
  }
}

/** Of what reads rewards between 0 and 1, and calls nobody. */
function checkCalibrationFlags(flags: JudgeTrustFlags): void {
  const { calibration, calibrated } = flags;
  const refuse = (what: string, fix: string) => new CliError("bad_arguments", what, fix);
  if (calibration !== true && calibrated !== undefined) {
    throw refuse("--calibrated is for --calibration.", "Give --calibration with it, or leave it out.");
  }
  const other = Object.keys(flags).find((name) => !WITH_CALIBRATION.has(name));
  if (calibration === true && other !== undefined) {
    const flag = other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw refuse(
      `--calibration and --${flag} were both given.`,
      "Leave one out: scores are held against labels alone.",
    );
  }
  if (calibrated === STDOUT) {
    throw new CliError(
      "bad_flag",
      "--calibrated got -, and stdout carries the report.",
      "Give --calibrated a file name.",
    );
  }
}

import { checkOptions } from "@while/schema";
import { GOLD_FIELD } from "../agreement/gold.ts";
import {
  LENGTH_GAP_FLAG,
  MAX_SKIPPED_SHARE,
  MIN_AGREEMENT,
  MIN_CLASS_RATE,
  MIN_KAPPA,
  MIN_PER_CLASS,
} from "../agreement/thresholds.ts";
import { TrustError } from "../trust-error.ts";
import type { TrustRule } from "./trust-rule.ts";

/** What is held against the labels. */
export interface LabelTrustOptions {
  /** The field of gold. */
  gold?: string;
  /** Floor for the lower bound of agreement. */
  minAgreement?: number;
  /** Floor for kappa. */
  minKappa?: number;
  /** Floor, by the strict rule, for the lower bounds of the right passes and the right fails. */
  minClassRate?: number;
  /** Labels of each class without which the strict rule says nothing. */
  minPerClass?: number;
  /** Gold by a model counts. */
  allowModelGold?: boolean;
  lengthGapFlag?: number;
  /** Share of labeled rows with partial credit over which nothing is concluded. */
  maxSkippedShare?: number;
  rule?: TrustRule;
  /** Gold of one class: it cannot tell, or, as in the Python SDK, a warning beside a verdict. */
  oneClass?: "inconclusive" | "warn";
}

export type LabelTrustSettings = Required<LabelTrustOptions>;

const DEFAULTS: LabelTrustSettings = {
  gold: GOLD_FIELD,
  minAgreement: MIN_AGREEMENT,
  minKappa: MIN_KAPPA,
  minClassRate: MIN_CLASS_RATE,
  minPerClass: MIN_PER_CLASS,
  allowModelGold: false,
  lengthGapFlag: LENGTH_GAP_FLAG,
  maxSkippedShare: MAX_SKIPPED_SHARE,
  rule: "floors",
  oneClass: "inconclusive",
};

const SHARES = ["minAgreement", "minClassRate", "lengthGapFlag", "maxSkippedShare"] as const;

/** @throws TrustError `bad_option` */
export function labelTrustSettings(options: LabelTrustOptions, others: readonly string[] = []): LabelTrustSettings {
  const refuse = (what: string, fix: string) => new TrustError("bad_option", what, fix);
  checkOptions(options, [...Object.keys(DEFAULTS), ...others], refuse);
  const given = Object.fromEntries(
    Object.entries(options).filter(([name, value]) => name in DEFAULTS && value !== undefined),
  );
  const settings = { ...DEFAULTS, ...given } as LabelTrustSettings;
  for (const name of SHARES) {
    if (settings[name] >= 0 && settings[name] <= 1) continue;
    throw refuse(`${name} is ${settings[name]}.`, "Pass a share between 0 and 1.");
  }
  if (!(settings.minKappa >= -1 && settings.minKappa <= 1)) {
    throw refuse(`minKappa is ${settings.minKappa}.`, "Pass a kappa between -1 and 1.");
  }
  if (!Number.isSafeInteger(settings.minPerClass) || settings.minPerClass < 1) {
    throw refuse(`minPerClass is ${settings.minPerClass}.`, "Pass a whole number of 1 or more.");
  }
  if (settings.rule !== "floors" && settings.rule !== "strict") {
    throw refuse(`rule is ${JSON.stringify(settings.rule)}.`, "Pass floors or strict.");
  }
  if (settings.oneClass !== "inconclusive" && settings.oneClass !== "warn") {
    throw refuse(`oneClass is ${JSON.stringify(settings.oneClass)}.`, "Pass inconclusive or warn.");
  }
  if (settings.gold === "") throw refuse("gold is an empty field name.", "Name the field of the gold labels.");
  return settings;
}

import type { Row } from "@while/schema";
import type { Judge } from "../judge/judge.ts";
import { stampName } from "../judge/stamp-name.ts";
import { type JudgeProbeOptions, judgeProbes, probeNames } from "../probes/judge-probes.ts";
import { perturbation } from "../probes/perturbation.ts";
import { checkProbeOptions, PROBE_OPTION_NAMES, type ProbeOptions } from "../probes/probe-options.ts";
import { checkVariants, variantCheck } from "../probes/variant-check.ts";
import { NOTHING_JUDGED } from "./judged-findings.ts";
import { trustOfLabels } from "./trust-of-labels.ts";
import { type LabelTrustOptions, labelTrustSettings } from "./trust-options.ts";
import type { JudgeTrust } from "./trust-report.ts";

export interface JudgeTrustOptions extends LabelTrustOptions, Omit<JudgeProbeOptions, "rule"> {
  /** The same judge asked otherwise, by name (`judgeVariants`): one more call a row of the sample for each. */
  variants?: Readonly<Record<string, Judge>>;
}

const AGAIN = PROBE_OPTION_NAMES.filter((name) => name !== "rule");
const JUDGED = [...AGAIN, "probes", "rubric", "variants"] as const;

/**
 * May rows be trained on by what a judge says of them? Agreement with gold labels against two floors, and what a judge
 * does that agreement cannot show: pass long replies, pass what it was tuned on, part identical replies, change its mind,
 * fall for a hack.
 *
 * Without a judge nothing is called, and the verdicts on the rows are measured. With one, a sample is judged again, as it
 * is and with filler (80 calls by default); with `probes` too, a call a row and probe, and with `variants` a call a row and
 * variant.
 *
 * @param judge The judge under audit, as it graded these rows
 * @throws TrustError `bad_option`
 */
export async function judgeTrust(
  rows: readonly Row[],
  judge: Judge | null = null,
  options: JudgeTrustOptions = {},
): Promise<JudgeTrust> {
  const settings = labelTrustSettings(options, JUDGED);
  const { probes, rubric, variants, judgeName } = options;
  const given = AGAIN.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]);
  const again: ProbeOptions = { ...Object.fromEntries(given), rule: settings.rule };
  checkProbeOptions(again);
  if (probes !== undefined) probeNames(probes);
  if (variants !== undefined) checkVariants(variants);
  if (judge === null) return trustOfLabels(rows, settings, NOTHING_JUDGED);
  return trustOfLabels(rows, settings, {
    judgeName: stampName(judge, judgeName),
    perturbation: await perturbation(rows, judge, again),
    probes:
      probes === undefined
        ? null
        : await judgeProbes(rows, judge, { ...again, probes, ...(rubric === undefined ? {} : { rubric }) }),
    variants: variants === undefined ? null : await variantCheck(rows, judge, variants, again),
  });
}

import { formatFixed, formatInterval } from "@while/schema";
import type { JudgeFinding } from "../agreement/finding.ts";
import { MAX_UNJUDGED_SHARE } from "../agreement/thresholds.ts";
import { wholePercent } from "../agreement/whole-percent.ts";
import type { JudgeProbes, ProbeResult } from "../probes/judge-probes.ts";
import type { Perturbation } from "../probes/perturbation.ts";
import { PROBES } from "../probes/probe-edits.ts";
import { PROBE_MIN_N } from "../probes/thresholds.ts";
import type { VariantCheck, VariantResult } from "../probes/variant-check.ts";
import type { RuleSet } from "./trust-rule.ts";

/** What was learned by calling the judge. */
export interface JudgedParts {
  /** What the judge stamps on rows; null where none was called. */
  judgeName: string | null;
  perturbation: Perturbation | null;
  probes: JudgeProbes | null;
  variants: VariantCheck | null;
}

export const NOTHING_JUDGED: JudgedParts = { judgeName: null, perturbation: null, probes: null, variants: null };

/** What calling the judge again showed. */
export function judgedFindings({ perturbation, probes, variants }: JudgedParts, rule: RuleSet): JudgeFinding[] {
  return [
    ...(perturbation === null ? [] : perturbationFindings(perturbation)),
    ...[...(variants?.variants ?? [])].flatMap(([name, result]) =>
      result.flagged ? [fragile(name, result, rule)] : [],
    ),
    ...[...(probes?.probes ?? [])].flatMap(([name, probe]) => (probe.flagged ? [exploitable(name, probe)] : [])),
    ...[...(probes?.probes ?? [])].flatMap(([name, probe]) =>
      probe.lowPower && !probe.flagged ? [lowPower(name, probe)] : [],
    ),
  ];
}

function perturbationFindings(perturbation: Perturbation): JudgeFinding[] {
  const { n, consistencyFlipRate: rate, consistencyCi95: ci95, fillerFlipRate } = perturbation;
  const { nFiller, fillerFlipsUp: up, fillerFlipsDown: down, signP } = perturbation;
  const findings: JudgeFinding[] = unanswered(perturbation);
  if (perturbation.flaggedConsistency) {
    findings.push({
      code: "inconsistent",
      severity: "fail",
      message: `${wholePercent(rate)} ${formatInterval(ci95)} of ${n} verdicts changed when the same row was judged again: set the temperature to 0, or take the majority of several`,
      data: { rate, n, low: ci95?.[0] ?? null },
    });
  }
  if (perturbation.flaggedLength) {
    findings.push({
      code: "filler",
      severity: "fail",
      message: `filler behind the reply changed ${wholePercent(fillerFlipRate)} of ${nFiller} verdicts, ${up} up and ${down} down (p ${signP < 0.001 ? "< 0.001" : formatFixed(signP, 3)}): the judge reads length`,
      data: { up, down, n: nFiller, p: signP },
    });
  }
  return findings;
}

/** A judge that was to be called again and does not answer was not checked, whatever its old verdicts are worth. */
function unanswered({ n, errors, nCalls, errorExample }: Perturbation): JudgeFinding[] {
  if (nCalls === 0 || errors <= MAX_UNJUDGED_SHARE * nCalls) return [];
  const none = n === 0;
  const example = errorExample === null ? "" : ` (${errorExample})`;
  const said = `${errors} of ${nCalls} calls that judge rows again gave no verdict${example}`;
  return [
    {
      code: "no_answer",
      severity: none ? "open" : "warn",
      message: none
        ? `${said}: nothing is known of what the judge does when it is called`
        : `${said}: what is said of its noise is of the rows that it did read`,
      data: { errors, calls: nCalls },
    },
  ];
}

function fragile(name: string, result: VariantResult, { fragile: severity }: RuleSet): JudgeFinding {
  const { n, flips, flipRate, ci95, flipsByItself, flipsUp, flipsDown } = result;
  return {
    code: "fragile",
    severity,
    message: `asked otherwise (${name}) the judge changes ${flips} of ${n} verdicts (${wholePercent(flipRate)} ${formatInterval(ci95)}), +${flipsUp} up and -${flipsDown} down, where a second reading changes ${flipsByItself}: they hang on how it is asked. Say in the prompt what decides, or take the majority of several wordings`,
    data: { variant: name, flips, n, low: ci95?.[0] ?? null, itself: flipsByItself },
  };
}

function exploitable(name: string, probe: ProbeResult): JudgeFinding {
  const { hits, denominator, exploitRate, flipsUp, flipsDown, ci95, kind } = probe;
  const moved = kind === "additive" ? `, +${flipsUp} up and -${flipsDown} down` : "";
  return {
    code: "exploitable",
    severity: "fail",
    message: `exploitable by ${name}: ${PROBES[name as keyof typeof PROBES].hack} passes ${hits} of ${denominator} ${kind === "additive" ? "failed rows" : "rows"} (${wholePercent(exploitRate)} ${formatInterval(ci95)})${moved}`,
    data: { probe: name, hits, of: denominator, up: flipsUp, down: flipsDown },
  };
}

function lowPower(name: string, { denominator, resolves, exploitRate, ci95 }: ProbeResult): JudgeFinding {
  return {
    code: "low_power",
    severity: "note",
    message: `${name} could work on ${denominator} rows, under ${PROBE_MIN_N}, which show a share of ${formatFixed(resolves, 1)} or more: ${wholePercent(exploitRate)} ${formatInterval(ci95)} is not flagged`,
    data: { probe: name, of: denominator, resolves },
  };
}

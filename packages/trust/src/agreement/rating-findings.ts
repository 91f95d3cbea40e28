import { formatFixed, formatInterval, formatSigned } from "@while/schema";
import { counted } from "../counted.ts";
import type { JudgeSeverity } from "./finding.ts";
import { goldFindings } from "./gold-findings.ts";
import type { RatingAgreement, RatingFinding, RatingFindingCode } from "./rating-report.ts";
import { LENGTH_GAP_FLAG, LENGTH_POOLED_FLAG, MAX_GOLD_ASK, MAX_SKIPPED_SHARE, MIN_GOLD } from "./thresholds.ts";

type Measured = Omit<RatingAgreement, "ok" | "status" | "findings" | "warnings">;

/** A judge whose marks are spread by less than this share of what people spread theirs. */
const COMPRESSED = 0.5;

/** What the report found, most serious first. */
export function ratingFindings(report: Measured): RatingFinding[] {
  if (report.n === 0) return [unmeasured(report)];
  return [
    ...goldFindings(report, ["rate", "marks"]),
    ...agreementFindings(report),
    ...lengthFindings(report),
    ...habits(report),
  ];
}

/** What they come to. */
export function ratingStatus(
  { n, trusted }: Pick<Measured, "n" | "trusted">,
  findings: readonly RatingFinding[],
): RatingAgreement["status"] {
  const has = (severity: JudgeSeverity) => findings.some((finding) => finding.severity === severity);
  if (n === 0) return "not_measured";
  if (has("fail")) return "fail";
  if (!trusted) return "not_measured";
  return has("open") ? "inconclusive" : "pass";
}

const finding = (code: RatingFindingCode, severity: JudgeSeverity, message: string): RatingFinding => ({
  ...{ code, severity, message },
});

function unmeasured({ nUnjudged, nTuned }: Measured): RatingFinding {
  const why =
    nUnjudged > 0
      ? `${counted(nUnjudged, "row")} with a gold mark and none with a reward: score them first, with the judge's scale`
      : nTuned > 0
        ? "every row with a gold mark is one that the judge was tuned on: rate others"
        : "no row has a gold mark: put them on with attachRatings (wai label --marks), 50 or more";
  return finding("unmeasured", "note", `unmeasured, not failed: ${why}`);
}

function agreementFindings(report: Measured): RatingFinding[] {
  const { n, nUnjudged, nTasks, concordance, concordanceCi95: ci95, minConcordance: floor, trusted } = report;
  const found: RatingFinding[] = [];
  const all = n + nUnjudged;
  if (nUnjudged > MAX_SKIPPED_SHARE * all) {
    const text = `${nUnjudged} of ${counted(all, "row")} with a gold mark have no reward: what is left is no sample of them`;
    found.push(finding("unjudged", "open", text));
  }
  if (n < MIN_GOLD) {
    found.push(
      finding("coarse_sample", "warn", `${counted(n, "mark")} are few: ${MIN_GOLD} to ${MAX_GOLD_ASK} are wanted`),
    );
  }
  if (!trusted) return found;
  if (concordance === null) {
    const text = "judge and gold hold one mark throughout: nothing shows that the judge could give another";
    return [...found, finding("one_mark", "open", text)];
  }
  if (ci95 === null) {
    return [
      ...found,
      finding("few_tasks", "open", `${counted(nTasks, "task")} have no interval: rate rows of more tasks`),
    ];
  }
  const value = `concordance ${formatFixed(concordance, 2)} ${formatInterval(ci95)}`;
  if (ci95[1] < floor) {
    const text = `${value} is under ${floor}: change the judge's prompt, its scale or its model`;
    found.push(finding("concordance_low", "fail", text));
  } else if (ci95[0] < floor) {
    const text = `${value} holds the floor of ${floor}: these marks cannot tell${moreMarks(report)}`;
    found.push(finding("concordance_unsure", "open", text));
  }
  return found;
}

/** How many would, at this concordance: the interval narrows with the root of their number. */
function moreMarks({ n, concordance, concordanceCi95, minConcordance }: Measured): string {
  const [own, low, floor] = [concordance!, concordanceCi95![0], minConcordance].map((x) => Math.atanh(Math.min(x, 1)));
  if (!(own! > floor!) || !Number.isFinite(own!) || !Number.isFinite(low!)) return "";
  const wanted = Math.ceil(n * ((own! - low!) / (own! - floor!)) ** 2);
  return `; if it is the judge's, about ${wanted} marks would`;
}

function lengthFindings({ length, scale: [low, high] }: Measured): RatingFinding[] {
  if (length === null || length.ci95 === null || (length.ci95[0] <= 0 && length.ci95[1] >= 0)) return [];
  const share = Math.abs(length.gap) / (high - low);
  if (share < LENGTH_POOLED_FLAG) return [];
  const text = `of replies that people rate alike the judge gives long ones ${formatSigned(length.gap, 2)} ${formatInterval(length.ci95, 2, { signed: true })} marks`;
  return [finding("length_bias", share >= LENGTH_GAP_FLAG ? "fail" : "warn", text)];
}

function habits({ bias, biasCi95, spreadRatio }: Measured): RatingFinding[] {
  const found: RatingFinding[] = [];
  if (bias !== null && biasCi95 !== null && (biasCi95[0] > 0 || biasCi95[1] < 0)) {
    const how = bias > 0 ? "more" : "fewer";
    const text = `the judge gives ${formatFixed(Math.abs(bias), 2)} marks ${how} than gold, ${formatInterval(biasCi95, 2, { signed: true })}`;
    found.push(finding("bias", "note", text));
  }
  if (spreadRatio !== null && spreadRatio < COMPRESSED) {
    const text = `the judge keeps to the middle: its marks are spread ${formatFixed(spreadRatio, 2)} times as far as gold, so good and bad work differ little in reward`;
    found.push(finding("compressed", "warn", text));
  }
  return found;
}

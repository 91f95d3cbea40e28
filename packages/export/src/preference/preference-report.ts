import type { Requirement } from "../formats/requirement.ts";
import type { ExportWarning } from "../report/export-report.ts";
import type { RoundtripReport } from "../roundtrip/roundtrip-check.ts";
import type { PairQuality } from "./pair-quality.ts";

/** What an export of pairs wrote, and what a preference trainer will learn from it. */
export interface PreferenceReport extends PairQuality {
  kind: "preference" | "reward-model";
  /** Pairs in the consumer's shape. */
  pairs: number;
  /** Pairs of the source: `pairs` and what was dropped. */
  pairsIn: number;
  format: string;
  /** null when nothing was written. */
  path: string | null;
  /** Of the file; null without one. */
  sha256: string | null;
  bytes: number | null;
  toolCallRoundtrip: RoundtripReport;
  tiesDropped: number;
  /** Pairs whose sides part nowhere, at once, or where one of them is not the agent's to say. */
  noCompletionDropped: number;
  /** With `point: "branch"`: pairs that do not say where they branch. */
  noBranchDropped?: number;
  /** Pairs that lost turns behind the one that is compared, and their share of `pairs`; null without pairs. */
  turnsCut: number;
  turnsCutShare: number | null;
  /** `turnsCut` under the names that the Python SDK's reports have for these formats. */
  trlTurnsCut?: number;
  fireworksTurnsCut?: number;
  /** Share of pairs whose better side is the longer one, to 3 decimals; null without pairs. */
  chosenLongerFrac: number | null;
  /** Pairs that begin with the same agent turn. */
  firstTurnIdentical: number;
  /** To 4 decimals, over pairs that have a margin; null without one. */
  meanMargin: number | null;
  /** Pairs whose sides are of two models. */
  mixedPolicies: number;
  /** Sides that quote their own privileged block; a chosen one is what the model is trained towards. */
  privilegedLeaks: { nChecked: number; chosen: number; rejected: number };
  /** Settings of the trainer without which the file trains something else. */
  requires: readonly Requirement[];
  /** A trainer that fails on this shape; null for a format of a trainer. */
  notFor: string | null;
  /** Fields that did not travel, by name, with the pairs that have them. */
  notCarried: Map<string, number>;
  /** Columns without one type over all pairs: moved into `metadata_json` where the format carries it. */
  unstable: string[];
  /** Turns of the shared part whose text had no place beside their call; there above 0. */
  textBesideCall?: number;
  /** The list of datasets beside the file, with an entry for it; of trainers that read one. */
  infoPath?: string;
  warnings: ExportWarning[];
}

/** Pairs of nearly the same turns are warned about from this share. */
const NEAR_SHARE = 0.2;

/** The better side is longer in so many pairs that length alone explains the preference. */
function isLengthConfounded(longer: number, pairs: number): boolean {
  return (pairs >= 8 && longer / pairs >= 0.75) || (pairs >= 3 && longer === pairs);
}

/** What to know before training on the pairs. */
export function preferenceWarnings(
  report: Omit<PreferenceReport, "warnings">,
  {
    longer,
    problems,
    nRefused,
    sides,
    unsafeIntegers,
    output,
  }: {
    longer: number;
    problems: readonly string[];
    nRefused: number;
    sides: "turn" | "whole";
    unsafeIntegers: number;
    output: string | null;
  },
): ExportWarning[] {
  const warnings: ExportWarning[] = [];
  const warn = (code: string, applies: boolean, text: string): void => {
    if (applies) warnings.push({ code, text });
  };
  const { pairs, privilegedLeaks: leaks, toolCallRoundtrip: calls, firstTurnIdentical, mixedPolicies, notFor } = report;
  warn(
    "privileged_leak",
    leaks.chosen + leaks.rejected > 0,
    `${leaks.chosen} chosen and ${leaks.rejected} rejected sides quote their own privileged block.`,
  );
  warn(
    "tool_call_roundtrip_invalid",
    calls.invalid > 0,
    `${calls.invalid} of ${calls.checked} tool calls do not read back as an object; they were exported because validate is off.`,
  );
  warn("consumer_refuses", nRefused > 0, `${report.format} would refuse ${nRefused} pairs: ${problems.join("; ")}.`);
  warn(
    "length_confound",
    isLengthConfounded(longer, pairs),
    `chosen is the longer reply in ${longer}/${pairs} pairs: a trainer can lower its loss by length alone. Match lengths when the pairs are built.`,
  );
  const { nearIdentical: near, blameGap } = report;
  warn(
    "likelihood_displacement",
    sides === "turn" && near !== null && near >= NEAR_SHARE * pairs && near > 0,
    `${near} of ${pairs} pairs compare two turns that are nearly the same: DPO then lowers the likelihood of both (arXiv:2402.13228, arXiv:2410.08847). Drop them, or pair turns that differ in what they do.`,
  );
  warn(
    "blame_gap",
    sides === "turn" && blameGap !== null && blameGap > 0,
    `${blameGap} of ${pairs} pairs part in how something is put, and what failed came later and was cut: re-run from the step that failed and pair there (point: "branch").`,
  );
  warn(
    "first_turns_identical",
    sides === "whole" && firstTurnIdentical > 0,
    `${firstTurnIdentical} of ${pairs} pairs begin with the same agent turn: a trainer that compares first turns drops them.`,
  );
  warn(
    "mixed_policies",
    mixedPolicies > 0,
    `${mixedPolicies} of ${pairs} pairs compare two models, so that the trainer also learns to tell them apart by style.`,
  );
  warn(
    "not_for",
    notFor !== null && output !== null && /trl|dpo/i.test(output),
    `${output} sounds like a file for a preference trainer, and ${report.format} pairs fail in ${notFor}: write them with format: "${notFor}".`,
  );
  warn(
    "schema_mismatch",
    calls.schemaMismatch > 0,
    `${calls.schemaMismatch} of ${calls.checked} tool calls do not fit the schemas beside them.`,
  );
  warn(
    "text_beside_call",
    report.textBesideCall !== undefined,
    `${report.textBesideCall} turns of the shared parts say something beside their call, which ${report.format} cannot hold: the text was dropped.`,
  );
  warn(
    "unsafe_integers",
    unsafeIntegers > 0,
    `${unsafeIntegers} integers of the file are too large for a double: text under an id, rounded elsewhere. Spell arguments as JSON text to keep their digits.`,
  );
  return warnings;
}

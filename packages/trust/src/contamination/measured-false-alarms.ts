import { isObject, type Row } from "@while/schema";
import { type FalseAlarmRate, type FalseAlarms, ratesOfFindings } from "./false-alarms.ts";
import type { RowFinding } from "./finding.ts";
import type { RowMatcher } from "./row-matcher.ts";
import type { SemanticMatcher } from "./semantic-matcher.ts";

/** Known negatives at the thresholds of a run: the evaluation against itself, and rows that are known to be clean. */
export async function measuredFalseAlarms(
  matcher: RowMatcher,
  semantic: SemanticMatcher | null,
  knownClean: readonly Row[] = [],
): Promise<FalseAlarms> {
  const rows = knownClean.filter((row) => isObject(row));
  const findings = foundIn(rows, matcher);
  await semantic?.match(rows, findings, { isSampled: false });
  const { evaluation, knownClean: clean } = measured(matcher, findings, semantic !== null);
  const meaning = semantic?.falseAlarms() ?? null;
  return { evaluation: meaning === null ? evaluation : withMeaning(evaluation ?? [], meaning), knownClean: clean };
}

/** The same without an embedder, and without waiting. */
export function measuredFalseAlarmsSync(matcher: RowMatcher, knownClean: readonly Row[] = []): FalseAlarms {
  const rows = knownClean.filter((row) => isObject(row));
  return measured(matcher, foundIn(rows, matcher), false);
}

function foundIn(rows: readonly Row[], matcher: RowMatcher): RowFinding[] {
  return rows.map((row, index) => matcher.match(row, index));
}

function measured(matcher: RowMatcher, findings: readonly RowFinding[], isSemantic: boolean): FalseAlarms {
  const asked = matcher.rulesAsked();
  const lists = asked.includes("related") ? (["related"] as const) : [];
  const drops = asked.filter((rule) => rule !== "related");
  const rules = [
    ...(["same_task", "exact"] as const),
    ...drops,
    ...(isSemantic ? (["semantic"] as const) : []),
    ...lists,
  ];
  return { evaluation: matcher.falseAlarms(), knownClean: ratesOfFindings(findings, rules) };
}

/** In the order of the rules: by meaning after what is by words, and before what is only listed. */
function withMeaning(rates: readonly FalseAlarmRate[], meaning: FalseAlarmRate): FalseAlarmRate[] {
  return [
    ...rates.filter(({ rule }) => rule !== "related"),
    meaning,
    ...rates.filter(({ rule }) => rule === "related"),
  ];
}

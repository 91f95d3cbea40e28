import { checkOptions, cutCodePoints, type Row } from "@while/schema";
import { languageOf } from "../markers/language-of.ts";
import { checkMarkerRules, type MarkerRules } from "../markers/marker-rules.ts";
import type { KindOverrides } from "../trajectory/step-kind.ts";
import { readTrajectory } from "../trajectory/trajectory.ts";
import { TrustError } from "../trust-error.ts";
import { compatFlags } from "./compat-flags.ts";
import { type FlagHit, SEVERITIES, type Severity } from "./flag.ts";
import { FLAGS } from "./flag-table.ts";
import { masked } from "./risk-secrets.ts";

/** Longest evidence, in code points. */
const EVIDENCE_CHARS = 200;

export interface TraceFlagOptions {
  /** Kinds of the caller's own tools, by name. */
  kinds?: KindOverrides | undefined;
  rules?: MarkerRules | undefined;
  /** The least severity that goes on the row and lowers a marker. */
  minSeverity?: Severity | undefined;
}

/** Everything that fired on one rollout, and whether its words and calls could be read. */
export interface TraceHits {
  /** By flag, in the order of `FLAGS`, of any severity. */
  hits: Map<string, FlagHit[]>;
  /** Calls happened that could not be read. */
  unreadable: boolean;
  /** The reply is in a language for which there are no phrases, so that no lie can be seen. */
  otherLanguage: boolean;
  /** Texts that were cut before they were searched. */
  nCut: number;
}

/** Code is in no language. */
const FENCED = /```[\s\S]*?(?:```|$)/g;

const OPTIONS = ["kinds", "rules", "minSeverity"];

/** Every hit of every flag, for reports and for reading. */
export function traceHits(row: Row, { kinds, rules = "v2" }: TraceFlagOptions = {}): TraceHits {
  if (rules === "v1") {
    const hits = new Map(Array.from(compatFlags(row, { kinds }), ([flag, found]) => [flag, found.map(shown)]));
    return { hits, unreadable: false, otherLanguage: false, nCut: 0 };
  }
  const trajectory = readTrajectory(row, { kinds });
  const otherLanguage = languageOf(trajectory.reply.replace(FENCED, "")) !== "en";
  const hits = new Map<string, FlagHit[]>();
  for (const { name, family, check } of FLAGS) {
    if (family === "lie" && otherLanguage) continue;
    const found = Array.from(check(trajectory), shown);
    if (found.length > 0) hits.set(name, found);
  }
  return { hits, unreadable: trajectory.unreadable, otherLanguage, nCut: trajectory.nCut };
}

/**
 * The flags of one rollout with the fragment that raised each, cut to 200 characters, keys masked.
 *
 * @returns By flag name; {} when clean
 * @throws TrustError `bad_option`
 */
export function traceFlags(row: Row, options: TraceFlagOptions = {}): Record<string, string> {
  const { minSeverity } = checkTraceOptions(options);
  return evidenceOf(traceHits(row, options), minSeverity);
}

/** One fragment a flag, the first of at least this severity. */
export function evidenceOf({ hits }: TraceHits, minSeverity: Severity): Record<string, string> {
  const flags: Record<string, string> = {};
  for (const [flag, found] of hits) {
    const hit = found.find(({ severity }) => isAtLeast(severity, minSeverity));
    if (hit !== undefined) flags[flag] = hit.evidence;
  }
  return flags;
}

/** @throws TrustError `bad_option` for an unknown option, rule set or severity */
export function checkTraceOptions(
  options: TraceFlagOptions,
  more: readonly string[] = [],
): { rules: MarkerRules; minSeverity: Severity } {
  checkOptions(options, [...OPTIONS, ...more], (what, fix) => new TrustError("bad_option", what, fix));
  const { rules = "v2", minSeverity = "medium" } = options;
  checkMarkerRules(rules);
  if (!SEVERITIES.includes(minSeverity)) {
    throw new TrustError(
      "bad_option",
      `There is no severity "${minSeverity}".`,
      `Give one of ${SEVERITIES.join(", ")}.`,
    );
  }
  return { rules, minSeverity };
}

/** low, medium, high */
export function isAtLeast(severity: Severity, floor: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(floor);
}

function shown({ evidence, step, severity }: FlagHit): FlagHit {
  return { evidence: cutCodePoints(masked(evidence), EVIDENCE_CHARS), step, severity };
}

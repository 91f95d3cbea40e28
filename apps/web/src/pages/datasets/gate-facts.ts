import { number, percent, points, whole } from "../../numbers.ts";
import { listIn, numberIn, objectIn, textIn, type WireObject } from "../../wire-values.ts";

/** What the gate counted of one thing, whether it minds it or not. */
export interface GateFact {
  name: string;
  says: string;
  /** Texts of the set that show it; empty where there is nothing to show. */
  examples: { a: string; b: string; alike: number }[];
}

/** Everything that a gate report counts, in the order in which one doubts a set: its signal first. */
export function gateFacts(report: WireObject): GateFact[] {
  return [
    signalFact(objectIn(report, "signal")),
    stampedFact(objectIn(report, "calibration")),
    duplicatesFact(objectIn(report, "duplicates")),
    nearFact(objectIn(report, "near_duplicate_prompts")),
    lengthFact(objectIn(report, "length")),
    correlationFact(objectIn(report, "correlations")),
    leakFact(objectIn(report, "privileged_leaks")),
  ].filter((fact) => fact !== null);
}

const fact = (name: string, says: string, examples: GateFact["examples"] = []): GateFact => ({ name, says, examples });
const count = (object: WireObject, key: string): number => numberIn(object, key) ?? 0;

function signalFact(signal: WireObject | null): GateFact | null {
  if (signal === null) return null;
  const groups = count(signal, "n_groups");
  if (groups === 0) return fact("signal", "No task has a graded row.");
  const rate = numberIn(signal, "mixed_rate");
  const parts = [
    `${whole(count(signal, "n_mixed"))} of ${whole(groups)} tasks are mixed${rate === null ? "" : `, ${percent(rate)} of those that repeat`}`,
    `${whole(count(signal, "n_in_band"))} of them in the band`,
    `${whole(count(signal, "n_all_zero"))} never pass, ${whole(count(signal, "n_all_one"))} always`,
  ];
  const k = numberIn(signal, "k");
  const [every, any, headroom] = ["pass_pow_k", "pass_at_k", "headroom"].map((key) => numberIn(signal, key));
  if (k !== null && k > 1 && every != null && any != null) {
    parts.push(`pass^${k} ${percent(every)}, pass@${k} ${percent(any)}`);
    if (headroom != null) parts.push(`headroom ${points(100 * headroom)} points`);
  }
  return fact("signal", `${parts.join("; ")}.`);
}

function stampedFact(calibration: WireObject | null): GateFact | null {
  if (calibration === null) return null;
  const rows = count(calibration, "n_rows");
  return fact(
    "difficulty",
    `${whole(count(calibration, "n_stamped"))} of ${whole(rows)} rows are stamped with the pass rate of their task.`,
  );
}

function duplicatesFact(duplicates: WireObject | null): GateFact | null {
  if (duplicates === null) return null;
  const dropped = count(duplicates, "n_dropped");
  if (dropped === 0) return fact("duplicates", "No rollout is there twice.");
  const conflicts = count(duplicates, "conflicting_rewards");
  const rate = numberIn(duplicates, "duplicate_rate");
  const noise = conflicts === 0 ? "none with another reward" : `${whole(conflicts)} with another reward: judge noise`;
  return fact(
    "duplicates",
    `${whole(dropped)} rows repeat an earlier one${rate === null ? "" : `, ${percent(rate)}`}, in ${whole(count(duplicates, "groups_affected"))} prompts; ${noise}.`,
  );
}

function nearFact(near: WireObject | null): GateFact | null {
  if (near === null) return null;
  const prompts = whole(count(near, "n_prompts"));
  const threshold = percent(numberIn(near, "threshold") ?? 0);
  const pairs = count(near, "n_pairs");
  if (pairs === 0) return fact("near duplicates", `No two of ${prompts} prompts share ${threshold} of their words.`);
  const examples = listIn(near, "examples").flatMap((example) => {
    const read = example as WireObject;
    const [a, b, alike] = [textIn(read, "a"), textIn(read, "b"), numberIn(read, "jaccard")];
    return a === null || b === null || alike === null ? [] : [{ a, b, alike }];
  });
  const says = `${whole(pairs)} pairs among ${whole(count(near, "n_prompts_involved"))} of ${prompts} prompts share ${threshold} of their words or more.`;
  return fact("near duplicates", says, examples);
}

function lengthFact(length: WireObject | null): GateFact | null {
  if (length === null) return null;
  const cut = count(length, "n_truncated");
  const wide = count(length, "n_groups_wide_spread");
  const spread = numberIn(length, "max_spread");
  const groups = whole(count(length, "n_groups_multi"));
  return fact(
    "length",
    `Half of the replies are under ${whole(count(length, "median_chars"))} characters, the longest has ${whole(count(length, "max_chars"))}; ${cut === 0 ? "none is" : `${whole(cut)} are`} cut. In ${whole(wide)} of ${groups} prompts the longest is over ${spread === null ? "a multiple of" : `${number(spread)} times`} the median.`,
  );
}

function correlationFact(report: WireObject | null): GateFact | null {
  const found = report === null ? null : objectIn(report, "correlations");
  if (report === null || found === null) return null;
  const read = Object.entries(found).flatMap(([name, r]) => (typeof r === "number" ? [{ name, r }] : []));
  read.sort((a, b) => Math.abs(b.r) - Math.abs(a.r) || (a.name < b.name ? -1 : 1));
  const signed = (r: number): string => `${r < 0 ? "\u2212" : "+"}${Math.abs(r).toFixed(2)}`;
  const moves =
    read.length === 0
      ? "Nothing that was counted varies with the reward."
      : `Over all graded rows the reward moves with ${read.map(({ name, r }) => `${name} ${signed(r)}`).join(", ")}.`;
  const unread = listIn(report, "not_read").filter((name) => typeof name === "string");
  return fact(
    "reward moves with",
    unread.length === 0 ? moves : `${moves} Not stamped on the rows: ${unread.join(", ")}.`,
  );
}

function leakFact(leaks: WireObject | null): GateFact | null {
  if (leaks === null) return null;
  const checked = count(leaks, "n_checked");
  const leaked = count(leaks, "n_leaked");
  return fact(
    "privileged text",
    checked === 0
      ? "No row has a privileged block."
      : `${whole(leaked)} of ${whole(checked)} rows with a privileged block quote it.`,
  );
}

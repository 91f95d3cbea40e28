import type { Dataset } from "@while/platform-client/contract";
import { counted, date, whole } from "../../numbers.ts";
import type { GateReading } from "./gate-reading.ts";
import type { ScanReading } from "./scan-reading.ts";

/** Why a set cannot be read yet; null where it can. */
function notReady({ status, createdAt }: Pick<Dataset, "status" | "createdAt">): string | null {
  switch (status) {
    case "ready":
      return null;
    case "uploading":
      return `Its upload began on ${date(createdAt)} and was not finished. Push it again: a push that broke goes on where it ended.`;
    case "failed":
      return "Its rows could not be read. Push them again.";
    default:
      return "Its rows are being read. This takes seconds for most sets.";
  }
}

/** Does its state change by itself: is it being read, or is the gate at it? */
export function isBeingRead({ status, gateState }: Pick<Dataset, "status" | "gateState">): boolean {
  return status === "processing" || status === "importing" || gateState === "pending";
}

/** How many sets of each purpose there are: "5 train", the most first. */
export function purposeCounts(sets: readonly Pick<Dataset, "purpose">[]): string[] {
  const counts = new Map<string, number>();
  for (const { purpose } of sets) counts.set(purpose, (counts.get(purpose) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([purpose, n]) => `${whole(n)} ${purpose}`);
}

/** The lead over the list: what is not finished and what the gate minds, else how much there is. */
export function listLead(sets: readonly Dataset[]): string {
  const broken = sets.filter(({ status }) => status === "uploading" || status === "failed").length;
  const read = sets.filter(({ warnings }) => typeof warnings === "number");
  const warned = read.filter(({ warnings }) => warnings! > 0).length;
  const sentences = broken > 0 ? [`${counted(broken, "set did", "sets did")} not arrive whole.`] : [];
  if (read.length > 0) {
    sentences.push(
      warned > 0
        ? `The gate minds something in ${warned} of the ${counted(read.length, "set")} that it read.`
        : `The gate minds nothing in ${counted(read.length, "set")} that it read.`,
    );
  }
  if (sentences.length > 0) return sentences.join(" ");
  const rows = sets.reduce((sum, { rows }) => sum + (rows ?? 0), 0);
  return `${counted(sets.length, "set")} with ${counted(rows, "row")}.`;
}

/** The one sentence over a set: may it be trained on, or measured on, and what is to be minded. */
export function setLead(
  set: Pick<Dataset, "name" | "purpose" | "status" | "createdAt" | "rows">,
  gate: GateReading | null,
  scan: ScanReading | null,
): string {
  const waiting = notReady(set);
  if (waiting !== null) return waiting;
  if (set.rows === 0) return "It holds no row.";
  if (gate === null || gate.state === "not run") return `The gate has not judged this set.`;
  if (gate.state === "refused") return "The gate refuses this set. Nothing should be trained on it.";
  const use = { holdout: "be measured on", eval: "be measured on", train: "be trained on", raw: "be read" }[
    set.purpose
  ];
  const hack = scan?.regime === "reward_hack" ? " Its reward also pays for what was not endorsed." : "";
  const minded = gate.warnings === 0 ? "" : `, with ${counted(gate.warnings, "warning")}`;
  return `It may ${use}${minded}.${hack}`;
}

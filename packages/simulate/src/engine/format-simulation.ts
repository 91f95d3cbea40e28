import { formatFixed, formatPercent, roundHalfEven } from "@while/schema";
import type { SimulationReport } from "./simulation-report.ts";

/** A report as text: what came back of what was asked for, then what was lost, then what it was made of. */
export function formatSimulation(report: SimulationReport): string {
  const { rolloutsCompleted, rolloutsRequested, nTasks, runs, stoppedBecause, agent } = report;
  const of = rolloutsRequested === null ? "" : ` of ${rolloutsRequested}`;
  const overRuns = runs > 1 ? `, ${runs} runs` : "";
  const lines = [
    `${rolloutsCompleted}${of} rollouts of ${agent} on ${counted(nTasks, "task")}${overRuns} (${stoppedBecause})`,
  ];
  const add = (name: string, text: string): void => {
    lines.push(`  ${name.padEnd(11)}${text}`);
  };
  add(
    "drawn",
    `${report.phrasingsPerSituation} phrasings × ${report.rolloutsPerPrompt} rollouts${report.repeatPolicy === "none" ? "" : `, ${report.repeatPolicy}`}; mode ${report.mode}, seed ${report.seed}; words by ${report.writerModel ?? "nobody"}`,
  );
  if (runs > 1) add("runs", report.perRun.map(({ rows }) => rows).join(", "));
  const { delivered, coverage } = report;
  if (delivered.rows > 0) {
    add("tiers", mix(delivered.tierMix));
    add("faults", `planned on ${percent(delivered.faultShare)} of rows`);
  }
  if (coverage.fraction !== null) {
    add("grid", `${coverage.pairsCovered} of ${coverage.pairsPlanned} planned pairs (${percent(coverage.fraction)})`);
  }
  if (report.tools.size > 0) {
    add("tools", [...report.tools].map(([name, { n, ok }]) => `${name} ${ok}/${n}`).join(", "));
  }
  const { groups, allocator, search } = report;
  if (search !== null) {
    const last = search.curve.at(-1);
    add(
      "search",
      `${counted(search.rounds, "round")}: ${counted(search.nCells, "situation")}, ${counted(search.nSignatures, "behaviour")}, ${counted(search.nShapes, "sequence")} of tools; ${last === undefined ? "nothing" : formatFixed(last.freshRate, 2)} new for a row at the end`,
    );
    add("arms", mix(search.armRows));
  }
  if (allocator !== null) {
    const { explore, expand, verify } = allocator;
    add("adaptive", `${explore} of new situations, ${expand} in other words, ${verify} again`);
  }
  if (groups !== null) {
    add(
      "groups",
      `${groups.mixed} mixed, ${groups.stoppedUnanimous} agreed and left, ${groups.rolloutsSaved} rollouts saved`,
    );
  }
  const { grading } = report;
  if (grading !== null) {
    const { passes, failures, partials, unjudged } = grading;
    const between = partials > 0 ? `, ${partials} between` : "";
    const without = unjudged > 0 ? `, ${unjudged} without a verdict` : "";
    add("graded", `${passes} passed and ${failures} failed by ${report.grader}${between}${without}`);
  }
  if (report.rolloutsResumed > 0) add("resumed", `${report.rolloutsResumed} rows were there before`);
  if (report.rolloutsLost > 0)
    add("lost", `${report.rolloutsLost} (${mix(report.rolloutsLostBy)}), ${report.rolloutsRetried} tries more`);
  for (const { role, model, calls, replayedCalls, inputTokens, outputTokens } of report.usage) {
    const replayed = replayedCalls > 0 ? ` (${replayedCalls} by the cache)` : "";
    add("used", `${role} ${model}: ${calls} calls${replayed}, ${inputTokens} tokens in, ${outputTokens} out`);
  }
  if (report.costUsd !== null) add("cost", `${report.costUsd} USD`);
  else if (report.usage.length > 0) add("cost", `not known: ${report.costReason}`);
  if (report.spentBefore !== null) {
    const { usd, tokens } = report.spentBefore;
    add("before", `${tokens} tokens, ${usd === null ? "at no known price" : `${roundHalfEven(usd, 6)} USD`}`);
  }
  for (const { model, callsAtOnce, retriedBy } of report.endpoints) {
    const retried = Object.keys(retriedBy).length > 0 ? `, tried again: ${mix(retriedBy)}` : "";
    add("endpoint", `${model}: ${callsAtOnce} calls at once${retried}`);
  }
  if (report.warnings.length > 0) lines.push("warnings", ...report.warnings.map((warning) => `  - ${warning}`));
  return lines.join("\n");
}

function percent(share: number | null): string {
  return share === null ? "not measured" : formatPercent(share);
}

function mix(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, n]) => `${name} ${n}`)
    .join(", ");
}

function counted(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
}

import type { Verdict } from "@while/platform-client/contract";
import { formatVerdict } from "@while/platform-client/rules";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { choice } from "../../flag-values.ts";
import { platformVerb, printReport } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

interface VerdictFlags {
  behavior?: string;
  version?: string;
  require?: "beats";
}

/** Kinds that claim nothing either way. */
const UNTOLD: ReadonlySet<string> = new Set([
  "serving_only",
  "no_score",
  "same_version",
  "no_interval",
  "not_comparable",
]);

/** Whether the candidate may be claimed to beat what serves. A claim with a gap is none yet. */
export function verdictExit({ kind, gaps }: Pick<Verdict, "kind" | "gaps">): ExitCode {
  if (UNTOLD.has(kind)) return EXIT.cannotTell;
  if (kind === "beats") return gaps.length === 0 ? EXIT.holds : EXIT.cannotTell;
  return EXIT.doesNotHold;
}

export const verdictVerb: Verb<VerdictFlags> = platformVerb<VerdictFlags>({
  name: "verdict",
  summary: "does the newest version beat what serves?",
  names: { usage: "AGENT", least: 1, most: 1 },
  flags: [
    { spec: "--behavior <name>", about: "on which one (what the newest run claims)" },
    { spec: "--version <name>", about: "instead of the newest" },
    choice("--require <what>", ["beats"], "the exit code says whether it holds"),
  ],
  examples: [
    { line: "wai verdict refund-bot", about: "the line before Promote" },
    { line: "wai verdict refund-bot --require beats", about: "as a gate in CI" },
  ],
  exits: [
    [EXIT.holds, "the platform answered; with --require, it beats and nothing is missing"],
    [EXIT.doesNotHold, "refused or no answer; with --require, it does not beat"],
    [EXIT.cannotTell, "with --require: no score, no interval, unproven, not comparable"],
    [EXIT.failed, "the command line is wrong; with --require, the call failed"],
  ],
  async run(call, client) {
    const { behavior, version, require } = call.flags;
    const tracked = await client.track(call.names[0] as string, { register: false });
    const verdict = await tracked.verdict(behavior, version === undefined ? {} : { version });
    printReport(call, verdict, formatVerdict(verdict));
    return require === undefined ? EXIT.holds : verdictExit(verdict);
  },
});

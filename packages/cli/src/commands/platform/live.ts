import { CliError } from "../../cli-error.ts";
import { EXIT } from "../../exit-code.ts";
import { positive, zeroOrMore } from "../../flag-values.ts";
import { platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

interface LiveFlags {
  day?: string;
  version?: string;
  replies?: number;
  flagged?: number;
  p50?: number;
  cost?: number;
}

export const liveVerb: Verb<LiveFlags> = platformVerb<LiveFlags>({
  name: "live",
  summary: "reports a day of traffic of one version",
  names: { usage: "AGENT", least: 1, most: 1 },
  flags: [
    { spec: "--day <date>", about: "YYYY-MM-DD" },
    { spec: "--version <name>", about: "what answered" },
    { spec: "--replies <n>", about: "how many", read: zeroOrMore },
    { spec: "--flagged <n>", about: "of those, complained of (0)", read: zeroOrMore },
    { spec: "--p50 <seconds>", about: "median time of a reply", read: positive },
    { spec: "--cost <usd>", about: "of the day", read: positive },
  ],
  examples: [
    { line: "wai live refund-bot --day 2026-09-17 --version v3 --replies 2400 --flagged 98", about: "a day" },
    {
      line: "wai live refund-bot --day 2026-09-17 --version v3 --replies 2400 --cost 1.7",
      about: "the day again, corrected",
    },
  ],
  async run(call, client) {
    const { day, version, replies, flagged = 0, p50, cost } = call.flags;
    if (day === undefined || version === undefined || replies === undefined) {
      throw new CliError(
        "bad_arguments",
        "wai live wants a day, a version and its replies.",
        "Give --day DATE --version NAME --replies N.",
      );
    }
    const tracked = await client.track(call.names[0] as string, { register: false });
    const answer = await tracked.live(day, {
      version,
      replies,
      flagged,
      ...(p50 === undefined ? {} : { p50s: p50 }),
      ...(cost === undefined ? {} : { costUsd: cost }),
    });
    printAnswer(call, answer, `${day}: ${replies} replies of ${version}, ${flagged} flagged`);
    return EXIT.holds;
  },
});

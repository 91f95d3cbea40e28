import { EXIT } from "../../exit-code.ts";
import { aligned, dayOf, platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

interface RunsFlags {
  archived?: boolean;
}

export const runsVerb: Verb<RunsFlags> = platformVerb<RunsFlags>({
  name: "runs",
  summary: "the runs of an agent, newest first",
  names: { usage: "AGENT", least: 1, most: 1 },
  flags: [{ spec: "--archived", about: "those that were archived too" }],
  examples: [
    { line: "wai runs refund-bot", about: "version, method, status, what it claims" },
    { line: "wai runs refund-bot --archived --json", about: "all of them, as the platform has them" },
  ],
  async run(call, client) {
    const tracked = await client.track(call.names[0] as string, { register: false });
    const runs = await tracked.runs({ archived: call.flags.archived === true });
    const rows = runs.map(({ id, version, method, status, archived, targets, createdAt }) => [
      version,
      method ?? "-",
      archived ? "archived" : status,
      targets.join(",") || "-",
      dayOf(createdAt),
      id,
    ]);
    printAnswer(call, { runs }, rows.length === 0 ? "no runs yet" : aligned(rows));
    return EXIT.holds;
  },
});

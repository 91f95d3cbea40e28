import { EXIT } from "../../exit-code.ts";
import { platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

interface ArchiveFlags {
  undo?: boolean;
}

export const archiveVerb: Verb<ArchiveFlags> = platformVerb<ArchiveFlags>({
  name: "archive",
  summary: "takes a run out of plots and verdicts; its data stays",
  names: { usage: "AGENT RUN", least: 2, most: 2 },
  flags: [{ spec: "--undo", about: "brings it back" }],
  examples: [
    { line: "wai archive refund-bot run_abcdefghij", about: "a run that was a mistake" },
    { line: "wai archive refund-bot run_abcdefghij --undo", about: "and was none" },
  ],
  async run(call, client) {
    const [agent, run] = call.names as [string, string];
    const tracked = await client.track(agent, { register: false });
    const answer = await tracked.archive(run, { archived: call.flags.undo !== true });
    printAnswer(call, answer, `${answer.id} (${answer.version}) ${answer.archived ? "is archived" : "is back"}`);
    return EXIT.holds;
  },
});

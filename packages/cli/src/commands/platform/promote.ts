import { EXIT } from "../../exit-code.ts";
import { platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

interface PromoteFlags {
  reason?: string;
}

export const promoteVerb: Verb<PromoteFlags> = platformVerb<PromoteFlags>({
  name: "promote",
  summary: "a person's decision: this version serves from now on",
  names: { usage: "AGENT VERSION", least: 2, most: 2 },
  flags: [{ spec: "--reason <text>", about: "why, where the verdict alone does not say it" }],
  examples: [
    { line: "wai promote refund-bot v4", about: "what served before is kept in the list of promotions" },
    { line: 'wai promote refund-bot v3 --reason "v4 refuses too often"', about: "and back" },
  ],
  async run(call, client) {
    const [agent, version] = call.names as [string, string];
    const tracked = await client.track(agent, { register: false });
    const { reason } = call.flags;
    const answer = await tracked.promote(version, reason === undefined ? {} : { reason });
    const before = answer.previous == null ? "nothing served before" : `${answer.previous} served before`;
    printAnswer(call, answer, `${answer.serving} serves; ${before}`);
    return EXIT.holds;
  },
});

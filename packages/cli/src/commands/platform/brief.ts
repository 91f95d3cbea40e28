import { formatBrief, formatBriefMarkdown } from "@while/platform-client/rules";
import { EXIT } from "../../exit-code.ts";
import { platformVerb, printReport } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

interface BriefFlags {
  behavior?: string;
  md?: boolean;
}

export const briefVerb: Verb<BriefFlags> = platformVerb<BriefFlags>({
  name: "brief",
  summary: "what happened, what it means, what to do next",
  names: { usage: "AGENT", least: 1, most: 1 },
  flags: [
    { spec: "--behavior <name>", about: "the one that is looked at" },
    { spec: "--md", about: "as markdown, to hand to an agent" },
  ],
  examples: [
    { line: "wai brief refund-bot", about: "in sentences" },
    { line: "wai brief refund-bot --md", about: "what the page copies for an agent" },
  ],
  async run(call, client) {
    const tracked = await client.track(call.names[0] as string, { register: false });
    const brief = await tracked.brief(call.flags.behavior);
    printReport(call, brief, call.flags.md === true ? formatBriefMarkdown(brief) : formatBrief(brief));
    return EXIT.holds;
  },
});

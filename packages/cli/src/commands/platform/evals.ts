import { formatEvalHealth } from "@while/platform-client/rules";
import { EXIT } from "../../exit-code.ts";
import { platformVerb, printReport } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

export const evalsVerb: Verb = platformVerb({
  name: "evals",
  summary: "can each behavior's test prove a gain? eight checks",
  names: { usage: "AGENT", least: 1, most: 1 },
  examples: [
    { line: "wai evals refund-bot", about: "what fails, and the call that mends it" },
    { line: "wai evals refund-bot --json", about: "with rules and sources" },
  ],
  async run(call, client) {
    const tracked = await client.track(call.names[0] as string, { register: false });
    const evals = await tracked.evals();
    printReport(
      call,
      evals,
      evals.length === 0 ? "no behavior declared yet" : evals.map(formatEvalHealth).join("\n\n"),
    );
    return EXIT.holds;
  },
});

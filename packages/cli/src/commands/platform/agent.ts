import { formatVerdict } from "@while/platform-client/rules";
import { EXIT } from "../../exit-code.ts";
import { agentReport } from "../../platform/agent-report.ts";
import { aligned, platformVerb, printReport } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

export const agentVerb: Verb = platformVerb({
  name: "agent",
  summary: "one agent: its behaviors, and the verdict on each",
  names: { usage: "AGENT", least: 1, most: 1 },
  examples: [
    { line: "wai agent refund-bot", about: "behaviors with test and n, and the verdict" },
    { line: "wai agent refund-bot --json", about: "the same as one document" },
  ],
  async run(call, client) {
    const tracked = await client.track(call.names[0] as string, { register: false });
    const [dashboard, behaviors] = await Promise.all([tracked.dashboard(), tracked.behaviors()]);
    const { agent, verdict } = dashboard;
    const rows = behaviors.map(({ name, testVersion, n }) => [
      `  ${name}`,
      testVersion ?? "unnamed test",
      n == null ? "n not declared" : `n=${n}`,
    ]);
    const head = `${agent.id}: ${agent.model ?? "no model named"}, ${agent.serving == null ? "nothing serves" : `${agent.serving} serves`}`;
    printReport(
      call,
      { agent: agentReport(agent), behaviors, verdict },
      [head, ...(rows.length === 0 ? ["  no behavior declared"] : [aligned(rows)]), formatVerdict(verdict)].join("\n"),
    );
    return EXIT.holds;
  },
});

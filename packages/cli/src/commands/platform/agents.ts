import { EXIT } from "../../exit-code.ts";
import { agentReport } from "../../platform/agent-report.ts";
import { aligned, platformVerb, printReport } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

export const agentsVerb: Verb = platformVerb({
  name: "agents",
  summary: "the agents of the account",
  examples: [
    { line: "wai agents", about: "id, model, what serves, runs, the verdict in a word" },
    { line: "wai agents --json", about: "with harness, frontier and counts" },
  ],
  async run(call, client) {
    const agents = await client.agents();
    const rows = agents.map(({ id, model, serving, runs, verdict }) => [
      id,
      model ?? "-",
      serving ?? "nothing serves",
      `${runs} runs`,
      verdict == null ? "-" : `${verdict.unproven ? "unproven: " : ""}${verdict.kind.replaceAll("_", " ")}`,
    ]);
    const none = "no agents yet: client.track(name), or a trace with gen_ai.agent.name";
    printReport(call, agents.map(agentReport), rows.length === 0 ? none : aligned(rows));
    return EXIT.holds;
  },
});

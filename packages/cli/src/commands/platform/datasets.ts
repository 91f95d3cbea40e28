import { EXIT } from "../../exit-code.ts";
import { aligned, dayOf, platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

interface DatasetsFlags {
  agent?: string;
}

export const datasetsVerb: Verb<DatasetsFlags> = platformVerb<DatasetsFlags>({
  name: "datasets",
  summary: "the sets of the account, newest first",
  flags: [{ spec: "--agent <name>", about: "of one agent" }],
  examples: [
    { line: "wai datasets", about: "id, purpose, rows, tasks, agent, name" },
    { line: "wai datasets --agent refund-bot --json", about: "all that is known of them" },
  ],
  async run(call, client) {
    const { agent } = call.flags;
    const answer = await client.datasets(agent === undefined ? {} : { agent });
    const rows = answer.datasets.map(({ datasetId, purpose, status, rows: n, tasks, agent: of, name, createdAt }) => {
      const count = status === "ready" ? `${n ?? "?"} rows` : status;
      return [datasetId, purpose, count, tasks === null ? "" : `${tasks} tasks`, dayOf(createdAt), of ?? "-", name];
    });
    printAnswer(call, answer, rows.length === 0 ? "no sets yet: wai push FILE" : aligned(rows));
    return EXIT.holds;
  },
});

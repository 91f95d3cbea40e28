import { missingOf } from "@while/platform-client/rules";
import { EXIT } from "../../exit-code.ts";
import { platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

export const openVerb: Verb = platformVerb({
  name: "open",
  summary: "one run: its scores, and what it still lacks",
  names: { usage: "RUN", least: 1, most: 1 },
  examples: [
    { line: "wai open run_abcdefghij", about: "what is missing, and the body that mends it" },
    { line: "wai open run_abcdefghij --json", about: "with its points" },
  ],
  async run(call, client) {
    const run = await client.getRun(call.names[0] as string);
    const missing = missingOf(run);
    const scores = run.evals.map(({ behavior, score, ci, n }) => {
      return `  ${behavior} ${score}${ci == null ? "" : ` ± ${ci}`}${n == null ? "" : ` on ${n}`}`;
    });
    const lacks =
      missing.items.length === 0
        ? ["nothing is missing"]
        : [
            "missing",
            ...missing.items.map(({ say }) => `  ${say}`),
            ...(missing.body === null ? [] : [`PATCH /runs/${run.id} ${JSON.stringify(missing.body)}`]),
            ...(missing.scoreCall === null ? [] : [missing.scoreCall]),
          ];
    const head = `${run.version} (${run.id}) of ${run.agent ?? "no agent"}: ${run.archived ? "archived" : run.status}`;
    printAnswer(call, { ...run, missing }, [head, ...scores, ...lacks].join("\n"));
    return EXIT.holds;
  },
});

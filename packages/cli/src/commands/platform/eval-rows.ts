import { CliError } from "../../cli-error.ts";
import { EXIT } from "../../exit-code.ts";
import { platformVerb } from "../../platform/platform-verb.ts";
import { terminalSafe } from "../../terminal-safe.ts";
import type { Verb } from "../../verb.ts";

interface EvalRowsFlags {
  failed?: boolean;
}

/** Characters of a text that a line of the list shows. */
const SHOWN = 100;
const short = (text: string | null | undefined) => {
  const line = (text ?? "").replace(/\s+/g, " ").trim();
  return [...line].length > SHOWN ? `${[...line].slice(0, SHOWN).join("")}…` : line;
};

export const evalRowsVerb: Verb<EvalRowsFlags> = platformVerb<EvalRowsFlags>({
  name: "eval-rows",
  summary: "the graded rows behind a score",
  names: { usage: "RUN BEHAVIOR", least: 2, most: 2 },
  flags: [{ spec: "--failed", about: "those that did not pass" }],
  examples: [
    { line: "wai eval-rows run_abcdefghij refunds --failed", about: "what went wrong, in a line each" },
    { line: "wai eval-rows run_abcdefghij refunds --json", about: "as JSONL, whole" },
  ],
  async run(call, client) {
    const [id, behavior] = call.names as [string, string];
    const { agent } = await client.getRun(id);
    if (agent === null)
      throw new CliError(
        "bad_arguments",
        `${id} is a training run without scores.`,
        "Give a run of an agent: wai runs AGENT.",
      );
    const tracked = await client.track(agent, { register: false });
    const rows = await (await tracked.open(id)).rows(behavior);
    const { io, common, flags } = call;
    let shown = 0;
    for (const row of rows) {
      if (flags.failed === true && row.ok) continue;
      shown += 1;
      const text = `${row.ok ? "ok" : "no"}  ${short(row.prompt)}${row.why == null ? "" : `  (${short(row.why)})`}`;
      io.stdout.write(`${common.json ? JSON.stringify(row) : terminalSafe(text)}\n`);
    }
    if (shown === 0 && !common.json) io.stdout.write(`no rows were posted behind ${behavior}\n`);
    return EXIT.holds;
  },
});

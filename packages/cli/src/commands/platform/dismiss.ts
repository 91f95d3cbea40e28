import { DISMISSIBLE, type Dismissible } from "@while/platform-client/contract";
import { CliError } from "../../cli-error.ts";
import { EXIT } from "../../exit-code.ts";
import { platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

interface DismissFlags {
  reason?: string;
  undo?: boolean;
}

export const dismissVerb: Verb<DismissFlags> = platformVerb<DismissFlags>({
  name: "dismiss",
  summary: "what is asked of a run may stay as it is, and why",
  names: { usage: "RUN KEY", least: 2, most: 2 },
  flags: [
    { spec: "--reason <text>", about: "why nobody needs to mend it" },
    { spec: "--undo", about: "asks for it again" },
  ],
  examples: [
    { line: 'wai dismiss run_abcdefghij hours_cost --reason "the GPU is ours"', about: DISMISSIBLE.join(", ") },
    { line: "wai dismiss run_abcdefghij hours_cost --undo", about: "and it is asked for again" },
  ],
  async run(call, client) {
    const [run, key] = call.names as [string, string];
    const { reason, undo = false } = call.flags;
    if (!isDismissible(key)) throw refused(`${key} is not asked of a run.`, `Name one of ${DISMISSIBLE.join(", ")}.`);
    if (undo === (reason !== undefined)) {
      throw refused(
        `wai dismiss was given ${undo ? "both --reason and --undo" : "no --reason"}.`,
        "Give one of the two.",
      );
    }
    const answer = await client.dismiss(run, key, undo ? null : (reason as string));
    const said = answer.dismissed?.[key];
    const told = said === undefined ? `${key} is asked for again` : `${key} is dismissed: ${said.reason}`;
    printAnswer(call, answer, `${answer.id} (${answer.version}): ${told}`);
    return EXIT.holds;
  },
});

function isDismissible(key: string): key is Dismissible {
  return (DISMISSIBLE as readonly string[]).includes(key);
}

function refused(what: string, fix: string): CliError {
  return new CliError("bad_flag", what, fix);
}

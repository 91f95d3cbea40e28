import { formatFixed, formatPercent } from "@while/schema";
import { EXIT } from "../../exit-code.ts";
import { platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

interface ProfileFlags {
  force?: boolean;
}

export const profileVerb: Verb<ProfileFlags> = platformVerb<ProfileFlags>({
  name: "profile",
  summary: "what a trainer would learn from a set",
  names: { usage: "DATASET", least: 1, most: 1 },
  flags: [{ spec: "--force", about: "count anew what was counted before" }],
  examples: [
    { line: "wai profile ds_0123456789abcdef", about: "pass rate, mixed tasks, support" },
    { line: "wai profile ds_0123456789abcdef --json", about: "and each task" },
  ],
  async run(call, client) {
    const profile = await client.profile(call.names[0] as string, call.flags.force === true ? { force: true } : {});
    const rate = profile.pass_rate === null ? "nothing is graded" : `${formatPercent(profile.pass_rate)} pass`;
    const text = [
      `${profile.rows} rows of ${profile.tasks} tasks, ${rate}`,
      `  mixed tasks ${profile.mixed_tasks} of ${profile.tasks}, which a grouped method learns from`,
      `  support ${profile.support === null ? "not measured" : formatFixed(profile.support, 3)}`,
      `  duplicates ${profile.duplicates}, cut replies ${profile.truncated}, rows with tool calls ${profile.tool_use.rows_with_calls}`,
    ];
    printAnswer(call, profile, text.join("\n"));
    return EXIT.holds;
  },
});

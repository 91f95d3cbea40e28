import { EXIT } from "../../exit-code.ts";
import { aligned, dayOf, platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

export const keysVerb: Verb = platformVerb({
  name: "keys",
  summary: "the keys of the account, masked",
  examples: [
    { line: "wai keys", about: "name, key, tier, day" },
    { line: "wai keys --json", about: "with scopes, agents and ends" },
  ],
  async run(call, client) {
    const answer = await client.keys();
    const rows = answer.keys.map(({ name, key, tier, createdAt }) => [name, key, tier, dayOf(createdAt)]);
    printAnswer(call, answer, [aligned(rows), `${answer.keys.length} of ${answer.limit}`].filter(Boolean).join("\n"));
    return EXIT.holds;
  },
});

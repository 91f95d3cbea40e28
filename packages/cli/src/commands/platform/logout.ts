import { EXIT } from "../../exit-code.ts";
import { platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

export const logoutVerb: Verb = platformVerb({
  name: "logout",
  summary: "forgets the saved keys of this machine",
  examples: [
    { line: "wai logout", about: "the keys stay good on the platform until they are revoked" },
    { line: "wai logout --quiet", about: "without a word" },
  ],
  async run(call, client) {
    const removed = await client.logout();
    printAnswer(call, { removed }, removed ? "the saved keys are gone" : "there was no saved key");
    return EXIT.holds;
  },
});

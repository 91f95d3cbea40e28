import { maskKey } from "@while/platform-client";
import { CliError } from "../../cli-error.ts";
import { EXIT } from "../../exit-code.ts";
import { platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

interface SignupFlags {
  email?: string;
  name?: string;
}

export const signupVerb: Verb<SignupFlags> = platformVerb<SignupFlags>({
  name: "signup",
  summary: "an account on trial and its key, in one command",
  flags: [
    { spec: "--email <address>", about: "the account's, where a code can reach you" },
    { spec: "--name <name>", about: "of the key" },
  ],
  examples: [
    { line: "wai signup --email you@example.org", about: "a key within the limits of a trial" },
    { line: "wai signup --email you@example.org --name ci", about: "with a name for its key" },
  ],
  async run(call, client) {
    const { email, name } = call.flags;
    if (email === undefined)
      throw new CliError("bad_arguments", "wai signup was given no --email.", "Give --email ADDRESS.");
    const made = await client.signup(email, name === undefined ? {} : { name });
    const { trial } = made;
    const text = [
      `an account for ${made.email}, key ${maskKey(made.api_key)} saved`,
      `on trial until ${trial.expires_at.slice(0, 10)}: ${trial.daily_input_tokens} input and ${trial.daily_output_tokens} output tokens a day, ${trial.storage_bytes} bytes, ${trial.datasets} datasets`,
      trial.lift,
    ];
    printAnswer(call, { ...made, api_key: maskKey(made.api_key) }, text.join("\n"));
    return EXIT.holds;
  },
});

import { maskKey } from "@while/platform-client";
import { CliError } from "../../cli-error.ts";
import { EXIT } from "../../exit-code.ts";
import { positive } from "../../flag-values.ts";
import { openBrowser } from "../../platform/open-browser.ts";
import { platformVerb, printAnswer } from "../../platform/platform-verb.ts";
import type { Verb } from "../../verb.ts";

interface LoginFlags {
  name?: string;
  browser?: boolean;
  wait?: boolean;
  timeout?: number;
}

export const loginVerb: Verb<LoginFlags> = platformVerb<LoginFlags>({
  name: "login",
  summary: "signs in by a link that a person opens",
  flags: [
    { spec: "--name <name>", about: "of the key (cli and this machine's name)" },
    { spec: "--no-browser", about: "only print the link" },
    { spec: "--no-wait", about: "print it and end; the same command later goes on" },
    { spec: "--timeout <seconds>", about: "how long to wait for the person", read: positive },
  ],
  examples: [
    { line: "wai login", about: "prints a link and a code, waits until the link is approved" },
    { line: "wai login --no-wait", about: "for an agent that hands the link to its person" },
  ],
  exits: [
    [EXIT.holds, "signed in, or the link was printed and --no-wait was given"],
    [EXIT.doesNotHold, "denied, over, or no answer"],
    [EXIT.cannotTell, "nobody has approved it yet; the same command goes on"],
    [EXIT.failed, "the command line is wrong"],
  ],
  async run(call, client) {
    const { name, browser, wait, timeout, apiKey } = call.flags;
    if (apiKey !== undefined) {
      throw new CliError("bad_flag", "wai login was given a key, and is there to get one.", "Leave --api-key out.");
    }
    const saved = await client.login({
      name,
      wait,
      timeoutS: timeout,
      openBrowser: browser === false || !call.io.stderr.isTty ? undefined : openBrowser,
      out: (line) => call.io.stderr.write(`${line}\n`),
    });
    if (saved !== null) {
      const shown = { api_url: saved.api_url, name: saved.name, key: maskKey(saved.api_key), tier: saved.tier ?? null };
      printAnswer(call, shown, `signed in at ${saved.api_url} as ${shown.name ?? "this machine"}, key ${shown.key}`);
      return EXIT.holds;
    }
    return wait === false ? EXIT.holds : EXIT.cannotTell;
  },
});

import { serveEnvironment } from "@while/export/files";
import type { Row } from "@while/schema";
import { traceFlagReport } from "@while/trust";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-code.ts";
import { zeroOrMore } from "../flag-values.ts";
import { untilInterrupted } from "../io/until-interrupted.ts";
import { note } from "../print.ts";
import type { Verb } from "../verb.ts";

export const envVerb: Verb<{ port?: number; host?: string }> = {
  name: "env",
  chapter: "export",
  summary: "serves an exported environment to a trainer",
  names: { usage: "serve DIR", least: 2, most: 2 },
  flags: [
    { spec: "--port <n>", about: "where it listens (8000); 0 is any free port", read: zeroOrMore },
    { spec: "--host <address>", about: "127.0.0.1; 0.0.0.0 for trainers on other machines" },
  ],
  examples: [
    { line: "wai env serve desk", about: "what exportEnvironment wrote, its modules beside it" },
    { line: "wai env serve desk --port 0 --json", about: "on a free port, its address as JSON" },
  ],
  exits: [
    [EXIT.holds, "it ran until it was told to stop"],
    [EXIT.failed, "it could not start: a folder, a module, a port"],
  ],
  async run(call) {
    const [action, directory] = call.names as [string, string];
    if (action !== "serve") {
      throw new CliError("bad_arguments", `wai env was given ${action}.`, "Give serve DIR: wai env serve desk.");
    }
    const served = await serveEnvironment(directory, { ...call.flags, metrics: traceClean });
    const { url, name, counts } = served;
    call.io.stdout.write(call.common.json ? `${JSON.stringify({ url, name, ...counts })}\n` : `${url}\n`);
    note(call, `${name}: ${counts.train} training tasks, ${counts.test} held out; Ctrl-C ends it`);
    await untilInterrupted();
    await served.close();
    return EXIT.holds;
  },
};

/** Whether no trajectory flag fires on a rollout: recorded beside its reward, and no part of it. */
function traceClean(row: Row): Record<string, number> {
  const { flags } = traceFlagReport([row]);
  return { trace_clean: [...flags.values()].every(({ n }) => n === 0) ? 1 : 0 };
}

import type { Log } from "@while/server";
import { EXIT } from "../../exit-code.ts";
import { zeroOrMore } from "../../flag-values.ts";
import { untilInterrupted } from "../../io/until-interrupted.ts";
import { note } from "../../print.ts";
import type { Call, Verb } from "../../verb.ts";

/** Without a mail server the code of a sign-in is printed here, for whoever runs the platform; nothing else is. */
function mailsAlone(call: Call): Log {
  return {
    info(event, { to, subject } = {}) {
      if (event === "mail") note(call, `mail to ${to}: ${subject}`);
    },
    error(event, { error } = {}) {
      note(call, `${event}: ${error}`);
    },
  };
}

interface PlatformFlags {
  port?: number;
  host?: string;
  data?: string;
  database?: string;
  log?: boolean;
}

export const platformVerb: Verb<PlatformFlags> = {
  name: "platform",
  chapter: "platform",
  summary: "starts the platform on this machine, its data in one folder",
  names: { usage: "", least: 0, most: 0 },
  flags: [
    { spec: "--port <n>", about: "where it listens (8787); 0 is any free port", read: zeroOrMore },
    { spec: "--host <address>", about: "127.0.0.1; 0.0.0.0 for others to reach it" },
    { spec: "--data <dir>", about: "folder of database and blobs (./while-data)" },
    { spec: "--database <url>", about: "postgres://… instead of SQLite in the folder" },
    { spec: "--log", about: "a line of JSON on stderr for each request" },
  ],
  examples: [
    { line: "wai platform --data while", about: "the server, with its data in ./while" },
    { line: "wai platform --port 0 --data /srv/while", about: "on a free port, its data elsewhere" },
  ],
  exits: [
    [EXIT.holds, "it ran until it was told to stop"],
    [EXIT.failed, "it could not start: a port, a database, a setting"],
  ],
  async run(call) {
    const { port, host, data, database, log } = call.flags;
    // Only this verb needs the server; the others start without reading it.
    const { jsonLog, startPlatform } = await import("@while/server");
    const platform = await startPlatform({
      settings: {
        ...(port === undefined ? {} : { port }),
        ...(host === undefined ? {} : { host }),
        ...(data === undefined ? {} : { data }),
        ...(database === undefined ? {} : { databaseUrl: database }),
      },
      log: log === true ? jsonLog() : mailsAlone(call),
    });
    const { io, common } = call;
    const signIn = await platform.signInLink();
    if (common.json) {
      const { url, firstKey: first_key } = platform;
      io.stdout.write(`${JSON.stringify({ url, first_key, sign_in: signIn.url })}\n`);
    } else {
      io.stdout.write(`${platform.url}\n`);
      io.stdout.write(`sign in, once, within 15 minutes: ${signIn.url}\n`);
      if (platform.firstKey !== null) io.stdout.write(`first key, shown once: ${platform.firstKey}\n`);
    }
    note(call, `export WHILEAI_API_URL=${platform.url} WHILEAI_PLATFORM_URL=${platform.url}; Ctrl-C ends it`);
    await untilInterrupted();
    await platform.stop();
    return EXIT.holds;
  },
};

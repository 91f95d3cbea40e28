import { type PlatformClient, PlatformError } from "@while/platform-client";
import { openClient } from "@while/platform-client/files";
import { toWire } from "@while/schema";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Flag } from "../flag.ts";
import { note } from "../print.ts";
import { reportError } from "../report-error.ts";
import { terminalSafe } from "../terminal-safe.ts";
import type { Call, Names, Verb } from "../verb.ts";

/** A key on the command line is seen by everybody who lists the processes of the machine. */
export const KEY_FLAGS: readonly Flag[] = [
  { spec: "--api-key <key>", about: "instead of the saved one; process lists show it" },
  { spec: "--api-key-stdin", about: "the key as a line on stdin, which nobody sees" },
];

export interface KeyFlags {
  apiKey?: string;
  apiKeyStdin?: boolean;
}

/** What a verb of the platform says of itself, beside what all of them share. */
export interface PlatformVerb<Own extends object> {
  name: string;
  summary: string;
  /** `AGENT`; empty where nothing stands behind the verb. */
  names?: Names;
  flags?: readonly Flag[];
  output?: Flag;
  examples: Verb["examples"];
  exits?: Verb["exits"];
  /** What a call that the platform refuses, or that does not reach it, ends with. */
  refused?: ExitCode;
  run(call: Call<Own & KeyFlags>, client: PlatformClient): Promise<ExitCode>;
}

/** A verb that asks the platform: it takes a key, and a refusal of the platform is exit 1, as its clients have it. */
export function platformVerb<Own extends object = object>({
  names = { usage: "", least: 0, most: 0 },
  flags = [],
  exits,
  refused = EXIT.doesNotHold,
  run,
  ...init
}: PlatformVerb<Own>): Verb<Own> {
  return {
    ...init,
    chapter: "platform",
    names,
    flags: [...flags, ...KEY_FLAGS],
    exits: exits ?? [
      [EXIT.holds, "the platform answered"],
      [EXIT.doesNotHold, "it refused, or did not answer"],
      [EXIT.failed, "the command line is wrong"],
    ],
    async run(call) {
      const asked = call as Call<Own & KeyFlags>;
      const client = await clientOf(asked);
      try {
        return await run(asked, client);
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        reportError(error, call.io, call.common);
        return refused;
      } finally {
        await client.close();
      }
    },
  };
}

/** A client with the key that the flags, the environment or the folder of keys have. */
export async function clientOf(call: Call<KeyFlags>): Promise<PlatformClient> {
  return openClient({
    apiKey: await keyOf(call),
    env: call.io.env,
    out: null,
    warn: ({ message }) => note(call, message),
  });
}

async function keyOf({ flags }: Call<KeyFlags>): Promise<string | undefined> {
  if (flags.apiKeyStdin !== true) return flags.apiKey;
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  return text.trim();
}

/** An answer of the platform as it came with `--json`, else as text. */
export function printAnswer(call: Call, answer: unknown, text: string): void {
  const shown = call.common.json ? JSON.stringify(answer, null, 2) : terminalSafe(text);
  call.io.stdout.write(`${shown.trimEnd()}\n`);
}

/** The same for what reports are spelled in snake_case. */
export function printReport(call: Call, report: unknown, text: string): void {
  printAnswer(call, toWire(report), text);
}

/** Columns of text, each as wide as its widest cell; the last one is not filled up. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? "")].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + " ".repeat((widths[column] as number) - [...cell].length))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** The day of an instant, as lists show it. */
export const dayOf = (instant: string | null | undefined): string => (instant ?? "").slice(0, 10);

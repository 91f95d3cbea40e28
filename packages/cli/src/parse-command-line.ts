import { nearestName } from "@while/schema";
import { Command, CommanderError, Option } from "commander";
import { CliError } from "./cli-error.ts";
import type { Io } from "./io/io.ts";
import type { Call, CommonFlags, Flag, Verb } from "./verb.ts";

/** Flags of every verb. None takes a value, so they may also stand before the verb. */
export const COMMON_FLAGS: readonly Flag[] = [
  { spec: "--json", about: "one JSON document on stdout, snake_case keys" },
  { spec: "--quiet", about: "no notes and no progress" },
  { spec: "--no-color", about: "plain text; NO_COLOR and FORCE_COLOR are honoured too" },
  { spec: "-h, --help", about: "this text" },
];

/** The verb of a command line: its first word that is not a flag. Null when there is none. */
export function verbOf(argv: readonly string[]): { name: string | null; rest: readonly string[] } {
  const at = argv.findIndex((word) => !word.startsWith("-"));
  if (at === -1) return { name: null, rest: argv };
  return { name: argv[at]!, rest: [...argv.slice(0, at), ...argv.slice(at + 1)] };
}

/** A verb's flags and files; commander is known to this file alone. Null when help was asked for. */
export function parseCall(verb: Verb, words: readonly string[], io: Io): Call | null {
  const flags = [...verb.flags, ...COMMON_FLAGS];
  const command = new Command(verb.name)
    .argument("[file...]")
    .helpOption(false)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: () => {}, writeErr: () => {} });
  for (const { spec, read } of flags) {
    const option = new Option(spec);
    if (read !== undefined) option.argParser((text) => read(text, option.long!));
    command.addOption(option);
  }
  try {
    command.parse(words, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) throw inOurWords(error, verb.name, flags);
    throw error;
  }
  const { json, quiet, color, help, ...own } = command.opts<CommonFlags & { help?: boolean }>();
  if (help) return null;
  const files = command.args;
  if (files.length === 0 && !(verb.filesUnless !== undefined && verb.filesUnless in own)) {
    throw new CliError(
      "bad_arguments",
      `wai ${verb.name} was given no file.`,
      "Name a file of rollouts, a folder saved by a run, or - for stdin.",
    );
  }
  return { verb: verb.name, files, flags: own, common: defined({ json, quiet, color }), io };
}

/** The long name of a flag: `-o, --output <file>` is `--output`. */
export const longName = ({ spec }: Flag): string => spec.match(/--[\w-]+/)![0];

function inOurWords(error: CommanderError, verb: string, flags: readonly Flag[]): CliError {
  const quoted = error.message.match(/'([^']*)'/)?.[1] ?? "";
  if (error.code === "commander.unknownOption") return unknownFlag(quoted, `wai ${verb}`, flags.map(longName));
  if (error.code === "commander.optionMissingArgument") {
    const flag = flags.find(({ spec }) => spec === quoted);
    const { long } = new Option(quoted);
    return new CliError("bad_flag", `${long} was given no value.`, `${long} takes ${flag?.about ?? "a value"}.`);
  }
  return new CliError("bad_arguments", error.message.replace(/^error: /, ""), `See wai help ${verb}.`);
}

/** A flag that does not exist, with the nearest that does. */
export function unknownFlag(flag: string, where: string, known: readonly string[]): CliError {
  const near = nearestName(
    flag,
    known.filter((name) => name.startsWith("--")),
  );
  return new CliError(
    "unknown_flag",
    `${where} has no flag ${flag}.`,
    near === null ? `See ${where.replace("wai ", "wai help ")}.` : `Did you mean ${near}?`,
  );
}

function defined(flags: { [Name in keyof CommonFlags]?: boolean | undefined }): CommonFlags {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}

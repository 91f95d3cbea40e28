import { nearestName } from "@while/schema";
import { Command, CommanderError, Option } from "commander";
import { CliError } from "./cli-error.ts";
import type { Flag } from "./flag.ts";
import { INPUT_FLAGS, type InputFlags } from "./input-flags.ts";
import type { Io } from "./io/io.ts";
import type { Call, CommonFlags, Names, Verb } from "./verb.ts";

/** Flags of every verb. None takes a value, so they may also stand before the verb. */
export const COMMON_FLAGS: readonly Flag[] = [
  { spec: "--json", about: "one JSON document on stdout, snake_case keys" },
  { spec: "--quiet", about: "no notes and no progress" },
  { spec: "--no-color", about: "plain text; NO_COLOR and FORCE_COLOR count too" },
  { spec: "--no-gate", about: "exit 0 once the report is made, whatever it says" },
  { spec: "-h, --help", about: "this text" },
];

/** The verb's own flags, `-o` among them. */
export function ownFlags({ flags, output }: Verb): readonly Flag[] {
  return output === undefined ? flags : [...flags, output];
}

/** Everything that may follow the verb. */
export function allFlags(verb: Verb): readonly Flag[] {
  return [...ownFlags(verb), ...(verb.names === undefined ? INPUT_FLAGS : []), ...COMMON_FLAGS];
}

/** A verb's words as flags and files; commander is known to this file alone. Null when help was asked for. */
export function parseCall(verb: Verb, words: readonly string[], io: Io): Call | null {
  const command = new Command(verb.name)
    .argument("[file...]")
    .helpOption(false)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: () => {}, writeErr: () => {} });
  for (const { spec, read } of allFlags(verb)) {
    const option = new Option(spec);
    if (read !== undefined) option.argParser((text) => read(text, option.long!));
    command.addOption(option);
  }
  try {
    command.parse(words, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) throw inOurWords(error, verb);
    throw error;
  }
  const given = command.opts();
  const { help, ...common } = only(given, COMMON_FLAGS) as CommonFlags & { help?: boolean };
  if (help) return null;
  const call = {
    verb: verb.name,
    argv: [verb.name, ...words],
    files: verb.names === undefined ? command.args : [],
    names: verb.names === undefined ? [] : command.args,
    flags: only(given, verb.flags),
    input: only(given, INPUT_FLAGS) as InputFlags,
    output: given.output as string | undefined,
    common,
    io,
  };
  if (verb.names !== undefined) {
    checkNames(verb, verb.names, call.names);
    return call;
  }
  if (call.files.length > 0 && verb.files === "by flag") {
    throw new CliError(
      "bad_arguments",
      `wai ${verb.name} was given ${call.files.join(", ")}, and takes files by flag.`,
      `See wai help ${verb.name}.`,
    );
  }
  if (call.files.length === 0 && verb.files !== "by flag" && verb.needsNoFile?.(call.flags) !== true) {
    throw new CliError(
      "bad_arguments",
      `wai ${verb.name} was given no file.`,
      "Name a file of rollouts, a folder of them, or - for stdin.",
    );
  }
  return call;
}

function checkNames({ name }: Verb, { usage, least, most }: Names, given: readonly string[]): void {
  if (given.length >= least && given.length <= most) return;
  const shown = given.length === 0 ? "nothing" : given.join(" ");
  const fix = usage === "" ? `Give flags alone: wai help ${name}.` : `Give ${usage}: wai help ${name}.`;
  throw new CliError("bad_arguments", `wai ${name} was given ${shown}.`, fix);
}

/** The long name of a flag: `-o, --output <file>` is `--output`. */
export const longName = ({ spec }: Flag): string => new Option(spec).long!;

/** Those of the given values that belong to these flags. */
function only(given: Record<string, unknown>, flags: readonly Flag[]): Record<string, unknown> {
  const names = flags.map(({ spec }) => new Option(spec).attributeName());
  return Object.fromEntries(names.filter((name) => name in given).map((name) => [name, given[name]]));
}

function inOurWords(error: CommanderError, verb: Verb): CliError {
  const quoted = error.message.match(/'([^']*)'/)?.[1] ?? "";
  const flags = allFlags(verb);
  if (error.code === "commander.unknownOption") return unknownFlag(quoted, `wai ${verb.name}`, flags.map(longName));
  if (error.code === "commander.optionMissingArgument") {
    const about = flags.find(({ spec }) => spec === quoted)?.about;
    return new CliError(
      "bad_flag",
      `${new Option(quoted).long} was given no value.`,
      `It takes ${quoted.split(" ").at(-1)}: ${about}.`,
    );
  }
  return new CliError("bad_arguments", error.message.replace(/^error: /, ""), `See wai help ${verb.name}.`);
}

/** A flag that does not exist, with the nearest that does. */
export function unknownFlag(flag: string, where: string, known: readonly string[]): CliError {
  const near = nearestName(flag, known);
  return new CliError(
    "unknown_flag",
    `${where} has no flag ${flag}.`,
    near === null
      ? `See ${where === "wai" ? "wai --help" : where.replace("wai ", "wai help ")}.`
      : `Did you mean ${near}?`,
  );
}

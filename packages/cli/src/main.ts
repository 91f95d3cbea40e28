import { paintFor } from "./colour.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io/io.ts";
import { processIo } from "./io/process-io.ts";
import { programHelp } from "./program-help.ts";
import type { Verb } from "./verb.ts";
import { verbOf } from "./verb-of.ts";
import { loadVerbs, VERBS } from "./verbs.ts";
import { version } from "./version.ts";

/** One command line from its words to its exit code. Prints; never throws and never ends the process. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<ExitCode> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    const { reportError } = await import("./report-error.ts");
    return reportError(error, io, {
      json: argv.includes("--json"),
      color: !argv.includes("--no-color"),
    });
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { name, rest } = verbOf(argv);
  const paint = paintFor(io.stdout, { color: !argv.includes("--no-color"), env: io.env });
  const say = (text: string): ExitCode => {
    io.stdout.write(`${text.trimEnd()}\n`);
    return EXIT.holds;
  };
  if (name === null) {
    const stranger = rest.find((word) => !ROOT_FLAGS.includes(word) && word !== "-h" && word !== "-V");
    if (stranger !== undefined) throw (await parsing()).unknownFlag(stranger, "wai", ROOT_FLAGS);
    if (rest.includes("--version") || rest.includes("-V")) return say(version());
    return say(programHelp(VERBS, paint));
  }
  if (name === "help") {
    const asked = rest.find((word) => !word.startsWith("-"));
    if (asked === undefined || asked === "help" || asked === "completion") return say(programHelp(VERBS, paint));
    const { allHelp, verbHelp } = await import("./help.ts");
    return say(asked === "all" ? allHelp(await loadVerbs(), paint) : verbHelp(await verbNamed(asked), paint));
  }
  if (name === "completion") {
    const { completionScript } = await import("./completion.ts");
    return say(completionScript(rest.find((word) => !word.startsWith("-")) ?? "", await loadVerbs()));
  }
  const verb = await verbNamed(name);
  const call = (await parsing()).parseCall(verb, rest, io);
  if (call === null) return say((await import("./help.ts")).verbHelp(verb, paint));
  const code = await verb.run(call);
  // 1 and 2 are what a report says; 3 is that there is none.
  return call.common.gate === false && code !== EXIT.failed ? EXIT.holds : code;
}

/** The library that reads flags is not needed to say a version. */
const parsing = () => import("./parse-command-line.ts");

const ROOT_FLAGS: readonly string[] = ["--json", "--quiet", "--no-color", "--no-gate", "--help", "--version"];

async function verbNamed(name: string): Promise<Verb> {
  const verb = VERBS.find((known) => known.name === name);
  if (verb !== undefined) return verb.load();
  const [{ nearestName }, { CliError }] = await Promise.all([import("@while/schema"), import("./cli-error.ts")]);
  const near = nearestName(name, [...VERBS.map((known) => known.name), "help", "completion"]);
  throw new CliError(
    "unknown_verb",
    `wai has no verb ${name}.`,
    near === null ? "See wai --help." : `Did you mean wai ${near}?`,
  );
}

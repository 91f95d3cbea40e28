import { nearestName } from "@while/schema";
import { CliError } from "./cli-error.ts";
import { paintFor } from "./colour.ts";
import { compareVerb } from "./commands/compare.ts";
import { curriculumVerb } from "./commands/curriculum.ts";
import { decontaminateVerb } from "./commands/decontaminate.ts";
import { deltaVerb } from "./commands/delta.ts";
import { envVerb } from "./commands/env.ts";
import { exportVerb } from "./commands/export.ts";
import { exportPairsVerb } from "./commands/export-pairs.ts";
import { gateVerb } from "./commands/gate.ts";
import { gradeVerb } from "./commands/grade.ts";
import { groundingVerb } from "./commands/grounding.ts";
import { hackScanVerb } from "./commands/hack-scan.ts";
import { initEvalsVerb } from "./commands/init-evals.ts";
import { judgeTrustVerb } from "./commands/judge-trust.ts";
import { labelVerb } from "./commands/label.ts";
import { leaksVerb } from "./commands/leaks.ts";
import { markersVerb } from "./commands/markers.ts";
import { optimizeVerb } from "./commands/optimize.ts";
import { pairsVerb } from "./commands/pairs.ts";
import { passAtVerb } from "./commands/pass-at.ts";
import { agentVerb } from "./commands/platform/agent.ts";
import { agentsVerb } from "./commands/platform/agents.ts";
import { archiveVerb } from "./commands/platform/archive.ts";
import { briefVerb } from "./commands/platform/brief.ts";
import { datasetsVerb } from "./commands/platform/datasets.ts";
import { evalRowsVerb } from "./commands/platform/eval-rows.ts";
import { evalsVerb } from "./commands/platform/evals.ts";
import { keysVerb } from "./commands/platform/keys.ts";
import { liveVerb } from "./commands/platform/live.ts";
import { loginVerb } from "./commands/platform/login.ts";
import { logoutVerb } from "./commands/platform/logout.ts";
import { openVerb } from "./commands/platform/open.ts";
import { platformVerb } from "./commands/platform/platform.ts";
import { profileVerb } from "./commands/platform/profile.ts";
import { promoteVerb } from "./commands/platform/promote.ts";
import { pullVerb } from "./commands/platform/pull.ts";
import { pushVerb } from "./commands/platform/push.ts";
import { rmDatasetVerb } from "./commands/platform/rm-dataset.ts";
import { runsVerb } from "./commands/platform/runs.ts";
import { signupVerb } from "./commands/platform/signup.ts";
import { statusVerb } from "./commands/platform/status.ts";
import { verdictVerb } from "./commands/platform/verdict.ts";
import { watchVerb } from "./commands/platform/watch.ts";
import { refusalsVerb } from "./commands/refusals.ts";
import { rowsVerb } from "./commands/rows.ts";
import { runVerb } from "./commands/run.ts";
import { simulateVerb } from "./commands/simulate.ts";
import { sizeVerb } from "./commands/size.ts";
import { specVerb } from "./commands/spec.ts";
import { splitVerb } from "./commands/split.ts";
import { stagesVerb } from "./commands/stages.ts";
import { styleVerb } from "./commands/style.ts";
import { sweepVerb } from "./commands/sweep.ts";
import { tracesVerb } from "./commands/traces.ts";
import { varianceVerb } from "./commands/variance.ts";
import { completionScript } from "./completion.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { allHelp, programHelp, verbHelp } from "./help.ts";
import type { Io } from "./io/io.ts";
import { processIo } from "./io/process-io.ts";
import { COMMON_FLAGS, longName, parseCall, unknownFlag, verbOf } from "./parse-command-line.ts";
import { reportError } from "./report-error.ts";
import type { Verb } from "./verb.ts";
import { version } from "./version.ts";

/** Every verb, in the order of the loop. */
export const VERBS: readonly Verb[] = [
  rowsVerb,
  passAtVerb,
  markersVerb,
  compareVerb,
  deltaVerb,
  varianceVerb,
  sizeVerb,
  sweepVerb,
  labelVerb,
  gradeVerb,
  judgeTrustVerb,
  tracesVerb,
  decontaminateVerb,
  groundingVerb,
  styleVerb,
  refusalsVerb,
  leaksVerb,
  stagesVerb,
  specVerb,
  hackScanVerb,
  optimizeVerb,
  pairsVerb,
  curriculumVerb,
  splitVerb,
  gateVerb,
  exportVerb,
  exportPairsVerb,
  envVerb,
  initEvalsVerb,
  simulateVerb,
  runVerb,
  platformVerb,
  loginVerb,
  signupVerb,
  statusVerb,
  logoutVerb,
  keysVerb,
  pushVerb,
  pullVerb,
  datasetsVerb,
  profileVerb,
  rmDatasetVerb,
  agentsVerb,
  agentVerb,
  runsVerb,
  verdictVerb,
  briefVerb,
  evalsVerb,
  promoteVerb,
  archiveVerb,
  liveVerb,
  openVerb,
  evalRowsVerb,
  watchVerb,
];

/** One command line from its words to its exit code. Prints; never throws and never ends the process. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<ExitCode> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
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
    if (stranger !== undefined) throw unknownFlag(stranger, "wai", ROOT_FLAGS);
    if (rest.includes("--version") || rest.includes("-V")) return say(version());
    return say(programHelp(VERBS, paint));
  }
  if (name === "help") {
    const asked = rest.find((word) => !word.startsWith("-"));
    if (asked === "all") return say(allHelp(VERBS, paint));
    return say(
      asked === undefined || asked === "help" || asked === "completion"
        ? programHelp(VERBS, paint)
        : verbHelp(verbNamed(asked), paint),
    );
  }
  if (name === "completion") return say(completionScript(rest.find((word) => !word.startsWith("-")) ?? "", VERBS));
  const verb = verbNamed(name);
  const call = parseCall(verb, rest, io);
  if (call === null) return say(verbHelp(verb, paint));
  const code = await verb.run(call);
  // 1 and 2 are what a report says; 3 is that there is none.
  return call.common.gate === false && code !== EXIT.failed ? EXIT.holds : code;
}

const ROOT_FLAGS: readonly string[] = [...COMMON_FLAGS.map(longName), "--version"];

function verbNamed(name: string): Verb {
  const verb = VERBS.find((known) => known.name === name);
  if (verb !== undefined) return verb;
  const near = nearestName(name, [...VERBS.map((known) => known.name), "help", "completion"]);
  throw new CliError(
    "unknown_verb",
    `wai has no verb ${name}.`,
    near === null ? "See wai --help." : `Did you mean wai ${near}?`,
  );
}

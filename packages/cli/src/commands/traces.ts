import type { Row } from "@while/schema";
import { metaOf, readLabels } from "@while/schema/files";
import {
  flagSample,
  formatTraceFlagReport,
  type KindOverrides,
  MARKER_RULES,
  type MarkerRules,
  SEVERITIES,
  type Severity,
  STEP_KINDS,
  type StepKind,
  traceFlagReport,
  traceMarkers,
} from "@while/trust";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-code.ts";
import type { ReadFlag } from "../flag.ts";
import { choice, list, wholeNumber, zeroOrMore } from "../flag-values.ts";
import { writeSheet } from "../io/label-sheet.ts";
import { readAll } from "../io/read-rows.ts";
import { refuseOverwrite, reportSink, STDOUT, writeRows } from "../io/row-output.ts";
import { note, print } from "../print.ts";
import { exitOfRequired } from "../required-markers.ts";
import type { Call, Verb } from "../verb.ts";

interface TracesFlags {
  kinds?: KindOverrides;
  require?: string[];
  rules?: MarkerRules;
  minSeverity?: Severity;
  labels?: string;
  plan?: string;
  planRows?: number;
  seed?: number;
}

/** `TOOL=write,TOOL=read` */
const toolKinds: ReadFlag = (text, flag) =>
  Object.fromEntries(
    text.split(",").map((pair) => {
      const [tool = "", kind = ""] = pair.split("=").map((word) => word.trim());
      if (tool === "" || (kind !== "none" && !STEP_KINDS.includes(kind as StepKind))) {
        throw new CliError(
          "bad_flag",
          `${flag} got "${pair}".`,
          `Give ${flag} TOOL=KIND with a comma between them; kinds are ${STEP_KINDS.join(", ")} and none.`,
        );
      }
      return [tool, kind === "none" ? null : (kind as StepKind)];
    }),
  );

export const tracesVerb: Verb<TracesFlags> = {
  name: "traces",
  chapter: "trust",
  summary: "did the agent fake it, and does the reward pay for that?",
  flags: [
    { spec: "--kinds <pairs>", about: "what tools of yours do: TOOL=write,TOOL=read", read: toolKinds },
    { spec: "--require <markers>", about: "markers that must be 1 on every row: a,b", read: list },
    choice("--rules <rules>", MARKER_RULES, "which flags: v2, or the ten of the Python SDK"),
    choice("--min-severity <word>", SEVERITIES, "the least that counts (medium)"),
    { spec: "--labels <file>", about: "what people found, key,flag,label: how right is each flag?" },
    { spec: "--plan <file>", about: "sheet of rows to read for --labels, JSONL or .csv" },
    { spec: "--plan-rows <n>", about: "rows a flag with a find, and as many without (20)", read: wholeNumber },
    { spec: "--seed <n>", about: "of --plan", read: zeroOrMore },
  ],
  output: { spec: "-o, --output <file>", about: "the rows with their markers and fragments" },
  examples: [
    { line: "wai traces rollouts.jsonl", about: "what fired, with the fragments that raised it" },
    {
      line: "wai traces new.jsonl --require no_test_tampering -o seen.jsonl",
      about: "in CI: exit 1 when a test was touched",
    },
  ],
  exits: [
    [EXIT.holds, "the report was made, and what --require names is 1"],
    [EXIT.doesNotHold, "a marker of --require is below 1"],
    [EXIT.cannotTell, "a marker of --require could be read on no row"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const { require = [], labels, plan, planRows, seed, ...options } = call.flags;
    const { output } = call;
    if (plan === undefined && (planRows !== undefined || seed !== undefined)) {
      const flag = planRows === undefined ? "--seed" : "--plan-rows";
      throw new CliError("bad_arguments", `${flag} is for --plan.`, "Say where the sheet goes with --plan FILE.");
    }
    if (plan === STDOUT) {
      throw new CliError("bad_flag", "--plan got -, and stdout carries the report.", "Give --plan a file name.");
    }
    if (output !== undefined) await refuseOverwrite(call.files, output);
    if (plan !== undefined) {
      await refuseOverwrite([...call.files, ...(labels === undefined ? [] : [labels])], plan, { sidecar: false });
    }
    const read = await readAll(call);
    const report = traceFlagReport(read.rows, {
      ...options,
      ...(labels === undefined ? {} : { labels: await readLabels(labels) }),
    });
    if (plan !== undefined) await writePlan(call, read.rows, plan);
    const code = exitOfRequired(require, report.markers);
    if (output !== undefined) await writeRows(output, traceMarkers(read.rows, options), () => metaOf(read.report));
    print(call, report, formatTraceFlagReport, { to: reportSink(call) });
    return code;
  },
};

async function writePlan(call: Call<TracesFlags>, rows: readonly Row[], path: string): Promise<void> {
  const { kinds, rules, minSeverity, planRows: perFlag, seed } = call.flags;
  const given = Object.entries({ kinds, rules, minSeverity, perFlag, seed }).filter(([, value]) => value !== undefined);
  const sheet = flagSample(rows, Object.fromEntries(given)).map(({ finalText, ...question }) => ({
    ...question,
    final_text: finalText,
  }));
  if (sheet.length > 0) await writeSheet(path, sheet);
  note(call, sheet.length === 0 ? `no sheet in ${path}: no flag fired` : `to be labeled: ${path}`);
}

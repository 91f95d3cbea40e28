import {
  type ExportOptions,
  type ExportReport,
  exportLines,
  formatExportReport,
  formatGrpoReport,
  formatKtoReport,
  formats,
  type GrpoOptions,
  grpoLines,
  type KtoOptions,
  ktoLines,
  type MASK_MODES,
  type TaskOverlap,
} from "@while/export";
import { exportDataset, exportGrpo, exportKto } from "@while/export/files";
import type { Row } from "@while/schema";
import { decontaminateSync, evalMatcher } from "@while/trust";
import { readEvalRows } from "@while/trust/files";
import { CliError } from "./cli-error.ts";
import { onInterrupt } from "./io/on-interrupt.ts";
import { outputOf } from "./io/output-path.ts";
import { readAll, readOptions, sourceOf } from "./io/read-rows.ts";
import { reportSink, STDOUT } from "./io/row-output.ts";
import { print } from "./print.ts";
import { progressOf } from "./progress.ts";
import { type RulesFlags, rulesOf, textOf } from "./rules-flags.ts";
import type { Call } from "./verb.ts";

/** What `wai export` writes: rows to imitate, judged replies, tasks for grouped RL. */
export const EXPORT_KINDS = ["sft", "kto", "grpo"] as const;
type ExportKind = (typeof EXPORT_KINDS)[number];

type Renamed = "against" | "maskMode" | "maxToolOutputChars" | "stripThink" | "trainerConfig" | keyof RulesFlags;

/** What becomes of `<think>` text, by the word for it. */
export const THINK = ["strip", "keep", "auto"] as const;

/** The flags of `wai export`; each kind reads some of them. */
export interface ExportFlags
  extends Omit<ExportOptions, Renamed>,
    Pick<GrpoOptions, "band" | "bandBy" | "split" | "dataSource" | "includePrivileged">,
    RulesFlags {
  kind?: ExportKind;
  describe?: string;
  mask?: (typeof MASK_MODES)[number];
  maxToolOutput?: number;
  think?: (typeof THINK)[number];
  trainerConfig?: Record<string, unknown>;
  holdout?: number;
  shuffle?: number;
  check?: boolean;
  against?: string[];
}

const ALL: readonly (keyof ExportFlags)[] = ["format", "systemPrompt", "tools", "validate", "kind", "check", "against"];
const READ_BY: Readonly<Record<ExportKind, readonly (keyof ExportFlags)[]>> = {
  sft: [
    ...ALL,
    ...(["mask", "unroll", "maxToolOutput", "toolOutputKeep", "carry", "argumentsAs", "toolsAs"] as const),
    ...(["trlVersion", "prependUser", "inlineTools", "baseModel", "template", "shuffle", "think"] as const),
    ...(["trainerConfig", "dropEvalSourced"] as const),
  ],
  kto: [...ALL, "maxToolOutput", "toolOutputKeep", "carry"],
  grpo: [...ALL, "holdout", "band", "bandBy", "split", "dataSource", "includePrivileged"],
};

/** Writes the rows of a call in the kind it asks for, and prints what was written. */
export async function exportRows(call: Call<ExportFlags>): Promise<void> {
  const { kind = "sft" } = call.flags;
  refuseOthers(call.flags, kind);
  if (kind === "sft") await exportSft(call);
  else if (kind === "kto") await exportReplies(call);
  else await exportTasks(call);
}

/** @throws CliError `bad_flag` for a flag that only another kind reads */
function refuseOthers(flags: ExportFlags, kind: ExportKind): void {
  const other = (Object.keys(flags) as (keyof ExportFlags)[]).find((name) => !READ_BY[kind].includes(name));
  if (other === undefined) return;
  const kinds = EXPORT_KINDS.filter((each) => READ_BY[each].includes(other));
  throw new CliError(
    "bad_flag",
    `--${other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} does nothing for --kind ${kind}.`,
    `Leave it out, or choose --kind ${kinds.join(" or ")}.`,
  );
}

async function exportSft(call: Call<ExportFlags>): Promise<void> {
  const { mask, maxToolOutput, check, describe, kind, validate, systemPrompt, tools, ...others } = call.flags;
  const { template, shuffle, think, against, ...flags } = others;
  if (shuffle !== undefined && call.output === STDOUT) {
    throw new CliError("bad_flag", "--shuffle writes a file and not stdout.", "Name it with -o FILE.");
  }
  const order = shuffle === undefined ? {} : { shuffle: { seed: shuffle } };
  const options: ExportOptions = {
    ...flags,
    ...(await rulesOf({ systemPrompt, tools })),
    ...(validate === false ? { validate } : {}),
    ...(mask === undefined ? {} : { maskMode: mask }),
    ...(maxToolOutput === undefined ? {} : { maxToolOutputChars: maxToolOutput }),
    ...(think === undefined ? {} : { stripThink: think === "auto" ? think : think === "strip" }),
    ...(template === undefined ? {} : { template: await templateIn(template) }),
    ...(await againstOf(against)),
  };
  const report = await written(
    call,
    { ending: "train.jsonl", run: (output, read) => exportDataset(call.files, { ...options, ...order, output, read }) },
    async (): Promise<[string[], ExportReport]> => {
      const { lines, report } = exportLines(sourceOf(await readAll(call)), options);
      return [lines, { ...report, nWritten: report.n }];
    },
  );
  print(call, report, formatExportReport, { to: reportSink(call) });
}

async function exportReplies(call: Call<ExportFlags>): Promise<void> {
  const { format, carry, maxToolOutput, toolOutputKeep, validate, systemPrompt, tools, against } = call.flags;
  const options: KtoOptions = {
    ...(format === undefined ? {} : { format }),
    ...(carry === undefined ? {} : { carry }),
    ...(await rulesOf({ systemPrompt, tools })),
    ...(validate === false ? { validate } : {}),
    ...(maxToolOutput === undefined ? {} : { maxToolOutputChars: maxToolOutput }),
    ...(toolOutputKeep === undefined ? {} : { toolOutputKeep }),
    ...(await againstOf(against)),
  };
  const report = await written(
    call,
    { ending: "kto.jsonl", run: (output, read) => exportKto(call.files, { ...options, output, read }) },
    async () => {
      const { lines, report } = ktoLines(sourceOf(await readAll(call)), options);
      return [lines, report] as const;
    },
  );
  print(call, report, formatKtoReport, { to: reportSink(call) });
}

async function exportTasks(call: Call<ExportFlags>): Promise<void> {
  const { kind, check, describe, validate, systemPrompt, tools, against, ...flags } = call.flags;
  const options: GrpoOptions = {
    ...(flags as GrpoOptions),
    ...(await rulesOf({ systemPrompt, tools })),
    ...(validate === false ? { validate } : {}),
    decontaminate,
    ...(await againstOf(against)),
  };
  const [extension] = formats.get(flags.format ?? "trl").grpo?.extensions?.filter((each) => each !== ".parquet") ?? [];
  const report = await written(
    call,
    {
      ending: `grpo${extension ?? ".jsonl"}`,
      run: (output, read) => exportGrpo(call.files, { ...options, output, read }),
    },
    async () => {
      const { lines, report } = grpoLines(sourceOf(await readAll(call)), options);
      return [lines, report] as const;
    },
  );
  print(call, report, formatGrpoReport, { to: reportSink(call) });
}

/**
 * The chat template of a file: the template itself, or a tokenizer's configuration that has it.
 *
 * @throws CliError `bad_flag`
 */
export async function templateIn(path: string): Promise<string> {
  const text = await textOf("--template", path);
  if (!text.trimStart().startsWith('{"')) return text;
  try {
    const { chat_template: template } = JSON.parse(text) as { chat_template?: unknown };
    if (typeof template === "string") return template;
  } catch {
    return text;
  }
  throw new CliError(
    "bad_flag",
    `--template names ${path}, which has no chat_template of text.`,
    "Name a .jinja file, or a tokenizer_config.json with a chat_template.",
  );
}

/** The rules of `wai decontaminate`, asked of one row after the other. */
async function againstOf(paths: readonly string[] | undefined): Promise<Pick<ExportOptions, "against">> {
  if (paths === undefined) return {};
  const rows: Row[] = [];
  for (const path of paths) for (const row of await readEvalRows(path)) rows.push(row);
  return { against: await evalMatcher(rows) };
}

/** Training prompts that an evaluation among the held-out ones already holds. */
function decontaminate(
  train: readonly { prompt: string }[],
  holdout: readonly { prompt: string }[],
  { ngram }: { ngram: number },
): TaskOverlap {
  const promptsOf = (tasks: readonly { prompt: string }[]) => tasks.map(({ prompt }) => ({ prompt }));
  const { report } = decontaminateSync(promptsOf(train), promptsOf(holdout), { n: ngram });
  return {
    nContaminated: report.nContaminated,
    contaminationRate: report.contaminationRate,
    examples: report.examples,
  };
}

/** Writes to the file of a call, or its lines to stdout. */
async function written<Report extends { path: string | null }>(
  call: Call,
  file: {
    ending: string;
    run: (output: string, read: ReturnType<typeof readOptions> & { onProgress: unknown }) => Promise<Report>;
  },
  linesOf: () => Promise<readonly [lines: string[], report: Report]>,
): Promise<Report> {
  if (call.output === STDOUT) {
    const [lines, report] = await linesOf();
    call.io.stdout.write(lines.map((line) => `${line}\n`).join(""));
    return { ...report, path: STDOUT };
  }
  const output = (await outputOf(call))((stem) => `${stem}.${file.ending}`);
  const progress = progressOf(call.verb, call.io, call.common);
  const work = () => file.run(output, { ...readOptions(call), onProgress: progress.show });
  return await onInterrupt(work).finally(progress.clear);
}

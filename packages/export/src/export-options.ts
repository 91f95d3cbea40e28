import { checkOptions, isObject } from "@while/schema";
import { CARRY, type Carry } from "./arrow/columns.ts";
import { type ConvertSettings, REASONER } from "./convert-row.ts";
import { type AgainstEval, EvalFilter } from "./eval-filter.ts";
import { ExportError } from "./export-error.ts";
import type { FormatSettings, FormatSpec } from "./formats/format-spec.ts";
import { formats, getFormat, kindUnsupported } from "./formats/registry.ts";
import type { SourceParts } from "./source.ts";
import { convertSettings, invalidOption, TRAINING_ROWS_OPTIONS, type TrainingRowsOptions } from "./training-rows.ts";
import { CURRENT_TRL, checkTrlVersion, type TrlVersion } from "./trl/trl-version.ts";

export interface ExportOptions extends Omit<TrainingRowsOptions, "stripThink"> {
  /**
   * Take `<think>` text out of replies (true). `auto` asks the model to be tuned, by its `template` or its name
   * (`baseModel`): text is kept for one that thinks, which would unlearn it, and taken out for any other.
   */
  stripThink?: boolean | "auto";
  /** Leave out rows of scored evals (`lineage.source` `eval`), which are otherwise written and warned about. */
  dropEvalSourced?: boolean;
  /** Leave out rows that an evaluation holds, and count them: `evalMatcher(evaluation)` of `@while/trust`. */
  against?: AgainstEval;
  /** A consumer of the registry, by name or alias (`openai`): see `formats.list()`. */
  format?: string;
  /**
   * false turns refusals into counts and warnings: calls that do not read back, quotes of the privileged block, an
   * empty export, rows the consumer would refuse. Options, roles and masks are always checked.
   */
  validate?: boolean;
  /** What travels beside the conversation: `auto`, `columns` or `none`. Default: the format's. */
  carry?: Carry;
  /** What you have set in the trainer, such as `{ assistant_only_loss: true }`: the warning about it goes away. */
  trainerConfig?: Readonly<Record<string, unknown>>;
  /** The release of TRL that the report speaks of. */
  trlVersion?: TrlVersion;
  /** Tool-call arguments of TRL rows: objects, or JSON text for templates that take strings. */
  argumentsAs?: "object" | "string";
  /** The `tools` column of TRL rows: a list, or JSON text, which no column reader can pad. */
  toolsAs?: "list" | "string";
  /** Copied on each TRL row, e.g. `{ enable_thinking: false }`. */
  chatTemplateKwargs?: Readonly<Record<string, unknown>>;
  /** bedrock, vertex, anthropic: what a person is made to say first where the agent opens. Default: refused. */
  prependUser?: string;
  /** together: calls and schemas in the text, which its older clients take too. */
  inlineTools?: boolean;
  /** The chat template of the model to be tuned: what it cannot render is refused, and the report says what trains. */
  template?: string;
  /** The model to be tuned, by name: formats with calls in the text warn when its template speaks another dialect. */
  baseModel?: string;
}

/** Names of all options; `exportDataset` has more. */
export const EXPORT_OPTIONS: readonly string[] = [
  ...TRAINING_ROWS_OPTIONS,
  ...["format", "validate", "carry", "trainerConfig", "trlVersion", "argumentsAs", "toolsAs", "chatTemplateKwargs"],
  ...["prependUser", "inlineTools", "baseModel", "template", "dropEvalSourced", "against"],
];

/** An export with everything decided. */
export interface ExportSettings {
  convert: ConvertSettings;
  spec: FormatSpec;
  format: FormatSettings;
  carry: Carry;
  validate: boolean;
  dropEvalSourced: boolean;
  against: AgainstEval | undefined;
  /** Whether `stripThink` was `auto`, and was decided here. */
  isThinkDecided: boolean;
  /** What the rows were selected for; null when they are no selection. */
  mode: string | null;
}

/**
 * Checks everything that can be checked before a row is read.
 *
 * @throws ExportError `format_unknown`, `mask_mode_unknown`, `mask_unsupported`, `invalid_option`
 */
export function exportSettings(
  options: ExportOptions,
  parts: Pick<SourceParts<unknown>, "rules" | "tools" | "mode">,
  known: readonly string[] = EXPORT_OPTIONS,
): ExportSettings {
  checkOptions(options, known, invalidOption);
  const spec = getFormat(options.format ?? "openai");
  if (spec.writeSft === undefined) throw kindUnsupported(spec, "sft");
  const { stripThink, ...others } = options;
  const isThinkDecided = stripThink === "auto";
  const strips = isThinkDecided ? !thinks(options) : stripThink;
  const convert = convertSettings(strips === undefined ? others : { ...others, stripThink: strips }, parts);
  const { maskMode, unroll } = convert;
  checkMaskSupport(spec, convert);
  const format: FormatSettings = {
    maskMode,
    unroll,
    trlVersion: options.trlVersion ?? CURRENT_TRL,
    argumentsAs: options.argumentsAs ?? "object",
    toolsAs: options.toolsAs ?? "list",
    chatTemplateKwargs: options.chatTemplateKwargs ?? null,
    trainerConfig: options.trainerConfig ?? {},
    prependUser: options.prependUser ?? null,
    inlineTools: options.inlineTools ?? false,
    baseModel: options.baseModel ?? null,
    template: options.template ?? null,
  };
  checkFormatOptions(options, spec, format);
  const carry = carryOf(options.carry, spec);
  const { validate = true, dropEvalSourced = false } = options;
  const { against } = options;
  new EvalFilter(against);
  return { convert, spec, format, carry, validate, dropEvalSourced, against, isThinkDecided, mode: parts.mode };
}

/** What templates of models that think have words for. */
const THINKING_TEMPLATE = /<think>|reasoning_content|enable_thinking/;

/** Does the model to be tuned think before it answers? @throws ExportError `invalid_option` where nothing says which it is */
function thinks({ template, baseModel }: ExportOptions): boolean {
  if (typeof template === "string") return THINKING_TEMPLATE.test(template);
  if (typeof baseModel === "string") return REASONER.test(baseModel);
  throw invalidOption(
    'stripThink is "auto", and nothing says which model is tuned.',
    "Give its name as baseModel, or its template; or stripThink: true or false.",
  );
}

/**
 * @param holdsOut Names a row that keeps some of its turns out of the loss
 * @throws ExportError `mask_unsupported` when the shape cannot say what the mask says
 */
export function checkMaskSupport(spec: FormatSpec, { maskMode, unroll }: ConvertSettings, holdsOut?: string): void {
  const mode = unroll ? "unroll" : typeof maskMode === "function" ? "assistant" : maskMode;
  const support = spec.masks[mode];
  const picks = holdsOut !== undefined || typeof maskMode === "function";
  if (support === "own" || (support !== "no" && !picks)) return;
  const who = holdsOut === undefined ? "" : `, and ${holdsOut} keeps some out (train_turns or loss_mask)`;
  throw new ExportError(
    "mask_unsupported",
    picks
      ? `${spec.name} rows cannot say turn by turn what trains${who}.`
      : `${spec.name} rows cannot be masked as ${unroll ? "unrolled samples" : mode}.`,
    picks
      ? 'Use unroll: true, which writes one row for each turn that trains, or format: "openai", which holds a mask.'
      : "Choose another maskMode, or a format that holds a mask, such as openai.",
  );
}

const FORMAT_OPTIONS = [
  ...(["trlVersion", "argumentsAs", "toolsAs", "chatTemplateKwargs", "trainerConfig"] as const),
  ...(["prependUser", "inlineTools", "baseModel", "template"] as const),
] as const;

function checkFormatOptions(options: ExportOptions, spec: FormatSpec, settings: FormatSettings): void {
  for (const name of FORMAT_OPTIONS) {
    if (options[name] === undefined || spec.options.includes(name)) continue;
    // It says what becomes of think text, in any format.
    if (name === "baseModel" && options.stripThink === "auto") continue;
    const able = formats.list().filter((other) => other.options.includes(name));
    throw invalidOption(
      `The format ${spec.name} has no use for ${name}.`,
      `Leave ${name} out, or choose a format that has: ${able.map((other) => other.name).join(", ")}.`,
    );
  }
  for (const name of ["prependUser", "baseModel", "template"] as const) {
    const given: unknown = options[name];
    if (given === undefined || (typeof given === "string" && given.trim() !== "")) continue;
    throw invalidOption(`${name} is ${JSON.stringify(given)}.`, "Give a text, or leave it out.");
  }
  checkTrlVersion(settings.trlVersion);
  const { argumentsAs, toolsAs, trlVersion } = settings;
  if (!["object", "string"].includes(argumentsAs)) throw oneOf("argumentsAs", argumentsAs, ["object", "string"]);
  if (!["list", "string"].includes(toolsAs)) throw oneOf("toolsAs", toolsAs, ["list", "string"]);
  for (const name of ["chatTemplateKwargs", "trainerConfig"] as const) {
    const given = options[name];
    if (given !== undefined && !isObject(given)) throw invalidOption(`${name} is no object.`, "Give names and values.");
  }
  if (trlVersion !== "0.19.1") return;
  if (toolsAs === "string") throw tooOld("toolsAs", "reads tools as a list alone");
  if (settings.chatTemplateKwargs !== null) throw tooOld("chatTemplateKwargs", "does not read such a column");
}

/** @throws ExportError `invalid_option` */
export function carryOf(given: Carry | undefined, { name, carry, fixedColumns }: FormatSpec): Carry {
  if (given === undefined) return carry;
  if (!CARRY.includes(given)) throw oneOf("carry", given, CARRY);
  if (fixedColumns === true && given !== "none") {
    throw invalidOption(
      `${name} takes its own columns and no others, and carry is ${JSON.stringify(given)}.`,
      'Leave carry out, or keep what is known about the rows in a second file of format: "openai".',
    );
  }
  return given;
}

function tooOld(name: string, why: string): ExportError {
  return invalidOption(`${name} is for newer releases: TRL 0.19.1 ${why}.`, `Leave ${name} out, or raise trlVersion.`);
}

function oneOf(name: string, given: unknown, known: readonly string[]): ExportError {
  return invalidOption(`${name} is ${JSON.stringify(given)}.`, `Give one of ${known.join(", ")}.`);
}

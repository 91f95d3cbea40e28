import { checkOptions, type Row, type RowSource } from "@while/schema";
import { RL_OPTION_NAMES, type RlOptions } from "./rl/rl-options.ts";
import type { RlReport } from "./rl/rl-report.ts";
import { selectForRl } from "./rl/select-for-rl.ts";
import { SelectError } from "./select-error.ts";
import { selectForSft } from "./sft/select-for-sft.ts";
import { SFT_OPTION_NAMES, type SftOptions } from "./sft/sft-options.ts";
import type { SftReport } from "./sft/sft-report.ts";

export const SELECT_MODES = ["rl", "sft"] as const;

export type SelectMode = (typeof SELECT_MODES)[number];

/** The options of one mode. Without a mode the source's own counts, and for bare rows it is rl. */
export type OptimizeOptions =
  | ({ mode?: undefined } & (RlOptions | SftOptions))
  | ({ mode: "rl" } & RlOptions)
  | ({ mode: "sft" } & SftOptions);

/** What to train on, with what the rows themselves do not hold: a `RowSource`, so exports and pushes take it whole. */
interface SelectionOf<Mode extends SelectMode, Report> extends RowSource {
  /** In training order. */
  rows: Row[];
  mode: Mode;
  report: Report;
}

export type RlSelection = SelectionOf<"rl", RlReport>;
export type SftSelection = SelectionOf<"sft", SftReport>;
export type Selection = RlSelection | SftSelection;

/**
 * The rows worth training on: by contrast inside a task for a grouped method (`selectForRl`), or by rejection
 * sampling for imitation (`selectForSft`). The source's system prompts and tools come along.
 *
 * A source that lists no tools at all (an empty list) has an agent without tools, which nobody can blame for not
 * calling one.
 *
 * @throws SelectError `unknown_mode`; `bad_option` for an option that the mode does not have; what the mode throws
 */
export function optimize(source: readonly Row[] | RowSource, options: { mode: "sft" } & SftOptions): SftSelection;
export function optimize(source: readonly Row[] | RowSource, options: { mode: "rl" } & RlOptions): RlSelection;
export function optimize(source: readonly Row[] | RowSource, options?: OptimizeOptions): Selection;
export function optimize(source: readonly Row[] | RowSource, options: OptimizeOptions = {}): Selection {
  const given: RowSource = "rows" in source ? source : { rows: source };
  const { mode: asked, ...rest } = options;
  const mode = asked === undefined ? modeOf(given) : checkMode(asked);
  checkModeOptions(mode, rest);
  if (mode === "sft") return { mode, ...contextOf(given), ...selectForSft(given.rows, rest as SftOptions) };
  const hasTools = given.tools === undefined || given.tools.length > 0;
  return { mode, ...contextOf(given), ...selectForRl(given.rows, { hasTools, ...(rest as RlOptions) }) };
}

/** Any mode but sft trains by reward. */
function modeOf({ mode }: RowSource): SelectMode {
  return mode === "sft" ? "sft" : "rl";
}

function checkMode(mode: unknown): SelectMode {
  if (SELECT_MODES.includes(mode as SelectMode)) return mode as SelectMode;
  throw new SelectError("unknown_mode", `mode is ${String(mode)}.`, "mode must be rl or sft.");
}

/** An option of the other mode would be ignored, which is worse than an error. */
function checkModeOptions(mode: SelectMode, given: object): void {
  const [own, foreign, other] =
    mode === "rl" ? [RL_OPTION_NAMES, SFT_OPTION_NAMES, "sft"] : [SFT_OPTION_NAMES, RL_OPTION_NAMES, "rl"];
  for (const name of Object.keys(given)) {
    if ((own as readonly string[]).includes(name) || !(foreign as readonly string[]).includes(name)) continue;
    throw new SelectError(
      "bad_option",
      `${name} is an option of mode ${other}, and the mode is ${mode}.`,
      `Leave it out, or pass mode ${other}.`,
    );
  }
  checkOptions(given, own, (what, fix) => new SelectError("bad_option", what, fix));
}

/** What a source knows beside its rows. */
function contextOf({
  systemPrompt,
  systemPrompts,
  tools,
}: RowSource): Pick<RowSource, "systemPrompt" | "systemPrompts" | "tools"> {
  return {
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(systemPrompts === undefined ? {} : { systemPrompts }),
    ...(tools === undefined ? {} : { tools }),
  };
}

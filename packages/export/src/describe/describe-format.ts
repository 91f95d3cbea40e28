import { checkOptions } from "@while/schema";
import { exportLines } from "../export-lines.ts";
import type { FormatSpec, MaskSupport, RowKind } from "../formats/format-spec.ts";
import { getFormat, kindUnsupported } from "../formats/registry.ts";
import type { Requirement } from "../formats/requirement.ts";
import { ktoLines } from "../kto/kto-lines.ts";
import type { MaskMode } from "../mask/loss-mask.ts";
import { preferenceLines } from "../preference/preference-lines.ts";
import { rewardModelLines } from "../preference/reward-model-lines.ts";
import type { ArgumentEncoding } from "../roundtrip/roundtrip-check.ts";
import { grpoLines } from "../tasks/grpo-lines.ts";
import { HERMES_TEMPLATE } from "../template/hermes-template.ts";
import { type Span, type Trains, trainedSpans } from "../template/trained-spans.ts";
import type { TrainingRow, WireMessage } from "../training-row.ts";
import { invalidOption, trainingRows } from "../training-rows.ts";
import { withObjects } from "../trl/to-trl.ts";
import { SAMPLE_CHOSEN, SAMPLE_REJECTED, SAMPLE_ROW, SAMPLE_RULES, SAMPLE_TOOLS } from "./sample.ts";

export interface DescribeOptions {
  /** What the rows are for (the first kind that the format has). */
  kind?: RowKind;
  /** Which turns carry loss, of supervised rows. */
  maskMode?: Extract<MaskMode, string>;
  unroll?: boolean;
  /** The chat template to render the sample with. Default: one of our own, ChatML with calls as Hermes writes them. */
  template?: string;
  /** What is set in the trainer, such as `{ assistant_only_loss: true }`. */
  trainerConfig?: Readonly<Record<string, unknown>>;
}

/** A conversation as a chat template renders it. */
export interface RenderedSample {
  /** Which part of the row it is. */
  title: string;
  text: string;
  /** Characters that carry loss; none where a trainer scores, or trains what it generates. */
  spans: Span[];
}

/** What a trainer does with rows of a format, on one sample. */
export interface FormatDescription {
  format: string;
  aliases: readonly string[];
  kind: RowKind;
  kinds: readonly RowKind[];
  /** What trains, in words. */
  trains: string;
  requires: readonly Requirement[];
  /** Who decides what trains, per mask; null for rows that have no mask. */
  masks: { assistant: MaskSupport; final: MaskSupport; unroll: MaskSupport } | null;
  encoding: ArgumentEncoding;
  parallelCalls: FormatSpec["parallelCalls"];
  sources: readonly string[];
  /** The sample as lines of the file. */
  lines: string[];
  rendered: RenderedSample[];
  /** Rendered with a template that the caller gave. */
  ownTemplate: boolean;
}

const OPTIONS: readonly string[] = ["kind", "maskMode", "unroll", "template", "trainerConfig"];

/**
 * What the trainer of a format takes loss on: in words, as a row, and in a rendered conversation with the characters that
 * train. Services render with templates of their own; what is a turn there is a turn here.
 *
 * @throws ExportError `format_unknown`, `kind_unsupported`, `mask_unsupported`, `invalid_option`, `template_failed`
 */
export function describeFormat(format: string, options: DescribeOptions = {}): FormatDescription {
  checkOptions(options, OPTIONS, invalidOption);
  const spec = getFormat(format);
  const kind = options.kind ?? spec.kinds[0]!;
  if (!spec.kinds.includes(kind)) throw kindUnsupported(spec, kind);
  const template = options.template ?? HERMES_TEMPLATE;
  const { trains, requires, lines, conversations } = SAMPLES[kind](spec, options);
  const rendered = conversations.map(({ title, messages, loss, open = false }) => {
    const input = { messages: messages.map(withObjects), tools: SAMPLE_TOOLS, addGenerationPrompt: open };
    const { text, spans } = trainedSpans(template, input, loss);
    return { title, text, spans };
  });
  return {
    format: spec.name,
    aliases: spec.aliases ?? [],
    kind,
    kinds: spec.kinds,
    trains,
    requires,
    masks: kind === "sft" ? spec.masks : null,
    encoding: spec.encoding,
    parallelCalls: spec.parallelCalls,
    sources: spec.sources,
    lines,
    rendered,
    ownTemplate: options.template !== undefined,
  };
}

interface Sample {
  trains: string;
  requires: readonly Requirement[];
  lines: string[];
  conversations: { title: string; messages: readonly WireMessage[]; loss: Trains; open?: boolean }[];
}

const GIVEN = { systemPrompt: SAMPLE_RULES, tools: SAMPLE_TOOLS };
const PAIR = { prompt: "Refund order 42.", chosen: SAMPLE_CHOSEN, rejected: SAMPLE_REJECTED };

const SAMPLES: Readonly<Record<RowKind, (spec: FormatSpec, options: DescribeOptions) => Sample>> = {
  sft(spec, { maskMode = "assistant", unroll = false, trainerConfig = {} }) {
    const how = { ...GIVEN, maskMode, unroll };
    const config = spec.options.includes("trainerConfig") ? { trainerConfig } : {};
    const { lines, report } = exportLines([SAMPLE_ROW], { ...how, ...config, format: spec.name });
    const whole = report.maskedMessages === 0;
    return {
      trains: report.maskMode,
      requires: report.requires,
      lines,
      conversations: trainingRows([SAMPLE_ROW], how).map((row, index, all) => ({
        title: all.length === 1 ? "the row" : `row ${index + 1} of ${all.length}`,
        ...conversationOf(row, whole),
      })),
    };
  },
  preference(spec) {
    const { lines, report } = preferenceLines([PAIR], { ...GIVEN, format: spec.name });
    const isTurn = spec.preference!.sides === "turn";
    return {
      trains: isTurn
        ? "the one turn in which the sides part: the trainer makes the chosen one likelier than the rejected one; what they share is the prompt and carries no loss"
        : "nothing as it stands: two whole conversations for storage; write them in the format of a trainer",
      requires: report.requires,
      lines,
      conversations: [sideOf("chosen", SAMPLE_CHOSEN, isTurn), sideOf("rejected", SAMPLE_REJECTED, isTurn)],
    };
  },
  "reward-model"(spec) {
    const { lines, report } = rewardModelLines([PAIR], { ...GIVEN, format: spec.name });
    return {
      trains:
        "a score of each whole conversation, read at its last token: that of the chosen one is to be the higher; no token carries a loss of its own",
      requires: report.requires,
      lines,
      conversations: [sideOf("chosen", SAMPLE_CHOSEN, false), sideOf("rejected", SAMPLE_REJECTED, false)],
    };
  },
  kto(spec) {
    const rows = [SAMPLE_CHOSEN, { ...SAMPLE_REJECTED, scenario_id: "refund-43" }];
    const { lines, report } = ktoLines(rows, { ...GIVEN, format: spec.name });
    return {
      trains:
        "the last agent turn: likelier where label is true, less likely where it is false; the prompt carries no loss",
      requires: report.requires,
      lines,
      conversations: [sideOf("label true", SAMPLE_CHOSEN, true), sideOf("label false", SAMPLE_REJECTED, true)],
    };
  },
  grpo(spec) {
    const options = { ...GIVEN, format: spec.name, holdout: 0, band: null };
    const { lines, report } = grpoLines([SAMPLE_CHOSEN, SAMPLE_REJECTED], options);
    const { messages } = sampleRow(SAMPLE_CHOSEN);
    return {
      trains: "what the model generates behind the prompt, by its reward against the other rollouts of the same prompt",
      requires: report.requires,
      lines,
      conversations: [{ title: "the prompt", messages: messages.slice(0, 2), loss: [], open: true }],
    };
  },
};

function sampleRow(row: typeof SAMPLE_ROW): TrainingRow {
  return trainingRows([row], GIVEN)[0]!;
}

/** @param whole The trainer takes every token */
function conversationOf(
  { messages, loss_mask: mask }: TrainingRow,
  whole: boolean,
): Pick<Sample["conversations"][0], "messages" | "loss"> {
  const turns = mask.flatMap((bit, at) => (bit === 1 ? [at] : []));
  return { messages: messages.slice(0, whole ? undefined : turns.at(-1)! + 1), loss: whole ? "all" : turns };
}

function sideOf(title: string, row: typeof SAMPLE_ROW, trains: boolean): Sample["conversations"][0] {
  const { messages } = sampleRow(row);
  return { title, messages, loss: trains ? [messages.length - 1] : [] };
}

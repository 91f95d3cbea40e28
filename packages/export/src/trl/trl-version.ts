import { ExportError } from "../export-error.ts";

/**
 * TRL releases whose reading of our columns was checked: the first wrote labels in its collator and reads `tools` as
 * a list alone, the others prepare labels with the dataset, patch known chat templates for `assistant_only_loss` and
 * also take `tools` as JSON text and `chat_template_kwargs` per row.
 */
export const TRL_VERSIONS = ["0.19.1", "1.13.0", "1.16.0"] as const;

export type TrlVersion = (typeof TRL_VERSIONS)[number];

export const CURRENT_TRL: TrlVersion = "1.16.0";

/** @throws ExportError `invalid_option` */
export function checkTrlVersion(version: unknown): asserts version is TrlVersion {
  if (TRL_VERSIONS.some((known) => known === version)) return;
  throw new ExportError(
    "invalid_option",
    `trlVersion is ${JSON.stringify(version)}, and what trains was checked for ${TRL_VERSIONS.join(", ")}.`,
    "Name the one nearer to yours; the file is the same, the sentences about it differ.",
  );
}

/** The columns that SFT rows have: whole conversations, or a prompt and the one turn that trains. */
export type TrlColumns = "messages" | "prompt_completion";

/**
 * What TRL's SFT trainer takes loss on, for a set of columns and a release. A sentence, because the answer depends on
 * a setting of the trainer that no column can carry.
 *
 * @param assistantOnly The caller says that the trainer runs with `assistant_only_loss`
 */
export function trlTrains(columns: TrlColumns, version: TrlVersion, assistantOnly: boolean): string {
  if (columns === "prompt_completion") {
    return version === "0.19.1"
      ? "last assistant turn only, exactly as the mask asks: TRL 0.19.1 builds completion_mask from prompt and completion, and its collator drops the prompt's tokens from the loss"
      : `last assistant turn only, exactly as the mask asks: TRL ${version} labels the completion alone as soon as its first row has prompt and completion`;
  }
  if (assistantOnly) {
    return version === "0.19.1"
      ? "assistant turns only, as trainerConfig states assistant_only_loss, and only under a chat template with a {% generation %} block: TRL 0.19.1 reads assistant_masks from it"
      : `assistant turns only, as trainerConfig states assistant_only_loss: TRL ${version} labels what the chat template's {% generation %} block encloses, its own patched template for families it knows`;
  }
  return version === "0.19.1"
    ? "every token of the rows trains, rules, asks and tool output included, unless assistant_only_loss is set under a chat template with a {% generation %} block; the collator of TRL 0.19.1 drops tokens only by completion_mask and assistant_masks, which the trainer builds itself, so a loss_mask column would be ignored and is not written"
    : `every token of the rows trains, rules, asks and tool output included, unless assistant_only_loss is set; TRL ${version} then needs a {% generation %} block, which it patches into the templates of families it knows`;
}

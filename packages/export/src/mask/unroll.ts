import { sha1Hex, textOf } from "@while/schema";
import type { TrainingRow, WireMessage } from "../training-row.ts";

/**
 * One sample for each agent turn that carries loss: the conversation up to and including it, with loss on it alone.
 * Each turn then trains once, with exactly the context it had (Lambert 2025, chapter Instruction Tuning), at about
 * (turns + 1) / 2 times the tokens. `unroll` says which turn of how many; the reward on each sample is the whole
 * conversation's.
 *
 * @param row With the mask of all turns that may train; the tool-output counts are written anew, per sample
 * @param cuts Code points cut from tool messages, by message
 * @param turns Agent turns with text or a call
 * @returns The row as it stands when no turn carries loss
 */
export function unroll(row: TrainingRow, cuts: ReadonlyMap<number, number>, turns: readonly number[]): TrainingRow[] {
  const samples: TrainingRow[] = [];
  for (const [index, at] of turns.entries()) {
    if (row.loss_mask[at] === 0) continue;
    const messages = row.messages.slice(0, at + 1);
    const { loss_mask, messages: whole, lineage, schema_version, train_turns, ...carried } = withoutCuts(row);
    samples.push({
      messages,
      loss_mask: messages.map((_, i) => (i === at ? 1 : 0)),
      ...carried,
      ...cutCounts(cuts, at),
      unroll: { turn: index + 1, turns: turns.length },
      lineage: { ...lineage, unrolled_from: unrolledFrom(row) },
      schema_version,
    });
  }
  return samples.length === 0 ? [{ ...row, ...cutCounts(cuts, row.messages.length) }] : samples;
}

/** Tool messages cut before a message, and the code points cut from them; nothing when none was. */
export function cutCounts(cuts: ReadonlyMap<number, number>, before: number): Partial<TrainingRow> {
  let truncated = 0;
  let chars = 0;
  for (const [at, cut] of cuts) {
    if (at >= before) continue;
    truncated++;
    chars += cut;
  }
  return truncated === 0 ? {} : { tool_output_truncated: truncated, tool_output_chars_cut: chars };
}

/** Places of the agent's turns that say or call something. */
export function spokenTurns(messages: readonly WireMessage[], isEmpty: (message: WireMessage) => boolean): number[] {
  return messages.flatMap((message, index) => (message.role === "assistant" && !isEmpty(message) ? [index] : []));
}

/** The counts of a file that was cut before are of the whole row. */
function withoutCuts({ tool_output_truncated, tool_output_chars_cut, ...row }: TrainingRow): TrainingRow {
  return row as TrainingRow;
}

function unrolledFrom(row: TrainingRow): Record<string, unknown> {
  const { prompt, rollout_index, scenario_id } = row;
  return {
    prompt_sha1: sha1Hex(textOf(prompt)).slice(0, 12),
    rollout_index: rollout_index ?? null,
    ...(scenario_id === undefined ? {} : { scenario_id }),
  };
}

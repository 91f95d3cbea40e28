import { taskKey } from "../task-key.ts";
import { openaiMessage, retold, rowChat } from "./row-chat.ts";
import { CHAT_KEYS, keysBesides, type RowsWriter } from "./rows-writer.ts";

const HELD: ReadonlySet<string> = new Set([...CHAT_KEYS, "rollout_id", "rollout_index", "tools", "loss_mask"]);

/**
 * A line of `messages` a row, as OpenAI fine-tunes on them, with the tools, `weight` where a row has a loss mask, and
 * beside them the row's ids and reward. A row that says nothing at all has no line.
 */
export const openaiWriter: RowsWriter = {
  name: "openai",
  *pieces(source, tally) {
    for (const row of source.rows) {
      const { turns, left } = rowChat(row, source);
      if (!turns.some(({ role }) => role !== "system" && role !== "developer")) {
        tally.leaveOut("has no conversation");
        continue;
      }
      tally.leave([...left, ...keysBesides(row, HELD)]);
      tally.change(retold(row, turns));
      tally.written();
      const { rollout_id, rollout_index, reward } = row;
      const tools = Array.isArray(row.tools) && row.tools.length > 0 ? row.tools : source.tools;
      const key = taskKey(row);
      const line = {
        messages: turns.map(openaiMessage),
        ...(tools === undefined || tools.length === 0 ? {} : { tools }),
        ...(key === "" ? {} : { task_id: key }),
        ...(rollout_id == null ? {} : { rollout_id }),
        ...(rollout_index == null ? {} : { rollout_index }),
        ...(reward == null ? {} : { reward }),
      };
      yield `${JSON.stringify(line)}\n`;
    }
  },
};

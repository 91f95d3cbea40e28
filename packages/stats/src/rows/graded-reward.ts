import type { Row } from "@while/schema";
import { readNumber } from "./read-number.ts";

/** Any verdict, partial credit included: the first finite number of `reward` and `qwen_reward`. Booleans are none. */
export function gradedReward(row: Row): number | null {
  return readNumber(row.reward) ?? readNumber(row.qwen_reward);
}

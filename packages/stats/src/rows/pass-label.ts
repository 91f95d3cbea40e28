import type { Row } from "@while/schema";
import { readNumber } from "./read-number.ts";

/**
 * The binary outcome under `key`: 0 or 1, also as text ("1", "1.0", " 0 "); null when missing, a boolean, not a number
 * or anything else. Partial credit is not rounded: 0.9999999 is not a pass.
 */
export function binaryReward(row: Row, key = "reward"): 0 | 1 | null {
  const value = readNumber(row[key]);
  if (value === 1) return 1;
  return value === 0 ? 0 : null;
}

/** What pass@k counts: `reward` where it is binary, else `qwen_reward` where that is. */
export function passLabel(row: Row): 0 | 1 | null {
  return binaryReward(row) ?? binaryReward(row, "qwen_reward");
}

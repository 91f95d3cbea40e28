import type { Row } from "@while/schema";

/** The row with the reward its grader gave, whatever the overlong penalty has made of it since. */
export function asJudged(row: Row): Row {
  const { reward_before_penalty: judged } = row;
  return judged === null || judged === undefined ? row : { ...row, reward: judged };
}

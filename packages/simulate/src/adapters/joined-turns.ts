import { splitUserTurns } from "../agent/user-turns.ts";

/** What the person says as one message, for an agent that is asked once: several turns stand apart by a blank line. */
export function joinedTurns(message: string): string {
  return splitUserTurns(message).join("\n\n");
}

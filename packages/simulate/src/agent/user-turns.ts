/** Stands between the lines of a message that holds several turns of the person. */
const TURN_MARK = "\n<USER_TURN>\n";

/** The person's turns in a message, trimmed; the message itself when it holds one. */
export function splitUserTurns(message: string): string[] {
  const turns = message
    .split(TURN_MARK)
    .map((turn) => turn.trim())
    .filter((turn) => turn !== "");
  return turns.length > 1 ? turns : [message];
}

/** One message of several turns. A turn that holds the mark itself would be read as two; it loses its brackets. */
export function joinUserTurns(turns: readonly string[]): string {
  return turns.map((turn) => turn.replaceAll("<USER_TURN>", "USER_TURN")).join(TURN_MARK);
}

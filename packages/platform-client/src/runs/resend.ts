import type { Transport } from "../transport/transport.ts";
import type { Warn } from "../transport/warning.ts";
import { isAway, type Spool } from "./outbox.ts";

export interface Resent {
  sent: number;
  /** Calls that the platform refuses for good; they are dropped. */
  refused: number;
  /** Calls that wait, as the platform is away. */
  left: number;
}

/**
 * Delivers what an earlier process could not, oldest first and under the same idempotency keys: a call that had arrived
 * after all counts once. Stops at the first that is not taken, so that the order of a run's calls stays.
 */
export async function resend(transport: Transport, spool: Spool, warn: Warn): Promise<Resent> {
  const letters = await spool.left(transport.baseUrl);
  const counts: Resent = { sent: 0, refused: 0, left: letters.length };
  for (const letter of letters) {
    try {
      await transport.sendRaw(letter, TIMEOUT_S);
      counts.sent++;
    } catch (error) {
      if (isAway(error)) return counts;
      counts.refused++;
      const reason = error instanceof Error ? error.message : String(error);
      warn({ code: "refused", message: `${letter.method} ${letter.path} was refused and dropped: ${reason}` });
    }
    await spool.drop(letter);
    counts.left--;
  }
  return counts;
}

const TIMEOUT_S = 30;

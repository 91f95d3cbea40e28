import { sha256Hex } from "@while/schema";

/**
 * A fixed random order: ties go by the SHA-256 of `salt:text`, so that the winner depends on neither the machine nor
 * the order of the rows, and another salt draws other winners.
 */
export function stableKey(text: string, salt = ""): string {
  return sha256Hex(`${salt}:${text}`);
}

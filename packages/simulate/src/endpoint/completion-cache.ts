import { pyJson, sha256Hex } from "@while/schema";
import type { ModelAnswer } from "../agent/model.ts";

/** Answers of calls that were made before, by the whole of what was asked. */
export interface CompletionCache {
  /** null for a call that was never answered. */
  get(key: string): Promise<ModelAnswer | null>;
  set(key: string, answer: ModelAnswer): Promise<void>;
  /** Only answers what it has: a run that needs another call ends. For runs without a network. */
  readonly replayOnly: boolean;
}

/**
 * The name of a call: where it goes, all that it says, and which of several that say the same it is. Two rollouts of one
 * prompt never share an answer; the same rollout, run again, has its own. No key is part of it.
 */
export function completionKey(url: string, body: Readonly<Record<string, unknown>>, sample: string): string {
  return sha256Hex(pyJson([url, body, sample], { sortKeys: true, ascii: false }));
}

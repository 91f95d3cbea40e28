import type { ModelUse } from "../agent/model.ts";

/** What the calls of models in one try of a rollout used. What a cache answered used nothing. */
export class UsedByAttempt {
  private tokens = 0;
  private usd: number | null = 0;
  isAny = false;

  add({ inputTokens, outputTokens, costUsd = null, isReplayed = false }: ModelUse): void {
    if (isReplayed) return;
    this.isAny = true;
    this.tokens += inputTokens + outputTokens;
    this.usd = this.usd === null || costUsd === null ? null : this.usd + costUsd;
  }

  /** As a journal keeps it; nothing where nothing was used. */
  record(): { tokens?: number; cost_usd?: number | null } {
    return this.isAny ? { tokens: this.tokens, cost_usd: this.usd } : {};
  }
}

import type { Row } from "@while/schema";
import { promptId } from "./holdout.ts";
import { askOf, type Completion, type MonitorPrompt, messagesOf, replyOf } from "./reward-function.ts";

/** The newest training rollouts with their rewards, as rows that can be scanned. */
export class RewardBuffer {
  private rows: Row[] = [];
  private readonly size: number;

  constructor(size: number) {
    this.size = size;
  }

  /**
   * Keeps every rollout with a number for a reward; the oldest beyond the size leave.
   *
   * @param step Of the policy that they are from: rollouts of different policies are not compared with one another
   */
  add(
    prompts: readonly MonitorPrompt[],
    completions: readonly Completion[],
    rewards: readonly unknown[],
    step: number,
  ): void {
    for (const [i, reward] of rewards.entries()) {
      const [prompt, completion] = [prompts[i], completions[i]];
      if (!Number.isFinite(reward) || prompt === undefined || completion === undefined) continue;
      this.rows.push({
        task_id: `${promptId(prompt)}@${step}`,
        prompt: askOf(prompt),
        final_text: replyOf(completion),
        messages: messagesOf(prompt, completion),
        steps: [],
        reward: reward as number,
      });
    }
    if (this.rows.length > this.size) this.rows = this.rows.slice(this.rows.length - this.size);
  }

  all(): readonly Row[] {
    return this.rows;
  }
}

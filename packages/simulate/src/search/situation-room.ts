export interface SituationLimits {
  /** Situations that may be opened; null for any number. */
  situations: number | null;
  /** Prompts of one situation. */
  prompts: number;
}

/** Which situations were asked, in how many prompts, and what may still be asked of them. */
export class SituationRoom {
  private readonly limits: SituationLimits;
  private readonly counts: Map<string, number>;

  constructor(limits: SituationLimits, counts: ReadonlyMap<string, number> = new Map()) {
    this.limits = limits;
    this.counts = new Map(counts);
  }

  /** Prompts of a situation so far. */
  prompts(id: string): number {
    return this.counts.get(id) ?? 0;
  }

  /** Whether one more prompt of it may be asked. */
  isOpen(id: string): boolean {
    const { situations, prompts } = this.limits;
    if (situations === null) return true;
    const asked = this.counts.get(id);
    return asked === undefined ? this.counts.size < situations : asked < prompts;
  }

  add(id: string): void {
    this.counts.set(id, this.prompts(id) + 1);
  }

  /** Prompts that may still be asked: any number where no number of situations was asked for. */
  get left(): number {
    const { situations, prompts } = this.limits;
    if (situations === null) return Number.POSITIVE_INFINITY;
    let left = Math.max(0, situations - this.counts.size) * prompts;
    // A prompt without a cell is a situation of one wording.
    for (const [id, asked] of this.counts) if (id.startsWith("sc-")) left += Math.max(0, prompts - asked);
    return left;
  }

  /** A room of its own, to try out what a round would take. */
  copy(): SituationRoom {
    return new SituationRoom(this.limits, this.counts);
  }
}

/**
 * Finds rows of one task that carry the same `rollout_id`: a file loaded twice, say. Keeps 64 bits a row instead of
 * the id, so ten million rows take a few hundred megabytes less than a set of strings, and the chance that two
 * different ids among them look the same is 3 in a million.
 */
export class SeenRollouts {
  /** Rows whose task and id were seen before. */
  nRepeated = 0;
  private high = new Uint32Array(1024);
  private low = new Uint32Array(1024);
  private size = 0;

  /** Whether it is new. */
  add(task: number, rolloutId: string): boolean {
    const [high, low] = fingerprint(task, rolloutId);
    if (!this.insert(high, low)) {
      this.nRepeated++;
      return false;
    }
    if (++this.size * 2 > this.low.length) this.grow();
    return true;
  }

  /** Open addressing; a pair of zeros is an empty place, and no fingerprint is one. */
  private insert(high: number, low: number): boolean {
    const mask = this.low.length - 1;
    for (let at = low & mask; ; at = (at + 1) & mask) {
      if (this.high[at] === 0 && this.low[at] === 0) {
        this.high[at] = high;
        this.low[at] = low;
        return true;
      }
      if (this.high[at] === high && this.low[at] === low) return false;
    }
  }

  private grow(): void {
    const { high, low } = this;
    this.high = new Uint32Array(high.length * 2);
    this.low = new Uint32Array(low.length * 2);
    for (let i = 0; i < low.length; i++) if (high[i] !== 0 || low[i] !== 0) this.insert(high[i]!, low[i]!);
  }
}

/** Two chains of multiply and rotate over the UTF-16 units, started by the task, each mixed to the last bit. */
function fingerprint(task: number, text: string): [high: number, low: number] {
  let a = task ^ 0x9e3779b9;
  let b = Math.imul(task, 0x85ebca6b) ^ text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0xcc9e2d51);
    a = (a << 15) | (a >>> 17);
    b = Math.imul(b ^ unit, 0x1b873593);
    b = (b << 13) | (b >>> 19);
  }
  return [scramble(a ^ Math.imul(b, 5)), scramble(b) || 1];
}

function scramble(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Bytes that arrived in pieces, held as they came: one buffer for all of them would need the room of both. */
export class ByteList {
  readonly #parts: Uint8Array[] = [];
  /** Where each part begins. */
  readonly #starts: number[] = [];
  #length = 0;

  /** Keeps a copy: the bytes may be reused afterwards. */
  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#parts.push(new Uint8Array(bytes));
    this.#starts.push(this.#length);
    this.#length += bytes.length;
  }

  get length(): number {
    return this.#length;
  }

  get parts(): readonly Uint8Array[] {
    return this.#parts;
  }

  /** A view where the bytes lie in one part, a copy where they do not. */
  slice(from: number, to: number): Uint8Array {
    let part = this.#partAt(from);
    const first = this.#parts[part];
    if (first === undefined || to <= from) return new Uint8Array();
    const at = from - this.#starts[part]!;
    if (at + to - from <= first.length) return first.subarray(at, at + to - from);
    const bytes = new Uint8Array(to - from);
    let filled = 0;
    for (let start = at; filled < bytes.length; part++, start = 0) {
      const piece = this.#parts[part]!.subarray(start, start + bytes.length - filled);
      bytes.set(piece, filled);
      filled += piece.length;
    }
    return bytes;
  }

  /** Index of the part in which a byte lies. */
  #partAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

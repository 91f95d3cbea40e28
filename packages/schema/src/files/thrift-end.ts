/** Deeper than any structure of a Parquet file. */
const MAX_DEPTH = 32;

const STOP = 0;
const BINARY = 8;
const STRUCT = 12;
/** Bytes of the types that are always as long; null where it depends on the value. */
const BYTES: readonly (number | null)[] = [0, 0, 0, 1, null, null, null, 8, null, null, null, null, null, 16];

/**
 * Where a structure in Thrift's compact spelling ends, walked without building it. A damaged length makes a reader that
 * trusts it work for minutes: a list that claims more elements than there are bytes left is refused here, before the
 * bytes are read in earnest.
 *
 * @throws RangeError when the bytes end inside the structure; Error when it cannot be one
 */
export function thriftEnd(view: DataView, start: number): number {
  let at = start;
  const byte = (): number => view.getUint8(at++);
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift > 63) throw new Error("a number in its header is too long");
      const next = byte();
      value += (next & 0x7f) * 2 ** shift;
      if (next < 0x80) return value;
    }
  };
  const forward = (bytes: number): void => {
    at += bytes;
    if (at > view.byteLength) throw new RangeError("The bytes end inside a structure.");
  };
  const counted = (count: number): number => {
    if (count > view.byteLength - at) throw new Error(`a list in its header claims ${count} elements`);
    return count;
  };
  const element = (type: number, depth: number): void => {
    const bytes = BYTES[type];
    if (bytes === undefined || type === STOP) throw new Error(`a field in its header is of the kind ${type}`);
    // A truth value stands in the kind of its field, and in a list is a byte.
    if (bytes !== null) forward(bytes);
    else if (type === BINARY) forward(varint());
    else if (type === STRUCT) struct(depth + 1);
    else if (type < BINARY) varint();
    else list(type, depth);
  };
  const list = (type: number, depth: number): void => {
    if (type === 11) {
      const count = counted(varint());
      const kinds = count === 0 ? 0 : byte();
      for (let i = 0; i < count; i++) {
        element(kinds >> 4, depth + 1);
        element(kinds & 15, depth + 1);
      }
      return;
    }
    const head = byte();
    const count = counted(head >> 4 === 15 ? varint() : head >> 4);
    for (let i = 0; i < count; i++) {
      if ((head & 15) <= 2) forward(1);
      else element(head & 15, depth + 1);
    }
  };
  const struct = (depth: number): void => {
    if (depth > MAX_DEPTH) throw new Error("its header is nested too deep");
    for (let head = byte(); (head & 15) !== STOP; head = byte()) {
      if (head >> 4 === 0) varint();
      element(head & 15, depth);
    }
  };
  struct(0);
  return at;
}

/** The same numbers with room for `length` of them, and for twice as many as before. */
export function longer<T extends Uint16Array | Uint32Array | Int32Array>(array: T, length: number): T {
  const Kind = array.constructor as new (length: number) => T;
  const copy = new Kind(Math.max(2 * array.length, length));
  copy.set(array);
  return copy;
}

/**
 * Length of a text in Unicode code points, the unit of every length and cap in reports: "📦é" is 2, where
 * `length` counts 3 UTF-16 units. Half a surrogate pair counts as one.
 */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if (isHigh(text.charCodeAt(i)) && isLow(text.charCodeAt(i + 1))) {
      length--;
      i++;
    }
  }
  return length;
}

/** The first `n` code points of a text; never cuts through a surrogate pair. */
export function cutCodePoints(text: string, n: number): string {
  if (text.length <= n) return text;
  let end = 0;
  for (let taken = 0; taken < n && end < text.length; taken++) {
    end += isHigh(text.charCodeAt(end)) && isLow(text.charCodeAt(end + 1)) ? 2 : 1;
  }
  return text.slice(0, end);
}

/**
 * Order of two texts by code point, which is the order of their UTF-8 bytes, of Python and of SQL's `COLLATE "C"`.
 * A bare `<` compares UTF-16 units and puts 😀 before Ａ.
 *
 * @returns Negative, 0 or positive, as `Array.prototype.sort` wants it
 */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    if (x < 0xd800 && y < 0xd800) return x - y;
    // Both may be second halves of the pairs that began one unit before.
    const start = i > 0 && isHigh(a.charCodeAt(i - 1)) && (isLow(x) || isLow(y)) ? i - 1 : i;
    return a.codePointAt(start)! - b.codePointAt(start)!;
  }
  return a.length - b.length;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

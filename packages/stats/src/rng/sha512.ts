/**
 * SHA-512 of some bytes (FIPS 180-4), synchronous and without any platform, because a string seed of CPython's
 * generator is its text followed by this digest. Words are pairs of 32-bit halves: BigInt is twenty times slower.
 */
export function sha512(message: Uint8Array): Uint8Array {
  const { key, initial } = constants();
  const blocks = new DataView(padded(message).buffer);
  const state = Int32Array.from(initial);
  const w = new Int32Array(160);
  for (let start = 0; start < blocks.byteLength; start += 128) {
    for (let i = 0; i < 32; i++) w[i] = blocks.getInt32(start + 4 * i);
    for (let i = 32; i < 160; i += 2) expand(w, i);
    compress(state, w, key);
  }
  const digest = new DataView(new ArrayBuffer(64));
  state.forEach((half, i) => {
    digest.setInt32(4 * i, half);
  });
  return new Uint8Array(digest.buffer);
}

/** The message, a one bit, zeros, and the length in bits, to a multiple of 128 bytes. */
function padded(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((message.length + 17) / 128) * 128);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(bytes.length - 4, (message.length << 3) >>> 0);
  return bytes;
}

/** Word t of the schedule (at t and t + 1 as halves): sigma1(w[t-2]) + w[t-7] + sigma0(w[t-15]) + w[t-16]. */
function expand(w: Int32Array, t: number): void {
  const h2 = w[t - 4]!;
  const l2 = w[t - 3]!;
  const h15 = w[t - 30]!;
  const l15 = w[t - 29]!;
  const s1h = ((h2 >>> 19) | (l2 << 13)) ^ ((l2 >>> 29) | (h2 << 3)) ^ (h2 >>> 6);
  const s1l = ((l2 >>> 19) | (h2 << 13)) ^ ((h2 >>> 29) | (l2 << 3)) ^ ((l2 >>> 6) | (h2 << 26));
  const s0h = ((h15 >>> 1) | (l15 << 31)) ^ ((h15 >>> 8) | (l15 << 24)) ^ (h15 >>> 7);
  const s0l = ((l15 >>> 1) | (h15 << 31)) ^ ((l15 >>> 8) | (h15 << 24)) ^ ((l15 >>> 7) | (h15 << 25));
  const low = (s1l >>> 0) + (w[t - 13]! >>> 0) + (s0l >>> 0) + (w[t - 31]! >>> 0);
  w[t] = s1h + w[t - 14]! + s0h + w[t - 32]! + carry(low);
  w[t + 1] = low;
}

const carry = (low: number): number => Math.floor(low / 2 ** 32);

/** Eighty rounds over one block. `v` holds a to h as pairs of halves. */
function compress(state: Int32Array, w: Int32Array, key: Int32Array): void {
  const v = Int32Array.from(state);
  for (let t = 0; t < 160; t += 2) {
    const ah = v[0]!;
    const al = v[1]!;
    const eh = v[8]!;
    const el = v[9]!;
    const S1h = ((eh >>> 14) | (el << 18)) ^ ((eh >>> 18) | (el << 14)) ^ ((el >>> 9) | (eh << 23));
    const S1l = ((el >>> 14) | (eh << 18)) ^ ((el >>> 18) | (eh << 14)) ^ ((eh >>> 9) | (el << 23));
    const chooseH = (eh & v[10]!) ^ (~eh & v[12]!);
    const chooseL = (el & v[11]!) ^ (~el & v[13]!);
    const t1l = (v[15]! >>> 0) + (S1l >>> 0) + (chooseL >>> 0) + (key[t + 1]! >>> 0) + (w[t + 1]! >>> 0);
    const t1h = (v[14]! + S1h + chooseH + key[t]! + w[t]! + carry(t1l)) | 0;
    const S0h = ((ah >>> 28) | (al << 4)) ^ ((al >>> 2) | (ah << 30)) ^ ((al >>> 7) | (ah << 25));
    const S0l = ((al >>> 28) | (ah << 4)) ^ ((ah >>> 2) | (al << 30)) ^ ((ah >>> 7) | (al << 25));
    const majorityH = (ah & v[2]!) ^ (ah & v[4]!) ^ (v[2]! & v[4]!);
    const majorityL = (al & v[3]!) ^ (al & v[5]!) ^ (v[3]! & v[5]!);
    const t2l = (S0l >>> 0) + (majorityL >>> 0);
    const t2h = (S0h + majorityH + carry(t2l)) | 0;
    const newE = (v[7]! >>> 0) + (t1l % 2 ** 32);
    const newA = (t1l % 2 ** 32) + (t2l % 2 ** 32);
    const dh = v[6]!;
    v.copyWithin(2, 0, 14);
    v[8] = dh + t1h + carry(newE);
    v[9] = newE;
    v[0] = t1h + t2h + carry(newA);
    v[1] = newA;
  }
  for (let i = 0; i < 16; i += 2) {
    const low = (state[i + 1]! >>> 0) + (v[i + 1]! >>> 0);
    state[i] = state[i]! + v[i]! + carry(low);
    state[i + 1] = low;
  }
}

let cached: { key: Int32Array; initial: Int32Array } | null = null;

/**
 * The constants are the first 64 bits behind the point of the cube roots of the first 80 primes, and of the square
 * roots of the first 8. They are computed rather than typed: 88 long numbers nobody would check.
 */
function constants(): { key: Int32Array; initial: Int32Array } {
  if (cached === null) {
    const primes = firstPrimes(80);
    cached = {
      key: halves(primes.map((p) => root(p << 192n, 3n))),
      initial: halves(primes.slice(0, 8).map((p) => root(p << 128n, 2n))),
    };
  }
  return cached;
}

function halves(words: readonly bigint[]): Int32Array {
  return Int32Array.from(words.flatMap((word) => [Number((word >> 32n) & 0xffffffffn), Number(word & 0xffffffffn)]));
}

/** Largest integer whose power is at most x, by Newton's method from above. */
function root(x: bigint, degree: bigint): bigint {
  let guess = 1n << 80n;
  for (;;) {
    const next = ((degree - 1n) * guess + x / guess ** (degree - 1n)) / degree;
    if (next >= guess) return guess;
    guess = next;
  }
}

function firstPrimes(count: number): bigint[] {
  const primes: bigint[] = [];
  for (let n = 2n; primes.length < count; n++) if (primes.every((p) => n % p !== 0n)) primes.push(n);
  return primes;
}

export interface Twiddles {
  cos: Float64Array;
  sin: Float64Array;
}

/** The roots of unity of a transform of length n. One by one and not by a recurrence: the error stays at 1e-16. */
export function twiddlesOf(n: number): Twiddles {
  const angles = Float64Array.from({ length: Math.floor(n / 2) }, (_, i) => (2 * Math.PI * i) / n);
  return { cos: angles.map(Math.cos), sin: angles.map(Math.sin) };
}

/** Discrete Fourier transform in place, X[j] = Σ x[t] e^(-2πijt/N), for N a power of two (Cooley and Tukey 1965). */
export function fft(re: Float64Array, im: Float64Array, { cos, sin }: Twiddles): void {
  const n = re.length;
  swapBitReversed(re, im);
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    const stride = n / size;
    for (let start = 0; start < n; start += size) {
      for (let k = 0; k < half; k++) {
        const c = cos[k * stride]!;
        const s = sin[k * stride]!;
        const a = start + k;
        const b = a + half;
        const re2 = re[b]! * c + im[b]! * s;
        const im2 = im[b]! * c - re[b]! * s;
        re[b] = re[a]! - re2;
        im[b] = im[a]! - im2;
        re[a] = re[a]! + re2;
        im[a] = im[a]! + im2;
      }
    }
  }
}

function swapBitReversed(re: Float64Array, im: Float64Array): void {
  for (let i = 1, j = 0; i < re.length; i++) {
    let bit = re.length >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    [re[i], re[j]] = [re[j]!, re[i]!];
    [im[i], im[j]] = [im[j]!, im[i]!];
  }
}

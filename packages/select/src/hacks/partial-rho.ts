/**
 * Correlation of a and b with c held fixed, from the three plain ones; null where c leaves one of them no variance.
 */
export function partialRho(ab: number, ac: number, bc: number): number | null {
  const left = (1 - ac * ac) * (1 - bc * bc);
  if (left <= 1e-12) return null;
  return Math.max(-1, Math.min(1, (ab - ac * bc) / Math.sqrt(left)));
}

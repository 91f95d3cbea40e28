/** The few calls of jstat, which has no types, that `against-jstat.test.ts` makes. */
declare module "jstat" {
  export const jStat: {
    ibeta(x: number, a: number, b: number): number;
    gammaln(x: number): number;
    beta: { inv(p: number, a: number, b: number): number };
    studentt: { cdf(t: number, df: number): number; inv(p: number, df: number): number };
    normal: { cdf(x: number, mean: number, sd: number): number; inv(p: number, mean: number, sd: number): number };
    binomial: { pdf(k: number, n: number, p: number): number };
  };
}

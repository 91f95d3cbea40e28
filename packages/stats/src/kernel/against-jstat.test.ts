import fc from "fast-check";
import { jStat } from "jstat";
import { test } from "vitest";
import { betaInc, betaQuantile } from "./beta.ts";
import { binomialPmf } from "./binomial.ts";
import { logGamma } from "./log-gamma.ts";
import { normalCdf, normalQuantile } from "./normal.ts";
import { tCdf, tQuantile } from "./student-t.ts";

/**
 * A second opinion from a library that shares no line with ours, as near as the library itself is: its incomplete beta
 * stops at 3e-7 relative (8e-8 off at I_0.97(50, 1/2)), its normal is 0 below -8.3 and its normal quantile 3e-6 off at
 * 1 - 1e-12. That is why it is the check and not the kernel.
 */
function agrees(name: string, ours: number, theirs: number, slack: number): void {
  if (!(Math.abs(ours - theirs) <= slack)) throw new Error(`${name}: ours ${ours}, jstat ${theirs}`);
}

const shape = fc.integer({ min: 1, max: 60 });
const share = fc.double({ min: 0.01, max: 0.99, noNaN: true });

test("the incomplete beta and its quantile agree with jstat", () => {
  fc.assert(
    fc.property(shape, shape, share, (a, b, x) => {
      agrees(`betaInc(${a}, ${b}, ${x})`, betaInc(a, b, x), jStat.ibeta(x, a, b), 1e-6);
      agrees(`betaQuantile(${x}, ${a}, ${b})`, betaQuantile(x, a, b), jStat.beta.inv(x, a, b), 1e-6);
    }),
  );
});

test("Student's t agrees with jstat", () => {
  fc.assert(
    fc.property(shape, fc.double({ min: -6, max: 6, noNaN: true }), share, (df, t, level) => {
      agrees(`tCdf(${t}, ${df})`, tCdf(t, df), jStat.studentt.cdf(t, df), 1e-6);
      agrees(`tQuantile(${df}, ${level})`, tQuantile(df, level), jStat.studentt.inv((1 + level) / 2, df), 1e-4);
    }),
  );
});

test("the normal, log gamma and the binomial agree with jstat", () => {
  fc.assert(
    fc.property(fc.double({ min: -5, max: 5, noNaN: true }), share, shape, (x, p, n) => {
      agrees(`normalCdf(${x})`, normalCdf(x), jStat.normal.cdf(x, 0, 1), 1e-12);
      agrees(`normalQuantile(${p})`, normalQuantile(p), jStat.normal.inv(p, 0, 1), 1e-9);
      agrees(`logGamma(${n + p})`, logGamma(n + p), jStat.gammaln(n + p), 1e-9);
      agrees(`binomialPmf(1, ${n}, ${p})`, binomialPmf(1, n, p), jStat.binomial.pdf(1, n, p), 1e-9);
    }),
  );
});

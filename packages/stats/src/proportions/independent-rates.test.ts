import fc from "fast-check";
import { expect, test } from "vitest";
import { agrestiCaffo } from "./agresti-caffo.ts";
import { fisherExact } from "./fisher-exact.ts";
import { newcombeIndependent } from "./newcombe-independent.ts";
import type { SuccessCount } from "./success-count.ts";
import { twoProportionP } from "./two-proportion-p.ts";

const SLACK = 1e-12;
const arms = fc.integer({ min: 1, max: 80 }).chain((n) => fc.record({ successes: fc.nat(n), n: fc.constant(n) }));
const failures = ({ successes, n }: SuccessCount) => ({ successes: n - successes, n });

test.each([twoProportionP, fisherExact])(
  "a p-value is a share, whichever side comes first and what is counted",
  (of) => {
    fc.assert(
      fc.property(arms, arms, (before, after) => {
        const p = of(before, after);
        for (const other of [of(after, before), of(failures(before), failures(after))]) {
          if (p === null) expect(other).toBeNull();
          else expect(other).toBeCloseTo(p, 12);
        }
        if (p === null) return;
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
      }),
    );
  },
);

test("equal rates have p 1", () => {
  fc.assert(
    fc.property(arms, (arm) => {
      expect(fisherExact(arm, arm)).toBeCloseTo(1, 12);
      expect(twoProportionP(arm, arm) ?? 1).toBe(1);
    }),
  );
});

test.each([agrestiCaffo, newcombeIndependent])(
  "the interval lies in [-1, 1], turns with the sides and the count, and is no point",
  (of) => {
    fc.assert(
      fc.property(arms, arms, (before, after) => {
        const { delta, ci95 } = of(before, after)!;
        expect(ci95[0]).toBeGreaterThanOrEqual(-1 - SLACK);
        expect(ci95[1]).toBeLessThanOrEqual(1 + SLACK);
        expect(ci95[1] - ci95[0]).toBeGreaterThan(0);
        for (const turned of [of(after, before)!, of(failures(before), failures(after))!]) {
          expect(turned.delta).toBeCloseTo(-delta, 12);
          expect(turned.ci95[0]).toBeCloseTo(-ci95[1], 12);
          expect(turned.ci95[1]).toBeCloseTo(-ci95[0], 12);
        }
      }),
    );
  },
);

test("Newcombe's interval contains the difference that was seen", () => {
  fc.assert(
    fc.property(arms, arms, (before, after) => {
      const { delta, ci95 } = newcombeIndependent(before, after)!;
      expect(ci95[0]).toBeLessThanOrEqual(delta + SLACK);
      expect(ci95[1]).toBeGreaterThanOrEqual(delta - SLACK);
    }),
  );
});

test("no rows on a side measure nothing", () => {
  const none = { successes: 0, n: 0 };
  const some = { successes: 3, n: 5 };
  for (const of of [twoProportionP, agrestiCaffo, newcombeIndependent]) {
    expect(of(none, some)).toBeNull();
    expect(of(some, none)).toBeNull();
  }
  expect(fisherExact(none, some)).toBe(1);
});

test.each([twoProportionP, fisherExact, agrestiCaffo, newcombeIndependent])("counts are checked", (of) => {
  expect(() => of({ successes: 3, n: 2 }, { successes: 1, n: 2 })).toThrow("3 successes of 2");
  expect(() => of({ successes: 1, n: 2 }, { successes: 0.5, n: 2 })).toThrow("0.5 successes of 2");
});

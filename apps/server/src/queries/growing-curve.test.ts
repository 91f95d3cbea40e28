import { trainCurve } from "@while/platform-client/rules";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { withApp } from "../../test/with-app.ts";
import { CurveCache } from "../runs/curve-cache.ts";
import { pointsOf, pointWire } from "./points.ts";
import { getRun } from "./runs.ts";

const point = fc.record({
  step: fc.nat(30),
  loss: fc.constantFrom(1, 2, null, "NaN"),
  name: fc.constantFrom("reward", "kl", "own"),
  value: fc.integer({ min: -5, max: 5 }),
});

describe.each(databases)("a curve that grows on $kind", ({ kind, open }) => {
  test("is what reading all of it gives, whatever came since and in which order", { timeout: 300_000 }, async () => {
    const app = await withApp(await open());
    const { db } = app.services;
    const { accountId, key } = await app.account();
    await app.call("POST", "/agents", { id: "bot", name: "bot" }, { key });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(point, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (batches, tracked) => {
          const opened = tracked ? { agent: "bot", version: "v1" } : { name: "trainer" };
          const { id } = (await app.call("POST", "/runs", opened, { key })).body;
          const cache = new CurveCache();
          for (const [i, batch] of batches.entries()) {
            const points = batch.map(({ step, loss, name, value }) => ({ step, loss, [name]: value, ts: i + 1 }));
            const [path, body] = tracked ? ["train", points] : ["log", { points }];
            await app.call("POST", `/runs/${id}/${path}`, body, { key });
            const run = await getRun(db, accountId, id);
            const all = (await pointsOf(db, run.uid)).map(pointWire);
            const curve = await cache.of(db, run);
            const whole = trainCurve({ id }, all);
            expect([curve.steps, curve.loss, curve.series]).toEqual([whole.steps, whole.loss, whole.series]);
            const part = await cache.of(db, run, { from: 5, to: 20 });
            const wanted = trainCurve(
              { id },
              all.filter(({ step }) => step >= 5 && step <= 20),
            );
            expect([part.steps, part.reward, part.kl]).toEqual([wanted.steps, wanted.reward, wanted.kl]);
          }
        },
      ),
      { numRuns: kind === "sqlite" ? 60 : 20, seed: 3 },
    );
    await app.close();
  });

  test("many who look at once, while points come, all see a whole curve", async () => {
    const app = await withApp(await open());
    const { accountId, key } = await app.account();
    const { id } = (await app.call("POST", "/runs", { name: "trainer" }, { key })).body;
    const cache = new CurveCache();
    const looks: Promise<number>[] = [];
    for (let from = 0; from < 500; from += 50) {
      const points = Array.from({ length: 50 }, (_, k) => ({ step: from + k, loss: k }));
      await app.call("POST", `/runs/${id}/log`, { points }, { key });
      const run = await getRun(app.services.db, accountId, id);
      for (let i = 0; i < 3; i += 1)
        looks.push(
          cache.of(app.services.db, run, { maxPoints: 1000 + i }).then(({ totalPoints }) => totalPoints - from),
        );
    }
    expect((await Promise.all(looks)).every((seen) => seen >= 50)).toBe(true);
    await app.close();
  });
});

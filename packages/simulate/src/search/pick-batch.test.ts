import { expect, test } from "vitest";
import type { PlannedTask } from "../engine/task.ts";
import { type Candidate, type PickOptions, pickBatch } from "./pick-batch.ts";

const candidate = (at: number, more: Partial<Candidate> = {}, task: Partial<PlannedTask> = {}): Candidate => ({
  ...{ arm: "structured", family: `f${at}`, copies: 0 },
  task: {
    ...{
      prompt: `p${at}`,
      scenarioId: `sc-${at}`,
      assignment: { stance: "ordinary" },
      arm: "structured",
      faults: null,
    },
    ...{ worldState: null, tags: {}, writerModel: "template", selectionReason: "novelty", ...task },
  },
  ...more,
});
const FAULT = { faults: { get_order: { mode: "timeout", rate: 1 } } };
/** In the order given, each a little nearer than the one before. */
const far = (n: number) => Array.from({ length: n }, (_, at) => ({ at, novelty: 0.4 - at / 1000 }));
const pick = (candidates: readonly Candidate[], more: Partial<PickOptions> = {}): string[] =>
  pickBatch(candidates, {
    ...{ far: far(candidates.length), quota: { structured: 4 }, hardShare: 0, nFaulty: 0, families: new Map() },
    ...{ familyCap: 16, seed: 0, round: 40, ...more },
  }).map(({ prompt }) => prompt);
const many = (n: number, of: (at: number) => Candidate = (at) => candidate(at)) =>
  Array.from({ length: n }, (_, at) => of(at));

test("the farthest come first, after situations with fewer rows", () => {
  expect(pick(many(8))).toEqual(["p0", "p1", "p2", "p3"]);
  expect(pick(many(8, (at) => candidate(at, { copies: at < 3 ? 1 : 0 })))).toEqual(["p3", "p4", "p5", "p6"]);
});

test("a copy of what was asked is out", () => {
  const candidates = many(6);
  const near = far(6).map((one) => (one.at === 1 ? { ...one, novelty: 0.04 } : one));
  expect(pick(candidates, { far: near })).toEqual(["p0", "p2", "p3", "p4"]);
});

test("a full family is out, but for situations that nobody has seen", () => {
  const families = new Map([["full", 15]]);
  const seen = many(8, (at) => candidate(at, { family: at < 4 ? "full" : `f${at}`, copies: 1 }));
  expect(pick(seen, { families })).toEqual(["p0", "p4", "p5", "p6"]);
  const unseen = many(8, (at) => candidate(at, { family: at < 4 ? "full" : `f${at}` }));
  expect(pick(unseen, { families })).toEqual(["p0", "p1", "p2", "p3"]);
});

test("arms have their parts, and failing tasks theirs; where one kind runs out the other fills", () => {
  const arms = many(8, (at) => candidate(at, { arm: at % 2 ? "llm_guided" : "structured" }));
  expect(pick(arms, { quota: { structured: 1, llm_guided: 3 } })).toEqual(["p0", "p1", "p3", "p5"]);
  const faulty = many(8, (at) => candidate(at, {}, at > 4 ? FAULT : {}));
  expect(pick(faulty, { nFaulty: 2 })).toEqual(["p0", "p1", "p5", "p6"]);
  expect(pick(many(3), { nFaulty: 2 })).toEqual(["p0", "p1", "p2"]);
});

test("while it is hot, strangers take places of the least new, and failing ones only those of failing ones", () => {
  // Seen situations are behind, however strange their words are.
  const candidates = many(24, (at) => candidate(at, { copies: at < 8 ? 0 : 1 }, at % 4 === 3 ? FAULT : {}));
  const strange = far(24).map((one) => (one.at < 8 ? one : { ...one, novelty: 0.95 - one.at / 1000 }));
  const options = { far: strange, quota: { structured: 8 }, nFaulty: 2 };
  const hot = pickBatch(candidates, {
    ...{ ...options, hardShare: 0, families: new Map(), familyCap: 16, seed: 0, round: 0 },
  });
  const annealed = hot.filter(({ selectionReason }) => selectionReason === "annealed");
  expect(annealed.length).toBe(3);
  expect(hot).toHaveLength(8);
  expect(hot.filter(({ faults }) => faults !== null)).toHaveLength(2);
  expect(new Set(hot.map(({ prompt }) => prompt)).size).toBe(8);
  const cold = pickBatch(candidates, {
    ...{ ...options, hardShare: 0, families: new Map(), familyCap: 16, seed: 0, round: 200 },
  });
  expect(cold.filter(({ selectionReason }) => selectionReason === "annealed")).toEqual([]);
});

test("prompts without a cell have their share, and take no other's place", () => {
  const candidates = many(8, (at) =>
    at < 4 ? candidate(at, { arm: "open_ended" }, { assignment: null }) : candidate(at),
  );
  expect(pick(candidates, { quota: { structured: 3, open_ended: 1 }, round: 0 })).toEqual(["p0", "p4", "p5", "p6"]);
});

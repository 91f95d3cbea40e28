import { expect, test } from "vitest";
import { putBehavior } from "./behaviors.ts";
import * as caps from "./caps.ts";
import { putExperiment } from "./experiment.ts";
import { putFigure } from "./figures.ts";
import { postLive } from "./live.ts";
import { parseBody } from "./parse-body.ts";
import { postLog, postTrain } from "./points.ts";
import type { Route } from "./route.ts";
import { postRows } from "./rows.ts";
import { openRun, patchRun } from "./runs.ts";
import { postEvals } from "./scores.ts";

/** One code point, two UTF-16 units: a cap that counts units would stop half way. */
const text = (n: number) => "😀".repeat(n);
const times = <T>(n: number, item: T): T[] => Array.from({ length: n }, () => item);
const trace = { x: [1], y: [2] };
const run = { agent: "a", version: "v1" };
const day = { agent: "a", day: "2026-09-17", version: "v3", replies: 5 };

/** The code of the refusal, or `ok`. */
function outcome<B, A, Q>(route: Route<B, A, Q>, body: unknown): string {
  try {
    parseBody(route, body);
    return "ok";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

type Case = [name: string, route: Route<never> | Route<unknown>, fits: unknown, over: unknown, code?: string];
const table: Case[] = [
  ["rubric", putBehavior, { rubric: text(4000) }, { rubric: text(4001) }],
  ["description of a behavior", putBehavior, { description: text(400) }, { description: text(401) }],
  ["tasks of a test", putBehavior, { n: 1 }, { n: 0 }],
  ["agreement", putBehavior, { judge: { agreement: 1 } }, { judge: { agreement: 1.01 } }],
  ["length bias", putBehavior, { judge: { lengthBias: -1 } }, { judge: { lengthBias: -1.01 } }],
  ["noise floor", putBehavior, { noiseFloor: 0 }, { noiseFloor: -0.1 }],
  ["grader", putBehavior, { gradedBy: "program" }, { gradedBy: "person" }],
  ["question", putExperiment, { question: text(4096) }, { question: text(4097) }],
  ["an experiment without a question", putExperiment, { question: "q" }, { hypothesis: "h" }],
  [
    "caption",
    putFigure,
    { figure: { data: [trace] }, caption: text(1024) },
    { figure: { data: [trace] }, caption: text(1025) },
  ],
  ["traces", putFigure, { figure: { data: times(50, trace) } }, { figure: { data: times(51, trace) } }],
  ["no trace", putFigure, { figure: { data: [trace] } }, { figure: { data: [] } }],
  ["trace type", putFigure, { figure: { data: [{ type: "pie" }] } }, { figure: { data: [{ type: "surface" }] } }],
  ["version", openRun, { ...run, version: text(40) }, { ...run, version: text(41) }],
  ["no version", openRun, run, { agent: "a", version: "" }],
  ["run id", openRun, { ...run, id: "r".repeat(64) }, { ...run, id: "r".repeat(65) }],
  ["run id that walks", openRun, { ...run, id: "a..b" }, { ...run, id: "../b" }],
  ["method", openRun, { ...run, method: text(20) }, { ...run, method: text(21) }],
  ["target", openRun, { ...run, targets: ["a".repeat(64)] }, { ...run, targets: ["a".repeat(65)] }],
  ["target name", openRun, { ...run, targets: ["refund_policy"] }, { ...run, targets: ["refund policy"] }],
  ["priced model", patchRun, { record: { eval: { model: text(120) } } }, { record: { eval: { model: text(121) } } }],
  ["gpu", patchRun, { record: { eval: { gpu: text(40) } } }, { record: { eval: { gpu: text(41) } } }],
  [
    "cost basis",
    patchRun,
    { record: { eval: { costBasis: text(200) } } },
    { record: { eval: { costBasis: text(201) } } },
  ],
  ["top p", patchRun, { record: { optimizer: { topP: 1 } } }, { record: { optimizer: { topP: 1.1 } } }],
  ["notes", patchRun, { notes: text(8192) }, { notes: text(8193) }],
  ["error", patchRun, { error: text(400) }, { error: text(401) }],
  ["hours", patchRun, { hours: 0 }, { hours: -1 }],
  ["steps", patchRun, { steps: 10 }, { steps: 1.5 }],
  ["status", patchRun, { status: text(40) }, { status: text(41) }],
  ["a version that stays", patchRun, { method: "SFT" }, { version: "v2" }],
  ["an agent that stays", patchRun, { archived: true }, { agent: "b" }],
  ["points of a tracked run", postTrain, times(2000, { step: 1 }), times(2001, { step: 1 }), "too_large"],
  ["no point", postTrain, [{ step: 0 }], []],
  ["step", postTrain, [{ step: 0 }], [{ step: -1 }]],
  ["whole step", postTrain, [{ step: 3 }], [{ step: 3.5 }]],
  [
    "points of a training run",
    postLog,
    { points: times(500, { step: 1 }) },
    { points: times(501, { step: 1 }) },
    "too_large",
  ],
  [
    "sample",
    postEvals,
    [{ behavior: "b", score: 1, examples: times(20, { ok: true }) }],
    [{ behavior: "b", score: 1, examples: times(21, { ok: true }) }],
  ],
  ["interval", postEvals, [{ behavior: "b", score: 1, ci: 0 }], [{ behavior: "b", score: 1, ci: -1 }]],
  ["tasks of a score", postEvals, [{ behavior: "b", score: 1, n: 1 }], [{ behavior: "b", score: 1, n: 0 }]],
  ["a score that is a number", postEvals, [{ behavior: "b", score: -3 }], [{ behavior: "b", score: "71" }]],
  [
    "rows a call",
    postRows,
    { rows: times(500, { ok: true }), offset: 0 },
    { rows: times(501, { ok: true }), offset: 0 },
    "too_large",
  ],
  ["a row that passed or not", postRows, { rows: [{ ok: false }] }, { rows: [{ ok: 1 }] }],
  ["day", postLive, [{ ...day, day: "2028-02-29" }], [{ ...day, day: "2026-02-29" }]],
  ["flagged", postLive, [{ ...day, flagged: 5 }], [{ ...day, flagged: 6 }]],
];

test.each(table)("%s: the last value that fits, and the first that does not", (_name, route, fits, over, code) => {
  expect(outcome(route as Route, fits)).toBe("ok");
  expect(outcome(route as Route, over)).toBe(code ?? "invalid_field");
});

test("text of a row has no cap on the way in: what is too long is cut and never refused", () => {
  const rows = [{ ok: true, prompt: text(50_000), why: text(9000), tags: { k: text(500) } }];
  expect(outcome(postRows as Route, { rows, offset: 0 })).toBe("ok");
});

test("a value that is no number costs nothing but itself: points come in as they are", () => {
  const point = { step: 4, loss: 1.2, kl: Number.POSITIVE_INFINITY, reward: null, note: "x" };
  expect(parseBody(postTrain, [point])).toEqual([point]);
});

test("the caps are the ones of the Python client", () => {
  const { ROW_TEXT_MAX, EXAMPLE_TEXT_MAX, EXAMPLE_WHY_MAX, TAGS_MAX, TAG_KEY_MAX, TAG_VALUE_MAX } = caps;
  expect([ROW_TEXT_MAX, EXAMPLE_TEXT_MAX, EXAMPLE_WHY_MAX, TAGS_MAX, TAG_KEY_MAX, TAG_VALUE_MAX]).toEqual([
    2000, 1200, 400, 8, 32, 80,
  ]);
});

import type { Row } from "@while/schema";
import { deltaReport, type Inference, type MersenneTwister } from "@while/stats";
import { bold, bySize, percent, standardError, table } from "./markdown.ts";
import { type Cell, type CellResult, Counter, type Hits, type Study, shareOf } from "./study.ts";
import { drawPasses, drawTasks, type Tasks, tasksOf } from "./tasks-of.ts";
import { EFFECT, FALSE_ALARMS, NO_EFFECT, type World } from "./worlds.ts";

const GUARDS = ["polite", "brief", "safe"];
const K = 4;
const SIZES = [8, 20, 50, 200];
/** Compat draws 2,000 times for each metric: on few tasks, where the two rule sets part, and in few trials. */
const COMPAT_EVERY = 4;
const COMPAT_UP_TO = 50;

/** A world and the re-runs a side; 1 is none. */
const SETTINGS: readonly { world: World; runs: number }[] = [
  ...NO_EFFECT.filter(({ name }) => name !== "split"),
  ...EFFECT.filter(({ name }) => name === "even + 0.20" || name === "easy, logit + 1"),
].flatMap((world) => [1, 3].map((runs) => ({ world, runs })));
const nameOf = ({ world, runs }: (typeof SETTINGS)[number]) =>
  `${world.name}, ${runs === 1 ? "1 run" : `${runs} runs`}`;

/** The words of a whole report: how often each is said where nothing changed, and where something did. */
export const words: Study = {
  name: "words",
  cells: SETTINGS.flatMap((setting) => SIZES.map((n) => ({ world: nameOf(setting), n, k: K }))),
  effort: 0.08,
  run({ world, n }: Cell, trials, rng): Hits {
    const setting = SETTINGS.find((one) => nameOf(one) === world)!;
    const tasks = tasksOf(setting.world);
    const counter = new Counter();
    for (let trial = 0; trial < trials; trial++) {
      const drawn = drawTasks(rng, n);
      const before = arm(rng, tasks, "before", drawn, setting.runs);
      const after = arm(rng, tasks, "after", drawn, setting.runs);
      count(counter, before, after, "strict");
      if (trial % COMPAT_EVERY === 0 && n <= COMPAT_UP_TO) count(counter, before, after, "compat");
    }
    return counter.hits;
  },
  print(results) {
    const isNull = ({ world }: Cell) => NO_EFFECT.includes(SETTINGS.find((one) => nameOf(one) === world)!.world);
    const lines = (shown: readonly CellResult[], isBad: (key: string, share: number) => boolean) =>
      table(
        ["world", "tasks", ...COLUMNS.map(([, name]) => name)],
        shown.map((result) => [
          result.world,
          String(result.n),
          ...COLUMNS.map(([key]) => {
            const share = shareOf(result, `strict ${key}`)!;
            const compat = shareOf(result, `compat ${key}`);
            return `${bold(percent(share), isBad(key, share))}${compat === null ? "" : ` / ${percent(compat)}`}`;
          }),
        ]),
      );
    const nReports = results[0]!.hits["strict PASS"]![1];
    return `## The words of \`deltaReport\`

${nReports} strict reports a cell (standard error at 5%: ${standardError(0.05, nReports)} points) and a quarter as many in compat, up to ${COMPAT_UP_TO} tasks (${standardError(0.05, nReports / COMPAT_EVERY)}).

Target \`pass_at_1\`, ${GUARDS.length} guards that never change, ${K} rollouts a task, in each of 3 re-runs where there are any. Strict / compat, in percent of the reports. Bold: a gain that is none in over ${FALSE_ALARMS.most}.

Nothing changed:

${lines(results.filter(isNull), (key, share) => GAINS.has(key) && FALSE_ALARMS.isMissed(share))}

The same by size, mean, lowest and highest of these worlds:

${bySize(
  results.filter(isNull),
  COLUMNS.flatMap(([key, name]) => [
    [`strict ${key}`, `${name}, strict`],
    [`compat ${key}`, `${name}, compat`],
  ]),
  () => false,
)}

A real gain:

${lines(
  results.filter((result) => !isNull(result)),
  () => false,
)}`;
  },
};

const GAINS = new Set(["moved", "unreplicated", "PASS"]);

const COLUMNS: readonly [key: string, name: string][] = [
  ["moved", "`moved`"],
  ["unreplicated", "`moved_unreplicated`"],
  ["wrong", "`moved_the_wrong_way`"],
  ["noise", "`within_eval_noise`"],
  ["none", "`no_change_detected`"],
  ["guard", "a guard fell"],
  ["PASS", "PASS"],
  ["NO DIFFERENCE", "NO DIFFERENCE"],
  ["FAIL", "FAIL"],
];

function count(counter: Counter, before: readonly Row[], after: readonly Row[], inference: Inference): void {
  const report = deltaReport(before, after, { target: "pass_at_1", mustNotRegress: GUARDS, inference });
  const { headline, headlineVerdict, regressions } = report;
  const said = (key: string, happened: boolean) => counter.count(`${inference} ${key}`, happened);
  said("moved", headlineVerdict === "moved");
  said("unreplicated", headlineVerdict === "moved_unreplicated");
  said("wrong", headlineVerdict === "moved_the_wrong_way");
  said("noise", headlineVerdict === "within_eval_noise");
  said("none", headlineVerdict === "no_change_detected");
  said(
    "guard",
    regressions.some((metric) => metric !== "pass_at_1"),
  );
  for (const word of ["PASS", "NO DIFFERENCE", "FAIL"]) said(word, headline === word);
}

/** Rows of one side: a reward, and guards that are as likely on either. */
function arm(rng: MersenneTwister, tasks: Tasks, side: "before" | "after", drawn: Uint32Array, runs: number): Row[] {
  const rows: Row[] = [];
  for (let run = 0; run < runs; run++) {
    const passed = drawPasses(rng, tasks[side], drawn, K);
    for (const [task, count] of passed.entries()) {
      for (let i = 0; i < K; i++) {
        const markers = Object.fromEntries(GUARDS.map((name) => [name, rng.random() < 0.8 ? 1 : 0]));
        const row: Row = { task_id: String(task), reward: i < count ? 1 : 0, markers };
        if (runs > 1) row.lineage = { eval_run: run };
        rows.push(row);
      }
    }
  }
  return rows;
}

import { parseArgs } from "node:util";
import { MersenneTwister } from "@while/stats";
import { type JudgeTrust, judgeTrust, type TrustRule, type TrustStatus } from "@while/trust";
import { percent, table } from "../calibration/markdown.ts";
import { draw, WORLDS, type World } from "./worlds.ts";

const TRIALS = 200;
const LABELS = [100, 300] as const;
const RULES: readonly TrustRule[] = ["floors", "strict"];

/** What a rule said of one judge over all trials: how often each finding failed it, or left it open, and the verdicts. */
interface Counts {
  trials: number;
  fail: Map<string, number>;
  open: Map<string, number>;
  status: Map<TrustStatus, number>;
}

type Cell = (world: World, rule: TrustRule, n: number) => Counts;

/**
 * `judge-calibration [--trials N] [--seed S] [--only WORDS]`: what each finding says of judges whose faults are known, or of
 * those whose name holds the words. Markdown.
 */
export async function judgeCalibrationCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      trials: { type: "string", default: String(TRIALS) },
      seed: { type: "string", default: "0" },
      only: { type: "string", default: "" },
    },
  });
  const trials = Number(values.trials);
  if (!Number.isSafeInteger(trials) || trials < 1) {
    throw new Error(`--trials is ${values.trials}: pass a whole number, 1 or more.`);
  }
  const asked = WORLDS.filter(({ name }) => name.includes(values.only));
  if (asked.length === 0) {
    throw new Error(`--only is ${values.only}: pass words of one of\n  ${WORLDS.map(({ name }) => name).join("\n  ")}`);
  }
  const started = performance.now();
  const cells = new Map<string, Counts>();
  for (const [i, world] of WORLDS.entries()) {
    if (!asked.includes(world)) continue;
    for (const n of LABELS) {
      for (const rule of RULES) cells.set(keyOf(world, rule, n), emptyCounts());
      for (let trial = 0; trial < trials; trial++) await tally(world, n, `${values.seed}/${i}/${n}/${trial}`, cells);
    }
    if (process.stderr.isTTY) process.stderr.write(`\r${i + 1} of ${WORLDS.length} judges`);
  }
  const cell: Cell = (world, rule, n) => cells.get(keyOf(world, rule, n))!;
  const [honest] = WORLDS;
  const parts = [
    heading(trials, values.seed),
    ...(asked.includes(honest!) ? [falseAlarms(cell)] : []),
    verdicts(asked, cell),
  ];
  process.stdout.write(`${parts.join("\n\n")}\n`);
  process.stderr.write(`${((performance.now() - started) / 1000).toFixed(0)} s\n`);
}

/** The same rows under both rules: a difference between them is theirs. */
async function tally(world: World, n: number, seed: string, cells: Map<string, Counts>): Promise<void> {
  for (const rule of RULES) {
    const { rows, judge } = draw(world, n, new MersenneTwister(seed));
    count(
      cells.get(keyOf(world, rule, n))!,
      await judgeTrust(rows, judge, { rule, probes: "all", rubric: "order amount" }),
    );
  }
}

function count(counts: Counts, { findings, status }: JudgeTrust): void {
  counts.trials++;
  add(counts.status, status);
  for (const severity of ["fail", "open"] as const) {
    const codes = findings.filter((finding) => finding.severity === severity).map(({ code }) => code);
    for (const code of new Set(codes)) add(counts[severity], code);
  }
}

function heading(trials: number, seed: string): string {
  const error = (100 * Math.sqrt(0.25 / trials)).toFixed(1);
  return `${trials} judges a cell, seed ${seed}: the standard error of a share is ${error} points at most. Each judge has labels of people on all of its rows, and is called again on 40 of them (strict: on 40 of either verdict) for its noise and for the seven standard probes.`;
}

/** Every finding that an honest judge was ever failed by, or left open by. */
function falseAlarms(cell: Cell): string {
  const [honest] = WORLDS;
  const columns = RULES.flatMap((rule) => LABELS.map((n) => ({ rule, n, counts: cell(honest!, rule, n) })));
  const seen = new Set(columns.flatMap(({ counts }) => [...counts.fail.keys(), ...counts.open.keys()]));
  const shown = (counts: Counts, code: string): string => {
    const open = shareOf(counts, counts.open.get(code));
    return `${percent(shareOf(counts, counts.fail.get(code)))}${open === 0 ? "" : `, open ${percent(open)}`}`;
  };
  return [
    "### An honest judge: how often each finding fails it",
    "Right on 92% of what people pass and of what they fail, steady, blind to length, deaf to flattery. In percent of judges; `open` is not failed but not passed either. A finding that is not listed never fired.",
    table(
      ["finding", ...columns.map(({ rule, n }) => `${rule}, ${n} labels`)],
      [
        ...[...seen].sort().map((code) => [`\`${code}\``, ...columns.map(({ counts }) => shown(counts, code))]),
        ["any of them fails it", ...columns.map(({ counts }) => percent(shareOf(counts, counts.status.get("fail"))))],
      ],
    ),
  ].join("\n\n");
}

/** What comes out of each judge, and how often the finding that it was made for fails it. */
function verdicts(worlds: readonly World[], cell: Cell): string {
  const shares = (counts: Counts): string =>
    (["pass", "inconclusive", "fail"] as const)
      .map((status) => percent(shareOf(counts, counts.status.get(status))))
      .join(" / ");
  const aimed = ({ aimed: code }: World, counts: Counts): string => {
    if (code === null) return "";
    // What the floors say of length over both labels is a note; strict says it with a finding of either name.
    const codes = code.startsWith("length")
      ? ["length_bias", "length_pooled"]
      : code === "leak"
        ? ["leak", "tnr_low"]
        : [code];
    const n = Math.max(...codes.map((name) => counts.fail.get(name) ?? 0));
    return `; ${percent(shareOf(counts, n))}`;
  };
  return [
    "### Judges with a known fault: pass / inconclusive / fail",
    "In percent of judges; behind the semicolon how often the finding it was made for fails it (the more frequent of `length_bias` and `length_pooled`, of `leak` and `tnr_low`).",
    table(
      ["judge", "aimed at", ...RULES.flatMap((rule) => LABELS.map((n) => `${rule}, ${n} labels`))],
      worlds.map((world) => [
        world.name,
        world.aimed === null ? "" : `\`${world.aimed}\``,
        ...RULES.flatMap((rule) =>
          LABELS.map((n) => {
            const counts = cell(world, rule, n);
            return `${shares(counts)}${aimed(world, counts)}`;
          }),
        ),
      ]),
    ),
  ].join("\n\n");
}

function keyOf({ name }: World, rule: TrustRule, n: number): string {
  return JSON.stringify([name, rule, n]);
}

function emptyCounts(): Counts {
  return { trials: 0, fail: new Map(), open: new Map(), status: new Map() };
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function shareOf({ trials }: Counts, n = 0): number {
  return n / trials;
}

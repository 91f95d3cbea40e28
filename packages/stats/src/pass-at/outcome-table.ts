import { isObject, isTrustedGold, type Row } from "@while/schema";
import type { Inference } from "../inference.ts";
import type { Sample } from "../interval/sample.ts";
import { mean } from "../kernel/sum.ts";
import { CopiedRepeats } from "../rows/copied-repeats.ts";
import { gradedReward } from "../rows/graded-reward.ts";
import { passLabel } from "../rows/pass-label.ts";
import { SeenRollouts } from "../rows/seen-rollouts.ts";
import { TaskIndex } from "../rows/task-index.ts";
import type { JudgedTask } from "./debiased-rate.ts";

/** Tasks with the same outcome: c of n rollouts passed. */
export interface Atom {
  n: number;
  c: number;
  /** Tasks with it. */
  count: number;
}

/** The graded tasks by their outcome, and the outcome of each task in the order of its first graded row. */
export interface Outcomes {
  atoms: Atom[];
  order: Uint32Array;
}

interface JudgeFindings {
  /** Rows that carry a judge status. */
  nRows: number;
  /** Of those, the ones whose status is not ok. */
  nFailed: number;
  /** The first few different statuses that are not ok. */
  statuses: Set<string>;
  /** The first reason a failed row gives; "" when none does. */
  reason: string;
}

/** How near 0 or 1 partial credit has to be for a reader to suspect rounding. */
const NEAR_BINARY = 1e-6;
/** Different judge statuses that are worth listing. */
const MAX_STATUSES = 5;

/**
 * Counts passes per task, row by row, and everything a report has to say about the rows it could not count. Memory
 * is a few numbers a task, and 16 bytes a row that carries a `rollout_id`.
 */
export class OutcomeTable {
  /** Rows that are 0 or 1. */
  nRows = 0;
  /** Rows with a verdict that is neither. */
  nPartial = 0;
  /** Of those, the ones within 1e-6 of 0 or 1. */
  nNearBinary = 0;
  /** Rows without any verdict. */
  nUngraded = 0;
  /** Of those, the ones that name an error instead. */
  nLost = 0;
  readonly tasks: TaskIndex;
  readonly seen: SeenRollouts = new SeenRollouts();
  private readonly copies = new CopiedRepeats();
  /** The value every verdict so far has; null before the first and once two differ. */
  onlyReward: number | null = null;
  readonly judge: JudgeFindings = { nRows: 0, nFailed: 0, statuses: new Set(), reason: "" };
  /** By task number: graded rows, passes among them, rows without a verdict. */
  private readonly graded: number[] = [];
  private readonly passed: number[] = [];
  private readonly ungraded: number[] = [];
  /** Rows graded 0 or 1 that a person or a program labeled 0 or 1 as well. */
  nGold = 0;
  /** Of the tasks that have such rows: how many, and what gold and judge passed of them. */
  private readonly labeled = new Map<number, { n: number; gold: number; judge: number }>();
  /** Task numbers in the order of their first graded row. */
  private readonly gradedTasks: number[] = [];

  constructor(inference: Inference) {
    this.tasks = new TaskIndex(inference);
  }

  add(row: Row): void {
    const task = this.tasks.add(row);
    if (task === this.graded.length) {
      this.graded.push(0);
      this.passed.push(0);
      this.ungraded.push(0);
    }
    if (typeof row.rollout_id === "string" && row.rollout_id !== "") this.seen.add(task, row.rollout_id);
    const status = this.seeJudge(row);
    const label = passLabel(row);
    const reward = label ?? gradedReward(row);
    if (reward === null) {
      this.nUngraded++;
      this.ungraded[task]!++;
      if (status === "failed" || endedInError(row)) this.nLost++;
      return;
    }
    const isFirst = this.nRows + this.nPartial === 0;
    this.seeReward(gradedReward(row) ?? reward, isFirst);
    if (label === null) {
      this.nPartial++;
      if (Math.min(Math.abs(reward), Math.abs(reward - 1)) <= NEAR_BINARY) this.nNearBinary++;
      return;
    }
    this.nRows++;
    if (this.graded[task]!++ === 0) this.gradedTasks.push(task);
    this.passed[task]! += label;
    this.copies.add(task, row);
    this.seeGold(row, task, label);
  }

  get nRowsTotal(): number {
    return this.tasks.nRows;
  }

  get nTasksTotal(): number {
    return this.tasks.size;
  }

  /** Graded tasks whose rollouts are one draw written down again. */
  get nCopiedTasks(): number {
    return this.gradedTasks.filter((task) => this.copies.isCopied(task, this.graded[task]!)).length;
  }

  outcomes(): Outcomes {
    const atoms = new Map<number, Atom>();
    const keys = new Float64Array(this.gradedTasks.length);
    for (const [i, task] of this.gradedTasks.entries()) {
      const n = this.graded[task]!;
      const c = this.passed[task]!;
      // One number for the pair: a task of 2^26 rollouts is out of reach.
      keys[i] = n * 2 ** 26 + c;
      const atom = atoms.get(keys[i]!);
      if (atom === undefined) atoms.set(keys[i]!, { n, c, count: 1 });
      else atom.count++;
    }
    const places = new Map([...atoms.keys()].map((key, place) => [key, place]));
    return { atoms: [...atoms.values()], order: Uint32Array.from(keys, (key) => places.get(key)!) };
  }

  /** Pass rate of each graded task. */
  perTask(): Map<string, number> {
    return new Map(this.gradedTasks.map((task) => [this.tasks.nameOf(task), this.passed[task]! / this.graded[task]!]));
  }

  /** Graded tasks by name, with what is labeled of them; empty without a label. */
  judgedTasks(): Map<string, JudgedTask> {
    if (this.nGold === 0) return new Map();
    return new Map(
      this.gradedTasks.map((task) => {
        const own = this.labeled.get(task);
        const labeled = own === undefined ? null : { gold: own.gold / own.n, judge: own.judge / own.n };
        return [this.tasks.nameOf(task), { judge: this.passed[task]! / this.graded[task]!, labeled }];
      }),
    );
  }

  /** Labeled rows of these tasks. */
  nLabeledOf(names: ReadonlySet<string>): number {
    let n = 0;
    for (const [task, own] of this.labeled) if (names.has(this.tasks.nameOf(task))) n += own.n;
    return n;
  }

  /** Mean pass rate over tasks when every row without a verdict is a failure; null when nothing is graded. */
  rateIfUngradedFailed(): number | null {
    if (this.nRows === 0) return null;
    const rates: number[] = [];
    for (let task = 0; task < this.graded.length; task++) {
      const planned = this.graded[task]! + this.ungraded[task]!;
      if (planned > 0) rates.push(this.passed[task]! / planned);
    }
    // By size: the order of rows is no reason for another last digit.
    return mean(rates.sort((a, b) => a - b));
  }

  private seeGold(row: Row, task: number, label: number): void {
    const { gold_reward: gold } = row;
    if ((gold !== 0 && gold !== 1) || !isTrustedGold(row)) return;
    this.nGold++;
    const own = this.labeled.get(task) ?? { n: 0, gold: 0, judge: 0 };
    this.labeled.set(task, { n: own.n + 1, gold: own.gold + gold, judge: own.judge + label });
  }

  private seeReward(reward: number, isFirst: boolean): void {
    if (isFirst) this.onlyReward = reward;
    else if (this.onlyReward !== reward) this.onlyReward = null;
  }

  private seeJudge(row: Row): "ok" | "failed" | "none" {
    const { judge_status: status, judge_meta: meta, reason } = row;
    if (typeof status !== "string" || status === "") return "none";
    this.judge.nRows++;
    if (status === "ok") return "ok";
    this.judge.nFailed++;
    if (this.judge.statuses.size < MAX_STATUSES) this.judge.statuses.add(status);
    if (this.judge.reason === "") {
      const given = [reason, isObject(meta) ? meta.error : null];
      this.judge.reason = given.find((text): text is string => typeof text === "string" && text.trim() !== "") ?? "";
    }
    return "failed";
  }
}

/** tau2-bench and its like say how a run ended; `infrastructure_error` is a run that never was. */
function endedInError(row: Row): boolean {
  return typeof row.termination_reason === "string" && row.termination_reason.endsWith("error");
}

/** Pass rate of each graded task. */
export function ratesOf({ atoms, order }: Outcomes): Sample {
  return { values: atoms.map(({ n, c }) => c / n), counts: atoms.map(({ count }) => count), order };
}

import { type HeadlineRule, isObject, type Row } from "@while/schema";
import { mean, sum } from "../kernel/sum.ts";
import { passAtKGroup, passPowKGroup } from "../pass-at/pass-k-group.ts";
import { gradedReward } from "../rows/graded-reward.ts";
import { passLabel } from "../rows/pass-label.ts";
import { readNumber } from "../rows/read-number.ts";
import { TaskIndex } from "../rows/task-index.ts";

/** The rollouts of one task, counted in every way that a tool counts them. */
interface TaskCounts {
  /** Rows graded 0 or 1, and passes among them. */
  n: number;
  passed: number;
  /** Rows whose file has a number for them, whatever it is, and the sum of those. */
  nWithNumber: number;
  numbers: number;
  /** Trials without a verdict, and what the file has for them all the same. */
  nLost: number;
  nLostWithNumber: number;
  lostNumbers: number;
}

/** Which rollouts are counted, and as what: ours to begin with, and step by step the tool's. */
export interface Counting {
  /** Rows with a reward other than 0 and 1: left out, counted as that number, or as failures. */
  others: "left_out" | "reward" | "fail";
  lost: HeadlineRule["lost"];
  trials: number | null;
  k: number;
  reducer: string | null;
  mean: HeadlineRule["mean"];
}

/** Counts the rows of one file: memory is a few numbers a task. */
export class RewardCounts {
  /** Rows the file has a number for that is not the 0 or 1 they count as: left out as partial credit, or cut. */
  nLeftOut = 0;
  nCut = 0;
  nLost = 0;
  /** Lost trials that the file has a number for. */
  nLostWithNumber = 0;
  /** What the file has for the lost trials, all together. */
  lostNumbers = 0;
  private readonly index = new TaskIndex("strict");
  private readonly tasks: TaskCounts[] = [];

  add(row: Row): void {
    const at = this.index.add(row);
    if (at === this.tasks.length) {
      this.tasks.push({ n: 0, passed: 0, nWithNumber: 0, numbers: 0, nLost: 0, nLostWithNumber: 0, lostNumbers: 0 });
    }
    const task = this.tasks[at]!;
    const { counted, number } = numbersOfFile(row);
    if (row.judge_status === "error") {
      this.nLost++;
      task.nLost++;
      if (counted !== null) {
        this.nLostWithNumber++;
        task.nLostWithNumber++;
      }
      task.lostNumbers += counted ?? 0;
      this.lostNumbers += counted ?? 0;
      return;
    }
    const label = passLabel(row);
    if (number !== null) {
      task.nWithNumber++;
      task.numbers += number;
      if (label === null) this.nLeftOut++;
      else if (number !== label) this.nCut++;
    }
    if (label === null) return;
    task.n++;
    task.passed += label;
  }

  /** Tasks with fewer trials than that, lost ones among them. */
  tasksShortOf(trials: number): number {
    return this.tasks.filter(({ nWithNumber, nLost }) => nWithNumber + nLost < trials).length;
  }

  /** Tasks with a row that counts, and the fewest and most of those that one has. */
  spread(): { nTasks: number; fewest: number; most: number } {
    const sizes = this.tasks.map(({ nWithNumber, nLost }) => nWithNumber + nLost).filter((size) => size > 0);
    const [first = 0] = sizes;
    const spread = { nTasks: sizes.length, fewest: first, most: first };
    for (const size of sizes) {
      spread.fewest = Math.min(spread.fewest, size);
      spread.most = Math.max(spread.most, size);
    }
    return spread;
  }

  /** The number that this way of counting gives; null where it gives none. */
  rate(counting: Counting): number | null {
    const counted = this.tasks.map((task) => countsOf(task, counting)).filter(({ n }) => n > 0);
    if (counting.mean === "rows") {
      const total = sum(counted.map(({ n }) => n));
      return total === 0 ? null : sum(counted.map(({ passed }) => passed)) / total;
    }
    const rates = counted.map(({ n, passed }) => rateOfTask(n, passed, counting));
    return mean(rates.filter((rate): rate is number => rate !== null));
  }
}

/** What is done with the rollouts of a task that are not averaged; null for a word that is none of these. */
export function reducerOf(name: string): ((n: number, passed: number) => number | null) | null {
  if (name === "max") return (_, passed) => (passed > 0 ? 1 : 0);
  const [, kind, digits] = /^(at_least|pass_at)_(\d+)$/.exec(name) ?? [];
  const k = Number(digits);
  if (kind === "at_least") return (_, passed) => (passed >= k ? 1 : 0);
  return kind === "pass_at" && k > 0 ? (n, passed) => passAtKGroup(n, passed, k) : null;
}

function rateOfTask(n: number, passed: number, { k, reducer }: Counting): number | null {
  // Rewards that are no passes and failures have a mean, and nothing else that is known of them here.
  const isCount = Number.isInteger(passed) && passed >= 0 && passed <= n;
  if (k > 1) return isCount ? passPowKGroup(n, passed, k) : null;
  const reduce = reducer === null || !isCount ? null : reducerOf(reducer);
  return reduce === null ? passed / n : reduce(n, passed);
}

function countsOf(task: TaskCounts, { others, lost, trials }: Counting): { n: number; passed: number } {
  let n = others === "left_out" ? task.n : task.nWithNumber;
  let passed = others === "reward" ? task.numbers : task.passed;
  if (lost !== "left_out") {
    n += lost === "counted" ? task.nLost : task.nLostWithNumber;
    if (others === "reward") passed += task.lostNumbers;
  }
  // A trial that is not in the file is none of the tool's passes.
  if (trials !== null && n > 0) n = Math.max(n, trials);
  return { n, passed };
}

/**
 * The number that the file itself has for a row: its reward, or what a scale, a threshold or the door of the reader
 * made another number of, and, for a trial that was lost, what its tool counts.
 */
function numbersOfFile(row: Row): { number: number | null; counted: number | null } {
  const meta = isObject(row.judge_meta) ? row.judge_meta : {};
  const given = [meta.rating, meta.reward_out_of_range, meta.rating_out_of_scale].map(readNumber);
  const number = given.find((one) => one !== null) ?? gradedReward(row);
  return { number, counted: readNumber(meta.reward_counted) };
}

import type { FileReport, ReadReport, Row, ToolHeadline } from "@while/schema";
import type { Interval } from "../interval/interval.ts";
import { type PassAt, PassAtTally } from "../pass-at/pass-at.ts";
import { StatsError } from "../stats-error.ts";
import { type HeadlineReason, headlineReasons, isSame } from "./headline-reasons.ts";
import { RewardCounts } from "./reward-counts.ts";

/** A number that a tool reports of a file, beside ours. */
export interface HeadlineOpinion extends Omit<ToolHeadline, "rule"> {
  /** Ours of the same thing; null where nothing is graded, and for a number of something else than the reward of all rows. */
  ours: number | null;
  ci95: Interval | null;
  /** The tool's less ours; null without ours. */
  difference: number | null;
  /** Whether the two are one number; null for a number that is not compared. */
  agree: boolean | null;
  /** From our number to the tool's, step by step; empty when they agree. */
  reasons: HeadlineReason[];
}

/** What the tool that wrote a file says of it, beside what we say. */
export interface FileOpinion {
  path: string | null;
  format: string;
  /** Of this file alone. */
  ours: {
    passAt1: number | null;
    ci95: Interval | null;
    /** Tasks with a graded row. */
    nTasks: number;
    /** Rows graded 0 or 1. */
    nRows: number;
    nRowsTotal: number;
  };
  /** Empty when the file holds no number of its tool and nothing to make one of. */
  headlines: HeadlineOpinion[];
}

export interface SecondOpinion {
  /** Files of tools that report a number, in the order they were read. */
  files: FileOpinion[];
  /** Files that are nobody's report, as files of rows. */
  nOtherFiles: number;
  /** Numbers of the tools that could be compared, how many of them are ours too, and how many stay unexplained. */
  nCompared: number;
  nAgree: number;
  nUnexplained: number;
}

/**
 * What the tools that wrote the files report of them, beside our pass@1 and pass^k with their intervals, and why the
 * two differ where they do. null when no file is a tool's report.
 *
 * A reason is a step of recounting: lost trials counted, partial credit averaged, rollouts and not tasks. It is there
 * only where it moves the number, with the number before and after; what no step accounts for is `unexplained`.
 *
 * @param rows All rows of the files, in their order
 * @param read The report that came with them
 * @throws StatsError `bad_rows` when the report is of other rows
 */
export function secondOpinion(rows: readonly Row[], { files }: Pick<ReadReport, "files">): SecondOpinion | null {
  const nRows = files.reduce((total, file) => total + file.rows, 0);
  if (nRows !== rows.length) {
    throw new StatsError(
      "bad_rows",
      `The report is of ${nRows} rows, and ${rows.length} were given.`,
      "Pass all rows as they were read, and the report that came with them.",
    );
  }
  const tally = new SecondOpinionTally();
  let from = 0;
  for (const file of files) {
    if (file.toolHeadlines !== undefined) for (const row of rows.slice(from, from + file.rows)) tally.add(row, file);
    from += file.rows;
  }
  return tally.report({ files });
}

/**
 * Collects rows for `secondOpinion` while their files are read, one file after the other. Rows of a file that is no
 * tool's report cost nothing, and memory is bounded by the tasks of one file.
 */
export class SecondOpinionTally {
  private file: FileReport | null = null;
  private open: FileCounts | null = null;
  private readonly done = new Map<FileReport, FileOpinion>();

  /** @param file The report of the file that the row is of; `toolHeadlines` may still be empty */
  add(row: Row, file: FileReport): void {
    if (file !== this.file) this.start(file);
    this.open?.add(row);
  }

  /** What was found; called when the last file has ended. */
  report({ files }: Pick<ReadReport, "files">): SecondOpinion | null {
    this.close();
    const reports = files.filter(({ toolHeadlines }) => toolHeadlines !== undefined);
    if (reports.length === 0) return null;
    const opinions = reports.map((file) => this.done.get(file) ?? new FileCounts().opinion(file));
    const compared = opinions.flatMap(({ headlines }) => headlines).filter(({ agree }) => agree !== null);
    return {
      files: opinions,
      nOtherFiles: files.length - reports.length,
      nCompared: compared.length,
      nAgree: compared.filter(({ agree }) => agree).length,
      nUnexplained: compared.filter(({ reasons }) => reasons.some(({ code }) => code === "unexplained")).length,
    };
  }

  private start(file: FileReport): void {
    this.close();
    this.file = file;
    this.open = file.toolHeadlines === undefined ? null : new FileCounts();
  }

  /** A file's numbers are taken as soon as the next one begins, so that its tasks need not be kept. */
  private close(): void {
    if (this.file !== null && this.open !== null) this.done.set(this.file, this.open.opinion(this.file));
    this.file = null;
    this.open = null;
  }
}

class FileCounts {
  private readonly passes = new PassAtTally();
  private readonly rewards = new RewardCounts();

  add(row: Row): void {
    this.passes.add(row);
    this.rewards.add(row);
  }

  opinion({ path, format, toolHeadlines = [] }: FileReport): FileOpinion {
    const passAt = this.passes.report();
    const { passAt1, ci95, nGroups, nRows, nRowsTotal } = passAt;
    return {
      ...{ path, format, ours: { passAt1, ci95, nTasks: nGroups, nRows, nRowsTotal } },
      headlines: toolHeadlines.map((headline) => this.compared(headline, passAt)),
    };
  }

  private compared({ rule, ...headline }: ToolHeadline, passAt: PassAt): HeadlineOpinion {
    const none = { ...headline, ours: null, ci95: null, difference: null, agree: null, reasons: [] };
    if (rule === null) return none;
    const [ours, ci95] = rateAt(rule.k, passAt);
    const { value } = headline;
    const agree = ours !== null && isSame(value, ours);
    const reasons = agree ? [] : headlineReasons({ ...headline, rule }, rule, this.rewards);
    return { ...headline, ours, ci95, difference: ours === null ? null : value - ours, agree, reasons };
  }
}

/** pass^k; at 1 that is pass@1. */
function rateAt(k: number, { passAt1, ci95, curve }: PassAt): [number | null, Interval | null] {
  if (k === 1) return [passAt1, ci95];
  const point = curve.find((one) => one.k === k);
  return point === undefined ? [null, null] : [point.passPowK, point.passPowKCi95];
}

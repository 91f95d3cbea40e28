import { isObject, pyJson, type Row, roundHalfEven } from "@while/schema";
import { gradedReward } from "../rows/graded-reward.ts";
import { type AnswerCounts, countAnswer } from "./answer-counts.ts";

/** What the rows were produced with, so that two numbers can be told to be comparable. */
export interface RunConfig {
  nTasks: number;
  k: number;
  temperature: number | null;
  maxTokens: number | null;
  policyVersion: string | null;
  judgeVersion: string | null;
  promptHash: string | null;
  userModel: string | null;
  writerModel: string | null;
  /** Settings with more than one value among the rows, as they are spelled on the wire; each is null above. */
  mixed: string[];
  /** Rows cut by the token cap, of those that say how they finished; null when none does. */
  truncatedShare: number | null;
  /** Rows that said something beside their reasoning, of those with a reply field; null without any. */
  answeredShare: number | null;
  /** Rows with a verdict, partial credit included; null without rows. */
  gradedShare: number | null;
  /** Rows that end inside an open `<think>`, of those with a reply field; null without any. */
  unclosedThinkShare: number | null;
}

/**
 * The settings all rows that carry them agree on. A setting no row carries is null; one with several values is null
 * and named in `mixed`. Shares are rounded to four digits.
 */
export function runConfig(rows: readonly Row[], { nTasks, k }: { nTasks: number; k: number }): RunConfig {
  const tally = new RunConfigTally();
  for (const row of rows) if (isObject(row)) tally.add(row);
  return tally.report({ nTasks, k });
}

/** The same, row by row, in memory that does not grow. */
export class RunConfigTally {
  private readonly temperature = new Setting(number);
  private readonly maxTokens = new Setting(number);
  private readonly policyVersion = new Setting(text);
  private readonly judgeVersion = new Setting(text);
  private readonly promptHash = new Setting(text);
  private readonly userModel = new Setting(text);
  private readonly writerModel = new Setting((value) => (value === "pinned" ? null : text(value)));
  private readonly answers: AnswerCounts = { answered: 0, unclosed: 0, withReply: 0 };
  private nRows = 0;
  private nGraded = 0;
  private nFinished = 0;
  private nTruncated = 0;

  add(row: Row): void {
    const { sampling, judge_meta, lineage, policy_version } = row;
    this.temperature.see(sampling?.temperature);
    this.maxTokens.see(sampling?.max_tokens);
    this.policyVersion.see(policy_version);
    this.judgeVersion.see(text(judge_meta?.version) ?? lineage?.judge_version);
    this.promptHash.see(text(lineage?.system_prompt_sha) ?? hashIn(policy_version));
    this.userModel.see(row.user_model);
    this.writerModel.see(row.writer_model);
    countAnswer(this.answers, row);
    this.nRows++;
    if (gradedReward(row) !== null) this.nGraded++;
    if (typeof row.finish_reason !== "string") return;
    this.nFinished++;
    if (row.finish_reason === "length") this.nTruncated++;
  }

  report({ nTasks, k }: { nTasks: number; k: number }): RunConfig {
    const settings = {
      temperature: this.temperature,
      max_tokens: this.maxTokens,
      policy_version: this.policyVersion,
      judge_version: this.judgeVersion,
      prompt_hash: this.promptHash,
      user_model: this.userModel,
      writer_model: this.writerModel,
    };
    const { answered, unclosed, withReply } = this.answers;
    return {
      nTasks,
      k,
      temperature: this.temperature.agreed,
      maxTokens: this.maxTokens.agreed,
      policyVersion: this.policyVersion.agreed,
      judgeVersion: this.judgeVersion.agreed,
      promptHash: this.promptHash.agreed,
      userModel: this.userModel.agreed,
      writerModel: this.writerModel.agreed,
      mixed: Object.entries(settings).flatMap(([name, { isMixed }]) => (isMixed ? [name] : [])),
      truncatedShare: share(this.nTruncated, this.nFinished),
      answeredShare: share(answered, withReply),
      gradedShare: share(this.nGraded, this.nRows),
      unclosedThinkShare: share(unclosed, withReply),
    };
  }
}

/** One value, or the knowledge that there are several. */
class Setting<T extends number | string> {
  isMixed = false;
  private value: T | null = null;
  private readonly read: (value: unknown) => T | null;

  constructor(read: (value: unknown) => T | null) {
    this.read = read;
  }

  see(raw: unknown): void {
    const value = this.read(raw);
    if (value === null) return;
    if (this.value === null) this.value = value;
    else if (this.value !== value) this.isMixed = true;
  }

  get agreed(): T | null {
    return this.isMixed ? null : this.value;
  }
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** A setting that is an object (a model with its options) is its JSON, keys in order: two spellings of it are equal. */
function text(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  if (typeof value === "object" && value !== null) return pyJson(value, { ascii: false, sortKeys: true });
  return typeof value === "string" && value !== "" ? value : null;
}

/** What follows the first @ of `model@hash`. */
function hashIn(policyVersion: unknown): string | null {
  const version = text(policyVersion);
  const at = version?.indexOf("@") ?? -1;
  return version === null || at === -1 ? null : text(version.slice(at + 1));
}

function share(count: number, of: number): number | null {
  return of === 0 ? null : roundHalfEven(count / of, 4);
}

import type { Row } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import type { EvalIndex } from "./eval-index.ts";
import type { Hit, RowFinding } from "./finding.ts";
import { rowTexts } from "./row-texts.ts";

/** Whether an evaluation prompt and a text of a training row ask the same. */
export type QuestionJudge = (evalText: string, rowText: string) => boolean | Promise<boolean>;

export interface QuestionJudgeOptions {
  /** Asked of each row that `semantic` would drop, or that is listed as reworded, short or a near duplicate. */
  judge?: QuestionJudge;
  /** Calls at a time. */
  judgeConcurrency?: number;
  /** Calls at most, in the order of the rows; null for as many as there are rows to ask of. */
  judgeBudget?: number | null;
}

export const JUDGE_NAMES = ["judge", "judgeConcurrency", "judgeBudget"] as const;

/** What the judge was asked, and said. */
export interface JudgeReading {
  nAsked: number;
  /** Rows that ask what the evaluation asks; those that were only listed are dropped for it. */
  nSame: number;
  /** Calls that threw or gave no boolean: the row stays as it was. */
  nFailed: number;
  /** Rows beyond the budget, which stay as they were. */
  nNotAsked: number;
}

const CONCURRENCY = 4;
/** Rules that ask a question and settle none. */
const OPEN_RULES: ReadonlySet<string> = new Set(["related", "near_duplicate", "short"]);

type OpenHit = Omit<Hit, "index">;

/** One row to be asked of. */
interface Case {
  finding: RowFinding;
  /** The hit or the listing that is in question. */
  about: OpenHit;
  rowText: string;
}

/**
 * Settles what scores leave open, by a judge of the caller's (as llm-decontaminator asks a model: Yang et al. 2023,
 * arXiv:2311.04850). What it says is on the hit (`judged`); a row that `semantic` caught and the judge calls another
 * question is kept, a row that was only listed and is called the same one is dropped.
 */
export class QuestionJudging {
  readonly #judge: QuestionJudge;
  readonly #concurrency: number;
  readonly #index: EvalIndex;
  readonly #fullPrompts: Map<string, string>;
  readonly #reading: JudgeReading = { nAsked: 0, nSame: 0, nFailed: 0, nNotAsked: 0 };
  #left: number;

  private constructor(judge: QuestionJudge, index: EvalIndex, concurrency: number, budget: number) {
    this.#judge = judge;
    this.#concurrency = concurrency;
    this.#left = budget;
    this.#index = index;
    this.#fullPrompts = new Map();
    for (const { text, item } of index.prompts) {
      const key = promptKey(index.items[item]!, text);
      if (!this.#fullPrompts.has(key)) this.#fullPrompts.set(key, text);
    }
  }

  /** null where no judge is given. @throws TrustError `bad_option` */
  static open(
    index: EvalIndex,
    { judge, judgeConcurrency = CONCURRENCY, judgeBudget = null }: QuestionJudgeOptions,
  ): QuestionJudging | null {
    const refuse = (what: string, fix: string) => new TrustError("bad_option", what, fix);
    if (!Number.isSafeInteger(judgeConcurrency) || judgeConcurrency < 1) {
      throw refuse(`judgeConcurrency is ${judgeConcurrency}.`, "Pass a whole number, 1 or more.");
    }
    if (judgeBudget !== null && (!Number.isSafeInteger(judgeBudget) || judgeBudget < 0)) {
      throw refuse(`judgeBudget is ${judgeBudget}.`, "Pass a whole number of calls, or null.");
    }
    if (judge === undefined) return null;
    if (typeof judge !== "function") {
      throw refuse(`judge is a ${typeof judge}.`, "Pass (evalText, rowText) => whether both ask the same.");
    }
    return new QuestionJudging(judge, index, judgeConcurrency, judgeBudget ?? Number.POSITIVE_INFINITY);
  }

  reading(): JudgeReading {
    return { ...this.#reading };
  }

  async settle(rows: readonly Row[], findings: readonly RowFinding[]): Promise<void> {
    const cases: Case[] = [];
    for (const [at, finding] of findings.entries()) {
      const about = finding.hit ?? finding.listed.find(({ rule }) => OPEN_RULES.has(rule));
      if (about === undefined || (finding.hit !== null && about.rule !== "semantic")) continue;
      if (this.#left <= 0) {
        this.#reading.nNotAsked++;
        continue;
      }
      this.#left--;
      // Of several turns of a user, all of them together.
      cases.push({ finding, about, rowText: rowTexts(rows[at]!, [about.field]).at(-1)?.text ?? "" });
    }
    let next = 0;
    const work = async (): Promise<void> => {
      for (let mine = next++; mine < cases.length; mine = next++) await this.#ask(cases[mine]!);
    };
    await Promise.all(Array.from({ length: Math.min(this.#concurrency, cases.length) }, work));
  }

  async #ask({ finding, about, rowText }: Case): Promise<void> {
    this.#reading.nAsked++;
    let isSame: unknown;
    try {
      isSame = await this.#judge(this.#fullPrompt(about), rowText);
    } catch {
      // One call that fails stops no other; it is counted, and the row stays as it was.
      isSame = null;
    }
    if (typeof isSame !== "boolean") {
      this.#reading.nFailed++;
      return;
    }
    if (isSame) this.#reading.nSame++;
    const judged = { ...about, judged: isSame };
    if (finding.hit !== null) {
      if (isSame) finding.hit = judged;
      else {
        finding.hit = null;
        finding.items = [];
        finding.listed.unshift(judged);
      }
      return;
    }
    finding.listed = finding.listed.map((one) => (one === about ? judged : one));
    if (!isSame) return;
    finding.hit = { ...judged, rule: "judge" };
    finding.items = [this.#index.items.indexOf(about.evalTask)];
  }

  #fullPrompt({ evalTask, evalPrompt }: OpenHit): string {
    return this.#fullPrompts.get(promptKey(evalTask, evalPrompt ?? "")) ?? evalPrompt ?? "";
  }
}

/** By its task and its beginning, which is what a hit says of a prompt. */
function promptKey(task: string, text: string): string {
  return `${task}\n${[...text.slice(0, 240)].slice(0, 120).join("")}`;
}

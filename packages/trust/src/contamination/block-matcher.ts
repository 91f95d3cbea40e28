import { isObject, type Row } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import type { EvalIndex } from "./eval-index.ts";
import type { RowFinding } from "./finding.ts";
import type { Settings } from "./options.ts";
import { type MatcherSetup, RowMatcher } from "./row-matcher.ts";
import type { CleanRows } from "./tally.ts";

const NEWLINE = 0x0a;

/** What was found in a block of lines. Plain data, so that a worker can send it. */
export interface BlockFindings {
  nLines: number;
  /** Rows with a hit or a listing, by their number in the block. */
  findings: [row: number, finding: RowFinding][];
  clean: CleanRows;
  /** Where bytes are left out: pairs of a begin and an end, ascending. */
  dropped: Uint32Array;
  /** Lines that are no JSON, by their number in the block, from 0; the first of them with what is wrong. */
  badLines: number[];
  firstBad: string | null;
}

/** Matches the rows of JSONL lines as they lie in memory. One a thread. */
export class BlockMatcher {
  readonly rows: RowMatcher;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });

  constructor(index: EvalIndex, settings: Settings, setup?: MatcherSetup) {
    this.rows = new RowMatcher(index, settings, setup);
  }

  match(block: Uint8Array): BlockFindings {
    const clean: CleanRows = { n: 0, nWithTaskId: 0, nUnreadable: 0, nSpared: 0 };
    const found: BlockFindings = {
      nLines: 0,
      findings: [],
      clean,
      dropped: new Uint32Array(),
      badLines: [],
      firstBad: null,
    };
    const dropped: number[] = [];
    let nRows = 0;
    for (const { value, from, to, problem } of this.lines(block)) {
      const line = found.nLines++;
      if (problem !== null) {
        found.badLines.push(line);
        found.firstBad ??= problem;
        dropped.push(from, to);
        continue;
      }
      if (value === BLANK) continue;
      if (!isObject(value)) {
        dropped.push(from, to);
        continue;
      }
      const finding = this.#match(value as Row);
      if (finding === null) {
        found.badLines.push(line);
        found.firstBad ??= "is nested too deeply to be read";
        dropped.push(from, to);
        continue;
      }
      const row = nRows++;
      if (finding.hit !== null) dropped.push(from, to);
      if (finding.hit !== null || finding.listed.length > 0 || finding.marks.length > 0) {
        found.findings.push([row, finding]);
        continue;
      }
      clean.n++;
      if (finding.hasTaskId) clean.nWithTaskId++;
      if (finding.isUnreadable) clean.nUnreadable++;
      if (finding.isSpared) clean.nSpared++;
    }
    found.dropped = Uint32Array.from(dropped);
    return found;
  }

  /** null for a row that cannot be read; which one it is, the caller knows by its line. */
  #match(row: Row): RowFinding | null {
    try {
      return this.rows.match(row, 0);
    } catch (error) {
      if (error instanceof TrustError && error.code === "bad_row") return null;
      throw error;
    }
  }

  /** Every line with what it holds, or what is wrong with it. */
  *lines(block: Uint8Array): Generator<{ value: unknown; from: number; to: number; problem: string | null }> {
    for (let from = 0; from < block.length; ) {
      const end = block.indexOf(NEWLINE, from);
      const to = end < 0 ? block.length : end + 1;
      let value: unknown = BLANK;
      let problem: string | null = null;
      try {
        const text = this.#decoder.decode(block.subarray(from, to));
        // A byte-order mark is taken away by the decoder.
        if (text.trim() !== "") value = JSON.parse(text);
      } catch (error) {
        problem = error instanceof SyntaxError ? "is no JSON" : "is no UTF-8";
      }
      yield { value, from, to, problem };
      from = to;
    }
  }
}

const BLANK = Symbol("blank line");

import { type Row, taskKey } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  exportLines,
  type FormatSpec,
  formats,
  grpoLines,
  ktoLines,
  type PairSource,
  preferenceLines,
  rowProblem,
} from "../src/index.ts";
import { madeRows } from "./made-rows.ts";

/** What holds for every format of every kind, on rows that a generator makes up. */

const named = (kind: string) => fc.constantFrom(...formats.list().filter(({ kinds }) => kinds.some((k) => k === kind)));
const each = (kind: string, law: (made: Row[], spec: FormatSpec) => void) =>
  fc.assert(fc.property(madeRows, named(kind), law), { numRuns: 150 });

describe("every format", () => {
  test("of supervised rows loses none without counting it, and writes what its own check takes", () => {
    each("sft", (made, { name: format }) => {
      const { lines, report } = exportLines(made, { format, validate: false });
      expect(lines).toHaveLength(report.n);
      expect(report.n + report.noCompletionDropped + (report.alternationDropped ?? 0)).toBe(made.length);
      // Calls that do not read back are written on request, and are then what the check finds.
      if (report.toolCallRoundtrip.invalid > 0) return;
      for (const line of lines) expect(rowProblem(JSON.parse(line), { format })).toBeNull();
    });
  });

  test("of judged replies counts what it leaves out, and parts rows of a task for as long as there are two tasks", () => {
    each("kto", (made, { name: format }) => {
      const { lines, report } = ktoLines(made, { format, validate: false });
      const dropped = report.ungradedDropped + report.borderlineDropped + report.noCompletionDropped;
      expect(report.n + dropped + (report.alternationDropped ?? 0)).toBe(made.length);
      expect(report.nDesirable + report.nUndesirable).toBe(report.n);
      expect(lines).toHaveLength(report.n);
      if (format !== "trl") return;
      const tasks = lines.map((line) => taskKey(JSON.parse(line)) || JSON.parse(line).prompt_text);
      for (let at = 1; at < tasks.length; at++) {
        if (tasks[at] === tasks[at - 1]) expect(new Set(tasks.slice(at)).size).toBe(1);
      }
    });
  });

  test("of tasks has each task once, on one side", () => {
    each("grpo", (made, { name: format }) => {
      const { lines, holdout, report } = grpoLines(made, { format, band: null, holdout: 0.5, validate: false });
      expect(lines.length + holdout.length).toBe(report.tasks.prompts);
      expect(new Set([...lines, ...holdout].map((line) => /"task_id\\?": \\?"(\w+)/.exec(line)?.[1])).size).toBe(
        report.tasks.prompts,
      );
    });
  });

  test("of pairs counts what it leaves out, and compares turns of the agent alone", () => {
    each("preference", (made, { name: format, preference }) => {
      const pairs = made.slice(1).map((row, at): PairSource => ({ chosen: made[at]!, rejected: row, margin: at }));
      const { lines, report } = preferenceLines(pairs, { format, validate: false });
      expect(report.pairs + report.tiesDropped + report.noCompletionDropped).toBe(pairs.length);
      expect(lines).toHaveLength(report.pairs);
      if (format !== "trl" || preference?.sides !== "turn") return;
      for (const { prompt, chosen, rejected } of lines.map((line) => JSON.parse(line))) {
        expect([chosen, rejected].map((side) => side.map(({ role }: { role: string }) => role))).toEqual([
          ["assistant"],
          ["assistant"],
        ]);
        expect(prompt.length).toBeGreaterThan(0);
        expect(chosen).not.toEqual(rejected);
      }
    });
  });
});

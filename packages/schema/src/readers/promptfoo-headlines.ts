import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import { textOf } from "../text/text-of.ts";
import { labelOf } from "./load-traces.ts";
import type { ReadOptions } from "./read-options.ts";
import { ItemMean, MEAN_REWARD, type ToolHeadline, toolHeadline } from "./tool-headline.ts";

interface Counts {
  passed: number;
  failed: number;
  errors: number;
}

/**
 * The pass rate that promptfoo prints: passes among passes, failures and errors, in `results.stats`, and for each pair
 * of a model and a prompt in `results.prompts`. Lines of results have no counts, so there it is counted.
 */
export class PromptfooHeadlines {
  #all: Counts | null = null;
  #arms: { name: string; counts: Counts }[] = [];
  readonly #results = new ItemMean();

  open({ results }: SourceObject): void {
    if (!isObject(results)) return;
    const { stats, prompts } = results;
    this.#all = isObject(stats) ? countsOf(stats.successes, stats.failures, stats.errors) : null;
    this.#arms = (Array.isArray(prompts) ? prompts : [])
      .filter(isObject)
      .flatMap(({ provider, label, raw, metrics }) => {
        if (!isObject(metrics)) return [];
        const counts = countsOf(metrics.testPassCount, metrics.testFailCount, metrics.testErrorCount);
        if (counts === null) return [];
        return [{ name: `pass rate (${textOf(provider)}, ${textOf(label) || textOf(raw)})`, counts }];
      });
  }

  add(success: unknown): void {
    this.#results.add(success === true ? 1 : 0);
  }

  list({ rewardKey }: ReadOptions): ToolHeadline[] {
    const how = "passes among all results, those that ended in an error being no passes";
    const rule = rewardKey === undefined ? ({ ...MEAN_REWARD, counts: "pass", lost: "counted" } as const) : null;
    const all = this.#all;
    const rate = toolHeadline({
      ...{ name: "pass rate", how, rule, fromItems: this.#results.mean },
      ...(all === null ? {} : { written: rateOf(all), n: totalOf(all) }),
    });
    // One arm is the whole.
    const arms = this.#arms.length < 2 ? [] : this.#arms;
    return [
      ...(rate === null ? [] : [rate]),
      ...arms.flatMap(({ name, counts }) => {
        const arm = toolHeadline({ name, how, written: rateOf(counts), rule: null, n: totalOf(counts) });
        return arm === null ? [] : [arm];
      }),
    ];
  }
}

function countsOf(passed: unknown, failed: unknown, errors: unknown): Counts | null {
  const [passes, fails] = [labelOf(passed), labelOf(failed)];
  return passes === null || fails === null ? null : { passed: passes, failed: fails, errors: labelOf(errors) ?? 0 };
}

function totalOf({ passed, failed, errors }: Counts): number {
  return passed + failed + errors;
}

function rateOf(counts: Counts): number | null {
  return totalOf(counts) === 0 ? null : counts.passed / totalOf(counts);
}

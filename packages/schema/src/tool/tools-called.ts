import { stepsOf } from "../conversation/steps-of.ts";
import type { Row, Step } from "../row.ts";
import { textOf } from "../text/text-of.ts";

/** Whether a step called a tool and was answered. A fault is an answer: the call was made. */
export function isAnsweredCall({ tool, result }: Step): boolean {
  return textOf(tool) !== "" && result !== null && result !== undefined;
}

/**
 * The tools that a rollout called, each once, in the order of their first call. A call that was never answered is none,
 * and neither is a tool that the agent only speaks of.
 */
export function toolsCalled(row: Row): string[] {
  return [
    ...new Set(
      stepsOf(row)
        .filter(isAnsweredCall)
        .map(({ tool }) => textOf(tool)),
    ),
  ];
}

/** The names of declared tools, given as OpenAI schemas (nested or flat) or as names; those without a name are left out. */
export function toolNames(tools: readonly unknown[]): string[] {
  const names = tools.map((tool) => {
    if (typeof tool === "string") return tool;
    const { function: inner, name } = (tool ?? {}) as { function?: { name?: unknown }; name?: unknown };
    return textOf(inner?.name ?? name);
  });
  return [...new Set(names.filter((name) => name !== ""))];
}

import type { EvalHealth } from "@while/platform-client/contract";
import { inlineCode } from "../../parts/quoted.ts";
import { evalsLead } from "./evals-lead.ts";

/** What "copy for agent" copies: every check that fails, with what to do and the call that does it, as markdown. */
export function failingChecks(agent: string, evals: readonly EvalHealth[]): string {
  const weak = evals.filter(({ good, total }) => good < total);
  const parts = weak.map(({ name, good, total, checks }) => {
    const lines = checks
      .filter(({ ok }) => ok === false)
      .map(
        ({ label, value, why, action, rule, cite, fix }) =>
          `- ${label}: ${inlineCode(value)}. Holds when ${rule}. ${sentence(why)} To do: ${action}.\n  ${inlineCode(fix)}\n  (${cite})`,
      );
    return `## ${inlineCode(name)}: ${good} of ${total} checks pass\n\n${lines.join("\n")}`;
  });
  return [`# Checks of the evals of ${inlineCode(agent)}`, evalsLead(evals), ...parts].join("\n\n").concat("\n");
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

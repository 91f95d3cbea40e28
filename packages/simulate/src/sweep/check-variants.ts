import { codePointLength, fingerprint, type Harness, harnessVersion, isObject, VERSION_MAX } from "@while/schema";
import type { Agent } from "../agent/agent.ts";
import { endpointAgent } from "../endpoint/endpoint-agent.ts";
import { SimulateError } from "../simulate-error.ts";

/** One setup of the agent: what is said of it, and the function that runs it. */
export interface SweepVariant {
  harness: Harness;
  /**
   * Left out, it is the harness's model in the tool loop of this package, with the harness's instructions: `model` says
   * where it is, as `ollama:qwen3:8b` or `vllm:NAME@URL`.
   */
  agent?: Agent;
}

/** A variant under its version, which names it everywhere. */
export interface CheckedVariant {
  harness: Harness;
  agent: Agent;
  label: string;
  hash: string;
  /** Whether this package plays the agent, a program of its own does, or a function. */
  kind: "prompted" | "command" | "callable";
}

/**
 * The variants under their versions.
 *
 * @throws SimulateError `sweep_refused` for none, for a label that is too long or stands twice, and for one setup under
 * two names
 */
export function checkVariants(variants: readonly SweepVariant[]): { variants: CheckedVariant[]; warnings: string[] } {
  const refuse = (what: string, fix: string) => new SimulateError("sweep_refused", what, fix);
  if (!Array.isArray(variants) || variants.length === 0)
    throw refuse("The sweep has no variants.", "Give [{ harness, agent }, …].");
  const checked = variants.map((variant): CheckedVariant => {
    const hasAgent = isObject(variant) && (variant.agent === undefined || typeof variant.agent === "function");
    if (!isObject(variant) || !isObject(variant.harness) || !hasAgent) {
      throw refuse(
        `A variant is ${JSON.stringify(variant)}.`,
        "Give { harness: { model, instructions, tools, label }, agent }.",
      );
    }
    const harness = {
      ...(variant.harness as Harness),
      instructions: (variant.harness as Harness).instructions?.trim() ?? null,
    };
    const label = harnessVersion(harness);
    const agent = (variant.agent as Agent | undefined) ?? promptedAgent(harness, label);
    const kind = variant.agent === undefined ? "prompted" : (agent.kind ?? "callable");
    return { harness, agent, label, hash: fingerprint(harness), kind };
  });
  const labels = new Set<string>();
  const hashes = new Map<string, string>();
  for (const { label, hash } of checked) {
    if (codePointLength(label) > VERSION_MAX) {
      throw refuse(`The label ${label} has ${codePointLength(label)} characters of ${VERSION_MAX}.`, "Shorten it.");
    }
    if (labels.has(label)) throw refuse(`Two variants are called ${label}.`, "Give each a label of its own.");
    labels.add(label);
    const other = hashes.get(hash);
    if (other !== undefined) {
      const fix = "Put what differs into model, instructions, tools or disclosure, also the version of a function.";
      throw refuse(`${other} and ${label} are one setup under two names (${hash}).`, fix);
    }
    hashes.set(hash, label);
  }
  const bare = checked.filter(
    ({ harness: { model, instructions, tools, disclosure } }) =>
      !model && !instructions && !tools?.length && !disclosure,
  );
  const warnings = bare.map(
    ({ label }) =>
      `${label} says nothing of itself but its label: its hash tells it from no other setup. Give model, instructions or tools.`,
  );
  return { variants: checked, warnings };
}

function promptedAgent({ model }: Harness, label: string): Agent {
  if (model === undefined || model === null || model === "") {
    const fix = "Give agent, a function, or a model that says where it is: ollama:NAME, openai:NAME, vllm:NAME@URL.";
    throw new SimulateError("sweep_refused", `${label} has neither an agent nor a model to play it.`, fix);
  }
  return endpointAgent(model);
}

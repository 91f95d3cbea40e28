import { nearestName } from "@while/schema";
import { ExportError } from "../export-error.ts";
import { anthropic } from "./anthropic.ts";
import { axolotl } from "./axolotl.ts";
import { bedrock } from "./bedrock.ts";
import { fireworks } from "./fireworks.ts";
import type { FormatSpec, RowKind } from "./format-spec.ts";
import { llamafactory } from "./llamafactory.ts";
import { mistral } from "./mistral.ts";
import { msSwift } from "./ms-swift.ts";
import { nemoRl } from "./nemo-rl.ts";
import { openai } from "./openai.ts";
import { openaiFt, openaiRft } from "./openai-ft.ts";
import { openrlhf } from "./openrlhf.ts";
import { together } from "./together.ts";
import { torchtune } from "./torchtune.ts";
import { trl } from "./trl.ts";
import { verl } from "./verl.ts";
import { vertex, vertexRft } from "./vertex.ts";

const specs = new Map<string, FormatSpec>();
const names = new Map<string, FormatSpec>();

/**
 * Adds a consumer under its name and its aliases.
 *
 * @throws ExportError `invalid_option` when a name is taken
 */
export function registerFormat(spec: FormatSpec): void {
  const given = [spec.name, ...(spec.aliases ?? [])];
  const taken = given.find((name) => names.has(name));
  if (taken !== undefined) {
    throw new ExportError("invalid_option", `A format ${taken} is registered already.`, "Give yours another name.");
  }
  specs.set(spec.name, spec);
  for (const name of given) names.set(name, spec);
}

registerFormat(openai);
registerFormat(trl);
registerFormat(fireworks);
registerFormat(openaiFt);
registerFormat(openaiRft);
registerFormat(together);
registerFormat(axolotl);
registerFormat(llamafactory);
registerFormat(verl);
registerFormat(openrlhf);
registerFormat(torchtune);
registerFormat(nemoRl);
registerFormat(msSwift);
registerFormat(mistral);
registerFormat(bedrock);
registerFormat(vertex);
registerFormat(vertexRft);
registerFormat(anthropic);

/** @throws ExportError `format_unknown`, with the nearest name */
export function getFormat(name: string): FormatSpec {
  const spec = names.get(name);
  if (spec !== undefined) return spec;
  const known = [...names.keys()];
  const near = typeof name === "string" ? nearestName(name, known) : null;
  throw new ExportError(
    "format_unknown",
    `format must be one of ${known.join(", ")}; got ${JSON.stringify(name)}.`,
    near === null ? "Pick one of these, or add yours with registerFormat." : `Did you mean ${near}?`,
    { data: { formats: known, nearest: near } },
  );
}

/** What is said of a format that has no rows of a kind. */
export function kindUnsupported({ name }: FormatSpec, kind: RowKind): ExportError {
  const able = [...specs.values()].filter(({ kinds }) => kinds.includes(kind));
  return new ExportError(
    "kind_unsupported",
    `${name} has no rows for ${KINDS[kind]}.`,
    `Use one of ${able.map((spec) => spec.name).join(", ")}.`,
    { data: { kind, formats: able.map((spec) => spec.name) } },
  );
}

const KINDS: Readonly<Record<RowKind, string>> = {
  sft: "supervised tuning",
  preference: "preference pairs",
  kto: "KTO",
  "reward-model": "a reward model",
  grpo: "grouped RL",
};

/** The consumers that rows can be written for. */
export const formats: {
  /** One spec each, in the order they were added. */
  list(): FormatSpec[];
  /** By name or alias; throws `format_unknown`. */
  get(name: string): FormatSpec;
} = { list: () => [...specs.values()], get: getFormat };

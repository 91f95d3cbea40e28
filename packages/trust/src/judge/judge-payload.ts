import {
  checkOptions,
  codePointLength,
  cutCodePoints,
  isObject,
  type Row,
  type Step,
  stepsOf,
  textOf,
  toolFault,
  toolNames,
  toolsCalled,
} from "@while/schema";
import { TrustError } from "../trust-error.ts";

/** Characters of the text a judge is shown. */
export const JUDGE_PAYLOAD_CHARS = 8000;
const SITUATION_CHARS = 4000;
const FINAL_TEXT_CHARS = 2000;
const POLICY_CHARS = 2000;
const KEY_CHARS = 2000;

export interface JudgePayloadOptions {
  /** The rules that the agent was under. */
  policy?: string;
  /** Schemas or names of the tools that it had; without it those of the row. */
  tools?: readonly unknown[];
  /** Show what is for the judge alone: the row's `privileged` principle, reference and hidden state. */
  privileged?: boolean;
  payloadChars?: number;
}

/** Where the text of a payload is cut; every cut is made from the original. */
interface Cuts {
  steps: "all" | "telling" | "none";
  step: number;
  world: number;
  faults: number;
  hidden: number;
  principle: number;
  reference: number;
  situation: number;
  policy: number;
  finalText: number;
}

const UNCUT: Cuts = {
  ...{ steps: "all", step: Number.POSITIVE_INFINITY },
  ...{ world: Number.POSITIVE_INFINITY, faults: Number.POSITIVE_INFINITY, hidden: Number.POSITIVE_INFINITY },
  ...{ principle: KEY_CHARS, reference: KEY_CHARS },
  ...{ situation: SITUATION_CHARS, policy: POLICY_CHARS, finalText: FINAL_TEXT_CHARS },
};

/** What is given up first stands first: steps that say little, then long texts, then the situation, and the steps last. */
const REDUCTIONS: readonly Partial<Cuts>[] = [
  { steps: "telling" },
  ...[800, 300, 80].map((step) => ({ step })),
  ...[{ world: 1500 }, { faults: 800 }, { hidden: 1500 }, { principle: 800 }, { reference: 800 }],
  ...[{ world: 300 }, { faults: 200 }, { hidden: 300 }, { principle: 300 }, { reference: 300 }],
  ...[{ situation: 1500 }, { policy: 900 }, { situation: 500 }, { policy: 300 }],
  ...[{ finalText: 1500 }, { finalText: 600 }],
  { steps: "none" },
];

/** Reductions from the second on shorten texts; a payload that went through them says so. */
const FIRST_SHORTENING = 1;

/**
 * What a judge is shown of a row, as JSON text: the tools declared, called and not called (facts, so that nothing has to be
 * concluded from prose), the situation, the reply and the steps. It always is valid JSON: what is too long is shortened
 * part by part, and says so. Cutting the text itself made long rows unreadable for the parser, which left out the hard
 * ones and raised pass rates.
 *
 * @throws TrustError `bad_option`
 */
export function renderJudgePayload(row: Row, options: JudgePayloadOptions = {}): string {
  checkPayloadOptions(options);
  const { payloadChars = JUDGE_PAYLOAD_CHARS } = options;
  const parts = partsOf(row, options);
  let cuts = UNCUT;
  let text = rendered(parts, cuts, false);
  for (const [i, reduction] of REDUCTIONS.entries()) {
    if (codePointLength(text) <= payloadChars) return text;
    cuts = { ...cuts, ...reduction };
    text = rendered(parts, cuts, i >= FIRST_SHORTENING);
  }
  if (codePointLength(text) <= payloadChars) return text;
  return JSON.stringify({
    payload_reduced: true,
    note: "The record was too long: only the final reply is shown and judged.",
    ...parts.tools,
    final_text: cutInside(parts.finalText, Math.max(400, Math.floor(payloadChars / 3))),
  });
}

/** @throws TrustError `bad_option` */
export function checkPayloadOptions(options: JudgePayloadOptions, also: readonly string[] = []): void {
  const names = ["policy", "tools", "privileged", "payloadChars", ...also];
  checkOptions(options, names, (what, fix) => new TrustError("bad_option", what, fix));
  const { payloadChars } = options;
  if (payloadChars === undefined || (Number.isSafeInteger(payloadChars) && payloadChars >= 1)) return;
  throw new TrustError("bad_option", `payloadChars is ${payloadChars}.`, "Pass a whole number of characters.");
}

interface Parts {
  tools: { tools: string[]; tools_called: string[]; tools_not_called: string[] };
  situation: string;
  world: string;
  faults: unknown;
  finalText: string;
  policy: string;
  principle: string;
  reference: string;
  hidden: unknown;
  steps: ShownStep[];
}

interface ShownStep {
  shown: Record<string, unknown>;
  isFault: boolean;
}

function partsOf(row: Row, { policy = "", tools, privileged = false }: JudgePayloadOptions): Parts {
  const declared = toolNames(tools ?? row.tools ?? []);
  const called = toolsCalled(row);
  const key = privileged && isObject(row.privileged) ? row.privileged : {};
  return {
    tools: {
      tools: declared,
      tools_called: called,
      tools_not_called: declared.filter((tool) => !called.includes(tool)),
    },
    situation: textOf(row.prompt),
    world: textOf(row.world_state),
    faults: isObject(row.faults) ? row.faults : {},
    finalText: textOf(row.final_text),
    policy: policy.trim(),
    principle: textOf(key.principle),
    reference: textOf(key.reference),
    hidden: isObject(key.hidden_state) ? key.hidden_state : null,
    steps: stepsOf(row).flatMap(shownStep),
  };
}

function shownStep(step: Step): ShownStep[] {
  const tool = textOf(step.tool);
  const { result } = step;
  const isCall = tool !== "";
  const all: [string, unknown][] = [
    ["tool", tool],
    ["arguments", isCall ? (step.raw_arguments ?? step.arguments ?? {}) : ""],
    ["result", isCall ? (result ?? "") : ""],
    ["text", textOf(step.text)],
    ["user", textOf(step.user)],
  ];
  const shown = Object.fromEntries(all.filter(([, value]) => value !== ""));
  if (Object.keys(shown).length === 0) return [];
  return [{ shown, isFault: toolFault(result) !== "" || (typeof result === "string" && result.includes("garbled")) }];
}

function rendered(parts: Parts, cuts: Cuts, isReduced: boolean): string {
  const { principle, reference, hidden } = parts;
  const judgeOnly = {
    ...(principle === "" ? {} : { principle: cutInside(principle, cuts.principle) }),
    ...(reference === "" ? {} : { reference: cutInside(reference, cuts.reference) }),
    ...(hidden === null ? {} : { hidden_state: cutValue(hidden, cuts.hidden) }),
  };
  return JSON.stringify({
    ...(isReduced ? { payload_reduced: true } : {}),
    ...parts.tools,
    situation: cutInside(parts.situation, cuts.situation),
    world_state: cutInside(parts.world, cuts.world),
    injected_faults: cutValue(parts.faults, cuts.faults),
    final_text: cutInside(parts.finalText, cuts.finalText),
    ...(parts.policy === "" ? {} : { agent_policy: cutInside(parts.policy, cuts.policy) }),
    ...(Object.keys(judgeOnly).length === 0 ? {} : { judge_only: judgeOnly }),
    steps: stepsShown(parts.steps, cuts),
  });
}

function stepsShown(steps: readonly ShownStep[], { steps: which, step: limit }: Cuts): unknown[] {
  if (which === "none") return steps.length === 0 ? [] : [{ dropped_all_steps: steps.length }];
  const shown: unknown[] = [];
  let skipped = 0;
  for (const [i, { shown: step, isFault }] of steps.entries()) {
    if (which === "telling" && i > 0 && i < steps.length - 2 && !isFault) {
      skipped++;
      continue;
    }
    if (skipped > 0) shown.push({ skipped_steps: skipped });
    skipped = 0;
    shown.push(Object.fromEntries(Object.entries(step).map(([key, value]) => [key, cutValue(value, limit)])));
  }
  return shown;
}

/** A value whose JSON is too long becomes the text of it, cut. */
function cutValue(value: unknown, limit: number): unknown {
  if (typeof value === "string") return cutInside(value, limit);
  if (limit === Number.POSITIVE_INFINITY) return value;
  const text = JSON.stringify(value) ?? "";
  return codePointLength(text) <= limit ? value : cutInside(text, limit);
}

/** Two thirds of what is kept are the beginning, one third the end, where an agent says what it did. */
function cutInside(text: string, limit: number): string {
  const length = text.length <= limit ? 0 : codePointLength(text);
  if (length <= limit) return text;
  const tail = Math.floor(limit / 3);
  const head = cutCodePoints(text, limit - tail);
  const omitted = length - limit;
  return `${head} [… ${omitted} characters omitted …] ${[...text.slice(-2 * tail)].slice(-tail).join("")}`;
}

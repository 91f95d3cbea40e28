import { isObject, type Json } from "@while/schema";
import { unitDraw } from "../draw.ts";
import { FAULT_OF_CONDITION, MULTI_TOOL, SUCCESS, UNRELATED } from "../grid/dimensions.ts";
import type { Assignment } from "../grid/region-id.ts";
import { SimulateError } from "../simulate-error.ts";
import { FAULT_MODES, type FaultMode } from "./fault-modes.ts";
import type { Fault, FaultPlan } from "./fault-plan.ts";

/** The faults of a cell: its tool fails in the cell's way, or every tool does where the cell names none; null without. */
export function faultsOfCell({ tool, tool_condition: condition = SUCCESS }: Assignment): FaultPlan | null {
  if (condition === SUCCESS) return null;
  const mode = FAULT_OF_CONDITION.get(condition) ?? condition;
  const target = tool === undefined || tool === UNRELATED || tool === MULTI_TOOL ? "*" : tool;
  return { [target]: { mode, rate: 1 } };
}

/** Whether a task keeps its fault plan at this rate, as the Python SDK draws it. The key there is the prompt. */
export function keepFaultPlan(key: string, rate: number, seed = 0): boolean {
  if (rate <= 0) return false;
  return rate >= 1 || unitDraw(`fault-keep:${seed}:${key}`) < rate;
}

/** The entries of a plan that plan something; an entry without a mode is a timeout. Words beside them are no faults. */
export function faultPlanOf(plan: unknown): FaultPlan | null {
  if (!isObject(plan)) return null;
  const entries = Object.entries(plan).flatMap(([tool, fault]): [string, Fault][] => {
    if (!isObject(fault)) return [];
    const mode = typeof fault.mode === "string" && fault.mode !== "" ? fault.mode : "timeout";
    return [[tool, { mode, rate: typeof fault.rate === "number" ? fault.rate : 1 }]];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

export interface ScheduleOptions {
  seed: number;
  taskId: string;
  faults: FaultPlan | null;
  /** Ways to fail of one's own, by name, over the stock ones. */
  faultModes?: Readonly<Record<string, FaultMode>>;
}

/** Which calls of one rollout fail, and how. Counts calls by tool; a fault takes a call's place and changes nothing. */
export class FaultSchedule {
  private readonly calls = new Map<string, number>();
  private readonly options: ScheduleOptions;

  /** @throws SimulateError `bad_option` for a mode that nobody knows */
  constructor(options: ScheduleOptions) {
    this.options = options;
    for (const [tool, { mode }] of Object.entries(options.faults ?? {})) {
      if (this.mode(mode) !== undefined) continue;
      const known = [...FAULT_MODES.keys(), ...Object.keys(options.faultModes ?? {})].join(", ");
      throw new SimulateError(
        "bad_option",
        `${tool} fails by ${mode}.`,
        `The modes are ${known}; add it to faultModes.`,
      );
    }
  }

  /** The faulty answer to this call, or null when it goes through. */
  next(tool: string, truth: () => Json): Json | null {
    const { faults, seed, taskId } = this.options;
    const n = this.calls.get(tool) ?? 0;
    this.calls.set(tool, n + 1);
    const fault = Object.hasOwn(faults ?? {}, tool) ? faults![tool] : faults?.["*"];
    if (fault === undefined || unitDraw(`fault:${seed}:${taskId}:${tool}:${n}`) >= (fault.rate ?? 1)) return null;
    return this.mode(fault.mode)!(truth);
  }

  private mode(name: string): FaultMode | undefined {
    const { faultModes = {} } = this.options;
    return Object.hasOwn(faultModes, name) ? faultModes[name] : FAULT_MODES.get(name);
  }
}

import type { Harness } from "@while/schema";
import type { Frontier } from "../contract/agents.ts";
import { describe } from "../describe/describe.ts";
import { slug } from "../rules/slug.ts";
import { Tracked, type TrackedWork } from "./tracked.ts";

export interface TrackOptions {
  /** Name on the page; the agent's own by default. */
  name?: string | undefined;
  /** Goes before the model that was found. */
  model?: string | undefined;
  /** A harness, its label, or one that can be run and says what it is by `pin()`. */
  harness?: Harness | string | { pin(): Harness } | undefined;
  /** The model that is paid for today: the line to beat. */
  frontier?: Frontier | undefined;
  /** False tells the platform nothing. */
  register?: boolean | undefined;
}

/** A handle to an agent by its name, or by what can be read off its object. */
export async function track(
  work: TrackedWork,
  agent: string | object,
  { name, model, harness, frontier, register = true }: TrackOptions = {},
): Promise<Tracked> {
  const found = typeof agent === "string" ? null : await describe(agent, name === undefined ? {} : { name });
  for (const message of found?.warnings ?? []) work.warn({ code: "describe", message });
  const shown = name ?? (typeof agent === "string" ? agent : found!.name);
  const named = model ?? found?.model ?? null;
  const given =
    typeof harness === "string"
      ? { label: harness }
      : harness !== undefined && "pin" in harness
        ? harness.pin()
        : harness;
  // A bare name says nothing of its harness, so that the one that is stored stays.
  const own = given ?? found?.harness ?? null;
  const tracked = new Tracked(work, {
    id: slug(shown),
    name: shown,
    model: named,
    harness: own === null || own.model || named === null ? own : { ...own, model: named },
    // A harness that was given has tools of its own.
    toolsHash: given === undefined ? (found?.toolsHash ?? null) : null,
    frontier: frontier ?? null,
  });
  if (register) await tracked.register();
  return tracked;
}

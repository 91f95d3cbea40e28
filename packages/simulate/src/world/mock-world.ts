import { isObject, type Json, pyJson, sha256Hex, textOf } from "@while/schema";
import { unitDraw } from "../draw.ts";
import { type CallKind, callKind } from "./call-kind.ts";
import { fillTemplate } from "./fill-template.ts";
import { freshRecord } from "./fresh-record.ts";
import { placeholderArgument } from "./placeholder-argument.ts";
import { isReferenceKey, knownIds } from "./reference-key.ts";
import { shellAnswer } from "./shell-answer.ts";
import type { SimTool } from "./tool-schemas.ts";

export interface MockWorldOptions {
  seed: number;
  taskId: string;
  worldState: string | null;
  /** What the person says: ids in it may exist. */
  prompt: string;
  /** Examples of what tools answer, by tool, over their own `returns`. */
  resultShapes?: Readonly<Record<string, Json>>;
}

/** Something that the world holds. */
export interface Entity {
  noun: string;
  record: Record<string, Json>;
  /** What was done to it, in order: `refund`. */
  done: string[];
  gone: boolean;
}

/** One thing that was done to the world. */
export interface WorldEffect {
  tool: string;
  id: string;
  noun: string;
  change: "created" | "changed" | "removed";
  /** What was changed, or what it was created with. */
  fields: Record<string, Json>;
}

/** Everything in the world, by id. */
export type WorldSnapshot = Record<string, Entity>;

/** How often something named exists, where the task does not say. */
const EXISTS = 0.7;
const STEM_CHARS = 40;
const MAX_FOUND = 6;

type Given = Readonly<Record<string, unknown>>;

/**
 * A world for tools that have none. What a call answers is a function of seed, task and the calls before it, and the
 * state holds together: what was created is there, what was cancelled is gone, an update shows in later reads. An id
 * that nobody named and the world never issued is not found.
 */
export class MockWorld {
  private readonly tools: ReadonlyMap<string, SimTool>;
  private readonly options: MockWorldOptions;
  private readonly known: string;
  private readonly calls = new Map<string, number>();
  private entities = new Map<string, Entity>();
  private log: WorldEffect[] = [];

  constructor(tools: readonly SimTool[], options: MockWorldOptions) {
    this.tools = new Map(tools.map((tool) => [tool.function.name, tool]));
    this.options = options;
    this.known = `${options.prompt}\n${tools.map((tool) => pyJson(tool.function)).join("\n")}`.toLowerCase();
  }

  /** What a call answers, and what it does to the world. */
  call(name: string, given: Given): Json {
    const tool = this.tools.get(name);
    if (tool === undefined) return { status: "error", error: `there is no tool ${name}` };
    const refused = refusal(tool, given);
    if (refused !== null) return refused;
    const kind = callKind(tool);
    const call = { tool, kind, given, digest: this.digest(name, given) };
    if (kind.verb === "shell") return shellAnswer(textOf(given.command), call.digest);
    if (kind.verb === "search") return this.search(call);
    if (kind.verb === "create") return this.create(call);
    const id = referenceIn(given, kind.noun);
    if (id === null) return this.withoutReference(call);
    return kind.verb === "read" ? this.read(call, id) : this.write(call, id);
  }

  /** What the call would answer, without having been made. */
  peek(name: string, given: Given): Json {
    const before = structuredClone(this.entities);
    const nEffects = this.log.length;
    const calls = new Map(this.calls);
    const answer = this.call(name, given);
    this.entities = before;
    this.log.length = nEffects;
    this.calls.clear();
    for (const [key, n] of calls) this.calls.set(key, n);
    return answer;
  }

  /** What was done, in order: a rule such as "paid back exactly once" can be checked by a program. */
  effects(): readonly WorldEffect[] {
    return this.log;
  }

  snapshot(): WorldSnapshot {
    return Object.fromEntries(structuredClone(this.entities));
  }

  private read({ tool, kind, given }: Call, id: string): Json {
    const entity = this.find(id, kind.noun);
    if (entity === null) return notFound(id);
    const record = this.shown(tool, entity, given, id);
    switch (this.stateOf(id)) {
      case "duplicate entity":
        return { matches: 2, candidates: this.candidates(id, kind.noun) };
      case "partially completed":
        return {
          ...(record as object),
          completed_steps: ["received", "checked"],
          remaining_steps: ["approved", "closed"],
        };
      default:
        return record;
    }
  }

  private write({ tool, kind, given }: Call, id: string): Json {
    const entity = this.find(id, kind.noun);
    if (entity === null) return notFound(id);
    const state = this.stateOf(id);
    if (state === "duplicate entity") return { status: "rejected", candidates: this.candidates(id, kind.noun) };
    // An update can be made twice, and a message sent twice; money is not paid back twice.
    const once = kind.verb === "cancel" || kind.verb === "act";
    if (once && (state === "entity already acted on" || entity.done.includes(kind.action))) {
      return { status: "already_done", reason: "already_acted_on", id };
    }
    entity.done.push(kind.action);
    const changes = Object.fromEntries(
      Object.entries(given as Record<string, Json>).filter(([key]) => !isReferenceKey(key)),
    );
    if (kind.verb === "update") Object.assign(entity.record, changes);
    if (kind.verb === "cancel") {
      entity.gone = kind.action === "delete" || kind.action === "remove" || kind.action === "destroy";
      entity.record.status = "cancelled";
    }
    if (kind.verb === "act") entity.record[`${kind.action}_done`] = true;
    const change = entity.gone ? "removed" : "changed";
    this.log.push({ tool: tool.function.name, id, noun: kind.noun, change, fields: changes });
    const shape = this.shape(tool);
    const told = isObject(shape) ? (this.shown(tool, entity, given, id) as Record<string, Json>) : { id, ...changes };
    const resumed = state === "partially completed" ? { resumed: true } : {};
    return { ...told, status: "ok", ...resumed };
  }

  private create({ tool, kind, given, digest }: Call): Json {
    const id = `${kind.noun}_${(Number.parseInt(digest.slice(0, 8), 16) + this.log.length) % 100_000}`;
    const record: Record<string, Json> = {
      ...freshRecord(kind.noun, id, this.drawOf(id)),
      ...(structuredClone(given) as Record<string, Json>),
      [`${kind.noun}_id`]: id,
    };
    const entity: Entity = { noun: kind.noun, record, done: [kind.action], gone: false };
    this.entities.set(id, entity);
    const fields = structuredClone(given) as Record<string, Json>;
    this.log.push({ tool: tool.function.name, id, noun: kind.noun, change: "created", fields });
    if (isObject(this.shape(tool))) return { ...(this.shown(tool, entity, given, id) as object), status: "ok" };
    return { status: "ok", [`${kind.noun}_id`]: id, ...(given as Record<string, Json>) };
  }

  private search({ tool, kind, given, digest }: Call): Json {
    const asked = Object.values(given).map(textOf).join(" ");
    const named = [...knownIds(asked), ...Object.values(given).map(textOf)].find((text) => this.entities.has(text));
    const results: Json[] = [];
    if (named !== undefined && this.find(named, kind.noun) !== null) {
      results.push(this.shown(tool, this.entities.get(named)!, given, named));
    } else if (this.options.worldState !== "entity missing") {
      // The same search finds the same things, so what it finds hangs on the words and not on how often it was made.
      const stem = asked.slice(0, STEM_CHARS);
      const n = 1 + Math.floor(this.drawOf(`search ${kind.noun} ${stem}`)("n") * MAX_FOUND);
      for (let i = 0; i < n; i++) {
        const id = `${kind.noun}_${1000 + Math.floor(this.drawOf(`${kind.noun} ${stem} ${i}`)("id") * 89_000)}`;
        results.push(this.shown(tool, this.issue(id, kind.noun), given, id));
      }
    }
    return { status: "ok", results, total: results.length, ref: digest.slice(0, 8) };
  }

  private withoutReference({ tool, kind, given, digest }: Call): Json {
    const shape = this.shape(tool);
    if (shape !== undefined) return fillTemplate(shape, given, this.drawOf(`${tool.function.name} ${pyJson(given)}`));
    const told = given as Record<string, Json>;
    if (kind.verb === "read") return { ...told, ref: digest.slice(0, 8), as_of: "today" };
    return { status: "ok", ref: digest.slice(0, 8), ...told };
  }

  /** An entity that exists, made the first time that it is asked for; null when there is none. */
  private find(id: string, noun: string): Entity | null {
    const entity = this.entities.get(id);
    if (entity !== undefined) return entity.gone ? null : entity;
    if (!this.known.includes(id.toLowerCase()) || id.trim() === "") return null;
    const { worldState } = this.options;
    if (worldState === "entity missing") return null;
    const isDrawn = worldState === null || worldState === "unknown" || worldState === "unspecified";
    if (isDrawn && this.drawOf(id)("exists") >= EXISTS) return null;
    return this.issue(id, noun);
  }

  private issue(id: string, noun: string): Entity {
    const there = this.entities.get(id);
    if (there !== undefined) return there;
    const record = freshRecord(noun, id, this.drawOf(id));
    if (this.options.worldState === "entity already acted on") Object.assign(record, { status: "completed" });
    const entity: Entity = { noun, record, done: [], gone: false };
    this.entities.set(id, entity);
    return entity;
  }

  /** The record as this tool shows it: by its example where there is one, with what is known of the entity. */
  private shown(tool: SimTool, entity: Entity, given: Given, id: string): Json {
    const shape = this.shape(tool);
    if (!isObject(shape)) return structuredClone(entity.record);
    const facts = Object.fromEntries(
      Object.keys(shape).flatMap((key) => (key in entity.record ? [[key, entity.record[key]!]] : [])),
    );
    const filled = fillTemplate(shape as Json, { ...given }, this.drawOf(id)) as Record<string, Json>;
    // What one tool has shown of an entity, every tool shows.
    for (const [key, value] of Object.entries(filled)) if (!(key in entity.record)) entity.record[key] = value;
    return { ...filled, ...facts, ...referenceFacts(filled, id, given) };
  }

  private candidates(id: string, noun: string): Json[] {
    return ["a", "b"].map((which) => {
      const own = `${id}-${which}`;
      return structuredClone(this.issue(own, noun).record);
    });
  }

  /** The state counts for what the person named; what the world issued itself is there. */
  private stateOf(id: string): string | null {
    return this.known.includes(id.toLowerCase()) ? this.options.worldState : null;
  }

  private shape(tool: SimTool): Json | undefined {
    const { name } = tool.function;
    const { resultShapes = {} } = this.options;
    return Object.hasOwn(resultShapes, name) ? resultShapes[name] : tool.returns;
  }

  private drawOf(what: string): (label: string) => number {
    return (label) => unitDraw(`world:${this.options.seed}:${this.options.taskId}:${what}:${label}`);
  }

  private digest(name: string, given: Given): string {
    const { seed, taskId } = this.options;
    const key = `${name} ${pyJson(given, { sortKeys: true })}`;
    const nth = this.calls.get(key) ?? 0;
    this.calls.set(key, nth + 1);
    return sha256Hex(pyJson([seed, taskId, name, given, nth], { sortKeys: true })).slice(0, 12);
  }
}

interface Call {
  tool: SimTool;
  kind: CallKind;
  given: Given;
  digest: string;
}

function notFound(id: string): Json {
  return { status: "not_found", missing: [id] };
}

/** A call that no tool would take: an argument that is missing, or one that echoes the schema. */
function refusal(tool: SimTool, given: Given): Json | null {
  const { required } = tool.function.parameters;
  const missing = Array.isArray(required) ? required.find((key) => textOf(given[textOf(key)]) === "") : undefined;
  if (missing !== undefined) return { status: "invalid", error: `${textOf(missing)} is missing` };
  const key = placeholderArgument(given);
  if (key === null) return null;
  return { status: "invalid", error: `${key} is "${textOf(given[key])}"`, hint: "give the value that the person gave" };
}

/** Which entity a call is about: the reference of its noun before any other. */
function referenceIn(given: Given, noun: string): string | null {
  const keys = Object.keys(given).filter((key) => isReferenceKey(key) && textOf(given[key]) !== "");
  const own = keys.find((key) => key.toLowerCase().startsWith(noun)) ?? keys[0];
  return own === undefined ? null : textOf(given[own]);
}

/** The reference itself, where the example has it under the key that the call gave it by. */
function referenceFacts(filled: Readonly<Record<string, Json>>, id: string, given: Given): Record<string, Json> {
  return Object.fromEntries(
    Object.keys(given)
      .filter((key) => key in filled && textOf(given[key]) === id)
      .map((key) => [key, id]),
  );
}

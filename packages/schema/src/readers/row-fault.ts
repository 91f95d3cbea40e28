import { isObject } from "../is-object.ts";

/** Why a row is refused at the door. */
export interface RowFault {
  /** Completes "line 3: …", with the value seen. */
  what: string;
  fix: string;
}

const TEXT_KEYS = ["schema_version", "scenario_id", "task_id", "rollout_id", "prompt", "final_text"] as const;

/**
 * What `rowSchema` would refuse, without building what it would accept: 0.2 µs a row where zod takes 6. A test holds
 * the two together on generated rows.
 *
 * @returns null for a row that may pass
 */
export function rowFault(row: Readonly<Record<string, unknown>>): RowFault | null {
  for (const key of TEXT_KEYS) {
    const value = row[key];
    if (typeof value !== "string" && value !== undefined && value !== null) return notA("text", key, value);
  }
  const { rollout_index: index, steps, messages, reward, markers } = row;
  if (index !== undefined && index !== null && !isFiniteNumber(index)) return notA("a number", "rollout_index", index);
  if (reward !== undefined && reward !== null) {
    if (!isFiniteNumber(reward)) {
      return {
        what: `reward is ${shown(reward)} and not a number`,
        fix: "Write a number from 0 to 1, or null for a row without a verdict.",
      };
    }
    if (reward < 0 || reward > 1) {
      return {
        what: `reward is ${reward}, outside 0 to 1`,
        fix: "Pass scale: [lowest, highest] to map it onto 0 to 1, or threshold to make it 0 or 1.",
      };
    }
  }
  return stepsFault(steps) ?? messagesFault(messages) ?? markersFault(markers);
}

function stepsFault(steps: unknown): RowFault | null {
  if (steps === undefined || steps === null) return null;
  if (!Array.isArray(steps)) return notA("a list", "steps", steps);
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i];
    if (!isObject(step)) return notA("an object", `steps[${i}]`, step);
    const { user, tool, text } = step;
    if (typeof user !== "string" && user !== undefined && user !== null) return notA("text", `steps[${i}].user`, user);
    if (typeof tool !== "string" && tool !== undefined && tool !== null) return notA("text", `steps[${i}].tool`, tool);
    if (typeof text !== "string" && text !== undefined && text !== null) return notA("text", `steps[${i}].text`, text);
  }
  return null;
}

function messagesFault(messages: unknown): RowFault | null {
  if (messages === undefined || messages === null) return null;
  if (!Array.isArray(messages)) return notA("a list", "messages", messages);
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i];
    if (!isObject(message)) return notA("an object", `messages[${i}]`, message);
    if (typeof message.role !== "string") return notA("text", `messages[${i}].role`, message.role);
  }
  return null;
}

function markersFault(markers: unknown): RowFault | null {
  if (markers === undefined || markers === null) return null;
  if (!isObject(markers)) return notA("an object", "markers", markers);
  for (const name of Object.keys(markers)) {
    const value = markers[name];
    if (value !== null && !isFiniteNumber(value)) return notA("a number", `markers.${name}`, value);
  }
  return null;
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function notA(wanted: string, path: string, value: unknown): RowFault {
  return { what: `${path} is ${shown(value)} and not ${wanted}`, fix: `Write ${wanted} there, or leave it out.` };
}

/** A value as a sentence shows it. */
function shown(value: unknown): string {
  if (typeof value === "string") {
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value === undefined) return "missing";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

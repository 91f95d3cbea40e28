import { SeenIds } from "./seen-ids.ts";

/** Tasks that a sentence names before it counts the rest. */
const NAMED_TASKS = 5;

/**
 * What the tasks of evaluations ask, in a few bytes a task: ids of a benchmark that mean one question in one file and
 * another in the next (another version, split or prompt) would pool rollouts of two tasks as one.
 */
export class TaskPrompts {
  /** The file in which a task was first seen, and where ids have their line, what it asked there. */
  readonly #first = new SeenIds();
  readonly #differing = new Set<string>();

  /** A prompt of a task, in the file of that number. */
  add(task: string, prompt: string, file: number): void {
    const checksum = checksumOf(prompt);
    const first = this.#first.add(task, file, checksum);
    if (first !== null && first.file !== file && first.line !== checksum) this.#differing.add(task);
  }

  /** The sentence about tasks that ask another thing in a later file; null when there are none. */
  warning(): string | null {
    const tasks = [...this.#differing];
    if (tasks.length === 0) return null;
    const more = tasks.length > NAMED_TASKS ? ` and ${tasks.length - NAMED_TASKS} more` : "";
    const subject = tasks.length === 1 ? "1 task has" : `${tasks.length} tasks have`;
    return (
      `${subject} another prompt in a later file than in an earlier one, so the rollouts under one id are not of one task: ` +
      `${tasks.slice(0, NAMED_TASKS).join(", ")}${more}. Read the files apart, or tell their tasks apart.`
    );
  }
}

/** 32 bits of FNV-1a over the UTF-16 units: of a thousand tasks that differ, all but one in four billion are found. */
function checksumOf(text: string): number {
  let hash = 0x811c9dc5 ^ text.length;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

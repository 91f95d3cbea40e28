import type { Row, Step } from "@while/schema";

/** Rows for the examples of a flag, as short as a reader can take them in. */
export function rollout(steps: readonly Step[], reply = "", prompt = "Make it work."): Row {
  return { prompt, steps: [...steps], final_text: reply };
}

/** A shell command and what it printed. */
export function bash(command: string, result: unknown = ""): Step {
  return { tool: "bash", arguments: { command }, result };
}

/** A file written whole. */
export function write(path: string, content: string): Step {
  return { tool: "write_file", arguments: { path, content }, result: "ok" };
}

/** A part of a file replaced. */
export function edit(path: string, old: string, text: string): Step {
  return { tool: "edit_file", arguments: { path, old_str: old, new_str: text }, result: "ok" };
}

/** A file that was looked at. */
export function view(path: string, content: string): Step {
  return { tool: "read_file", arguments: { path }, result: content };
}

/** A call of a tool that is no file and no shell. */
export function call(tool: string, args: Record<string, unknown>, result: unknown): Step {
  return { tool, arguments: args, result };
}

/** One command, and a reply that claims nothing. */
export function ran(command: string): Row {
  return rollout([bash(command)]);
}

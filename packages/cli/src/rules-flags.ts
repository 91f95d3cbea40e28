import { readFile } from "node:fs/promises";
import { isObject, type ToolSchema } from "@while/schema";
import { CliError } from "./cli-error.ts";
import type { Flag } from "./flag.ts";

/** What the agent worked under, where the rows do not say: both are files. */
export interface RulesFlags {
  systemPrompt?: string | undefined;
  tools?: string | undefined;
}

export const RULES_FLAGS: readonly Flag[] = [
  { spec: "--system-prompt <file>", about: "the agent's rules, put in front of each row" },
  { spec: "--tools <file>", about: "JSON list of tool schemas, written on each row" },
];

/**
 * The files of `--system-prompt` and `--tools`, read.
 *
 * @throws CliError `bad_flag` when one cannot be read, or holds something else
 */
export async function rulesOf({
  systemPrompt,
  tools,
}: RulesFlags): Promise<{ systemPrompt?: string; tools?: ToolSchema[] }> {
  return {
    ...(systemPrompt === undefined ? {} : { systemPrompt: (await textOf("--system-prompt", systemPrompt)).trim() }),
    ...(tools === undefined ? {} : { tools: toolsIn(tools, await textOf("--tools", tools)) }),
  };
}

/** The text of a file that a flag names, without a byte order mark. @throws CliError `bad_flag` */
export async function textOf(flag: string, path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  } catch (cause) {
    throw new CliError("bad_flag", `${flag} names ${path}, which cannot be read.`, "Check the path.", { cause });
  }
}

function toolsIn(path: string, text: string): ToolSchema[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CliError("bad_flag", `--tools names ${path}, which is not JSON.`, WANTED, { cause });
  }
  if (Array.isArray(value) && value.length > 0 && value.every((tool) => isObject(tool) && isObject(tool.function))) {
    return value as ToolSchema[];
  }
  throw new CliError("bad_flag", `--tools names ${path}, which is no list of function schemas.`, WANTED);
}

const WANTED = 'Give a JSON list of {"type": "function", "function": {"name", "parameters"}}.';

import { isObject, type ToolSchema } from "@while/schema";
import { nameTokens } from "./name-tokens.ts";

/** What calling a tool can do. */
export type ToolKind = "read" | "destructive" | "other";

// The lists of the Python SDK; weights and openings rest on them.
const READ = wordsOf(
  "get read list lookup look inspect search fetch find show describe view check query cat browse status",
);
const DESTRUCTIVE = wordsOf(
  "delete remove pay refund transfer publish send cancel execute destroy drop close terminate revoke uninstall reset clear erase wipe purge disable deactivate unpublish unshare unsend",
);

/**
 * Whether a tool reads, destroys or does something else: by its MCP annotations where it has some, else by the words of
 * its name.
 */
export function toolKind(name: string, tool?: ToolSchema): ToolKind {
  const { annotations } = tool ?? {};
  if (isObject(annotations)) {
    if (annotations.readOnlyHint === true) return "read";
    if (annotations.destructiveHint === true) return "destructive";
    if (annotations.destructiveHint === false) return "other";
  }
  const words = nameTokens(name);
  if (READ.has(words[0] ?? "")) return "read";
  return words.some((word) => DESTRUCTIVE.has(word)) ? "destructive" : "other";
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

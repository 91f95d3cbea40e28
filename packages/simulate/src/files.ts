// A run that survives its process
export { runDirectory } from "./run-dir/run-directory.ts";
export type { RunDirectoryOptions } from "./run-dir/run-directory.ts";
export type { Durability } from "./run-dir/append-file.ts";

// Answers of models, kept
export { completionCache } from "./completion-cache/completion-cache.ts";
export type { CompletionCacheOptions } from "./completion-cache/completion-cache.ts";

// Spans in a file
export { otlpFile } from "./otlp-file/otlp-file.ts";
export type { OtlpFile, OtlpFileOptions } from "./otlp-file/otlp-file.ts";

// A program as an agent
export { commandAgent } from "./command/command-agent.ts";
export type { CommandOptions } from "./command/command-agent.ts";
export { claudeCode, claudeCodeReply } from "./command/claude-code.ts";
export type { ClaudeCodeOptions } from "./command/claude-code.ts";
export { codex, codexReply } from "./command/codex.ts";
export type { CodexOptions } from "./command/codex.ts";

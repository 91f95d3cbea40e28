/** A server that is started as a process, or one that is there under an address (streamable HTTP). */
export type McpServer =
  | { command: string; args?: readonly string[]; env?: Readonly<Record<string, string>>; cwd?: string }
  | { url: string; headers?: Readonly<Record<string, string>> };

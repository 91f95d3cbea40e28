import { isObject, type ReadReport, type Row, systemPromptStamp, type ToolSchema } from "@while/schema";
import { type ReadFilesOptions, readSidecar, rowPaths, sidecarPath, streamRowFiles } from "@while/schema/files";
import { ExactDigits } from "../json/exact-digits.ts";
import { type Rules, rulesOf } from "../source.ts";

/** What is known of the files' rules and tools; grows while they are read. */
export interface KnownBeside {
  rules: Rules;
  tools: readonly ToolSchema[] | null;
}

/** Rows of files, as often as they are asked for. */
export class PathRows {
  /** Files that are read, without standard input. */
  readonly files: readonly string[];
  readonly #paths: readonly string[];
  readonly #options: ReadFilesOptions;
  /** Standard input can be read once, so its rows are kept. */
  #kept: Row[] | null = null;
  #report: ReadReport | null = null;

  private constructor(paths: readonly string[], files: readonly string[], options: ReadFilesOptions) {
    this.#paths = paths;
    this.files = files.filter((path) => path !== "-");
    this.#options = options;
  }

  /** @throws SchemaError `not_found`, `bad_file`, `bad_option` */
  static async open(paths: readonly string[], options: ReadFilesOptions): Promise<PathRows> {
    return new PathRows(paths, await rowPaths(paths), options);
  }

  /** Whether the rows had to be held in memory. */
  get isBuffered(): boolean {
    return this.#paths.includes("-");
  }

  /** Every file that an export must not write over. */
  get guarded(): string[] {
    return this.files.flatMap((path) => [path, sidecarPath(path)]);
  }

  /** The report of the first pass; null before it has ended. */
  get report(): ReadReport | null {
    return this.#report;
  }

  /** What lies beside the files: known before the first row is. */
  async sidecars(): Promise<KnownBeside> {
    let text: string | null = null;
    let tools: readonly ToolSchema[] | null = null;
    const bySha = new Map<string, string>();
    for (const path of this.files) {
      const meta = await readSidecar(path);
      if (meta === null) continue;
      const { system_prompt, system_prompts, tools: listed } = meta;
      if (typeof system_prompt === "string" && system_prompt !== "") {
        text ??= system_prompt;
        bySha.set(systemPromptStamp(system_prompt).sha, system_prompt);
      }
      if (Array.isArray(listed)) tools ??= listed as ToolSchema[];
      for (const [sha, rules] of Object.entries(isObject(system_prompts) ? system_prompts : {})) {
        if (typeof rules === "string") bySha.set(sha, rules);
      }
    }
    return { rules: rulesOf(text, bySha), tools };
  }

  /** What the files said themselves, once they were read to their end. */
  known(before: KnownBeside): KnownBeside {
    if (this.#report === null) return before;
    const { systemPrompts, meta } = this.#report;
    const text = typeof meta?.system_prompt === "string" ? meta.system_prompt : null;
    const tools = Array.isArray(meta?.tools) ? (meta.tools as ToolSchema[]) : null;
    const bySha = new Map([...before.rules.bySha, ...systemPrompts]);
    return { rules: rulesOf(before.rules.text ?? text, bySha), tools: before.tools ?? tools };
  }

  async *rows(): AsyncGenerator<Row> {
    if (this.#kept !== null) {
      yield* this.#kept;
      return;
    }
    const kept: Row[] | null = this.isBuffered ? [] : null;
    const digits = new ExactDigits();
    const { onRecord } = this.#options;
    const stream = streamRowFiles(this.#paths, {
      ...this.#options,
      onRecord(record, text) {
        digits.remember(record, text);
        onRecord?.(record, text);
      },
    });
    for await (const read of stream) {
      const row = digits.restored(read);
      kept?.push(row);
      yield row;
    }
    this.#kept = kept;
    this.#report = stream.report();
  }
}

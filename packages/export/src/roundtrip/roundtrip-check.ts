import { isObject, type ToolSchema } from "@while/schema";
import { argumentTree, isArguments } from "../conversation/argument-text.ts";
import { parseJsonTree } from "../json/parse-json-tree.ts";
import { schemaMismatch, ToolSchemas } from "./schema-mismatch.ts";

/** How a format spells arguments: JSON text, an object, or an object in the text of the message. */
export type ArgumentEncoding = "json_string" | "dict" | "text";

/** Row indices and examples that a report names. */
const ROWS_MAX = 20;
const EXAMPLES_MAX = 5;

/** Whether every tool call of a file can be read back as a call. */
export interface RoundtripReport {
  /** Calls looked at. */
  checked: number;
  invalid: number;
  /** Indices of rows with an invalid call, the first 20. */
  rows: number[];
  encoding: ArgumentEncoding;
  /** The format whose spelling was asked for. */
  checkedFor: string;
  /** The first invalid calls: where, and the arguments as they stand in the row. */
  invalidCalls: { row: number; tool: string; arguments: string }[];
  /** Calls whose arguments do not fit the schemas on their row; a warning, since a bad call may be wanted. */
  schemaMismatch: number;
  schemaMismatches: { row: number; tool: string; problem: string }[];
  /** Which chat templates the encoding suits, and which it breaks. */
  templates: string;
}

/** The round trip of rows that come one at a time. */
export class RoundtripCheck {
  readonly #schemas = new ToolSchemas();
  readonly #report: RoundtripReport;
  readonly #readAs: ArgumentEncoding;

  /** @param readAs How the rows handed in spell arguments, where that is not yet the format's spelling */
  constructor(checkedFor: string, encoding: ArgumentEncoding, readAs: ArgumentEncoding = encoding) {
    this.#readAs = readAs;
    this.#report = {
      checked: 0,
      invalid: 0,
      rows: [],
      encoding,
      checkedFor,
      invalidCalls: [],
      schemaMismatch: 0,
      schemaMismatches: [],
      templates: TEMPLATES[encoding],
    };
  }

  /** @param index The row's place in the file */
  add(row: Record<string, unknown>, index: number): void {
    for (const key of ["messages", "prompt", "completion", "chosen", "rejected"]) {
      const messages = row[key];
      if (!Array.isArray(messages)) continue;
      for (const message of messages) {
        if (!isObject(message) || !Array.isArray(message.tool_calls)) continue;
        for (const call of message.tool_calls) this.#addCall(call, row.tools, index);
      }
    }
  }

  report(): RoundtripReport {
    return this.#report;
  }

  #addCall(call: unknown, tools: unknown, row: number): void {
    const report = this.#report;
    const called = isObject(call) && isObject(call.function) ? call.function : {};
    const tool = typeof called.name === "string" ? called.name : "";
    report.checked++;
    const read = this.#read(called.arguments);
    if (read === null) {
      report.invalid++;
      if (report.rows.at(-1) !== row && report.rows.length < ROWS_MAX) report.rows.push(row);
      if (report.invalidCalls.length < EXAMPLES_MAX) {
        const given = called.arguments;
        const spelled = typeof given === "string" ? given : (JSON.stringify(given) ?? "nothing");
        report.invalidCalls.push({ row, tool, arguments: spelled.slice(0, 200) });
      }
      return;
    }
    const list = typeof tools === "string" ? argumentTree(tools) : tools;
    if (!Array.isArray(list) || list.length === 0) return;
    const problem = schemaMismatch(tool, read, this.#schemas.parametersByTool(list as ToolSchema[]));
    if (problem === null) return;
    report.schemaMismatch++;
    if (report.schemaMismatches.length < EXAMPLES_MAX) report.schemaMismatches.push({ row, tool, problem });
  }

  /** The arguments as the trainer gets them; null when they are no object in the asked spelling. */
  #read(given: unknown): Record<string, unknown> | null {
    if (this.#readAs === "dict") return isArguments(given) ? given : null;
    if (typeof given !== "string") return null;
    try {
      const parsed = parseJsonTree(given);
      return isArguments(parsed) ? parsed : null;
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      throw error;
    }
  }
}

/** Seen by rendering one call both ways under the templates that ship with the models. */
const TEMPLATES: Readonly<Record<ArgumentEncoding, string>> = {
  dict: "objects suit templates that apply tojson (Qwen2.5, Qwen3, Llama 3.1 and 3.2, GPT-OSS, GLM-4.5); the original DeepSeek V3 template raises on them",
  text: "calls in the text of messages suit bases whose template writes them so (Qwen2.5, Qwen3 and other Hermes dialects)",
  json_string:
    "text suits chat APIs, Qwen3 and the original DeepSeek V3 template; Qwen2.5, Llama 3 and GPT-OSS templates quote it twice, GLM-4.5 and Qwen3.5 raise on it",
};

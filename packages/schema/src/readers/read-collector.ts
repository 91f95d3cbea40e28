import { isKnownVersion, KNOWN_VERSIONS } from "../checks/known-versions.ts";
import { type SystemPromptStamp, systemPromptStamp } from "../identity/system-prompt-stamp.ts";
import { isObject } from "../is-object.ts";
import { badLinesError, NAMED_BAD_LINES } from "../json/parse-jsonl.ts";
import type { BadRecord, RecordReader } from "../json/record-reader.ts";
import type { Row, ToolSchema } from "../row.ts";
import { pyJson } from "../text/python-json.ts";
import { shownName } from "../text/shown-value.ts";
import type { ReadOptions } from "./read-options.ts";
import { type FileReport, placeWord, type ReadReport } from "./read-report.ts";
import { rowFault } from "./row-fault.ts";
import { SeenIds } from "./seen-ids.ts";
import { TaskPrompts } from "./task-prompts.ts";

/** Past this many different rules a file's rows keep their own: the report must not grow with the file. */
const MAX_SYSTEM_PROMPTS = 1000;

/** Keys that name something and are text on every row. */
const ID_KEYS = ["scenario_id", "task_id", "rollout_id", "group_id", "conversation_id", "id"] as const;

/**
 * What is known of all files together: every row passes through `admit`, every fault through `refuse`, and the report
 * is taken when the last file has ended.
 */
export class ReadCollector {
  readonly report: ReadReport;
  readonly options: ReadOptions;
  readonly #ids = new SeenIds();
  readonly #prompts = new TaskPrompts();
  readonly #names = new Map<FileReport, readonly string[]>();
  /** The first bad records, in the order of the files and their lines. The first gives the error its code and fix. */
  readonly #bad: { record: BadRecord; file: number }[] = [];
  #toolNames = new Map<string, string>();
  #lastTools = "";
  /** Rows that a later release wrote. */
  #nLaterVersion = 0;
  #stamps = new Map<string, SystemPromptStamp>();

  constructor(options: ReadOptions) {
    this.options = options;
    this.report = {
      format: "none",
      files: [],
      noRows: [],
      records: 0,
      rows: 0,
      skipped: new Map(),
      badLines: [],
      nBadLines: 0,
      warnings: [],
      tools: null,
      systemPrompts: new Map(),
      models: new Map(),
      nonFinite: 0,
      unsafeIntegers: 0,
      loneSurrogates: 0,
      droppedTail: false,
      meta: null,
    };
  }

  /** Whether rows are still wanted: after a refusal the rest is only searched for more faults. */
  get isOpen(): boolean {
    return this.report.nBadLines === 0 || this.options.onBadRow === "skip";
  }

  /**
   * The row as it may pass: ids as text, rules moved to the report. null when it was refused.
   *
   * @param asksAlike Whether a task of its format is one text
   */
  admit(row: Row, file: FileReport, line: number, asksAlike = false): Row | null {
    let passing = this.#withRulesMoved(withTextIds(row));
    let fault = rowFault(passing);
    if (fault !== null) {
      // Call ids that are numbers are looked for in the rows that need it.
      passing = withTextCallIds(passing);
      fault = rowFault(passing);
    }
    if (fault !== null) {
      this.refuse({
        file: file.path,
        line,
        column: null,
        code: "bad_value",
        what: `${this.placeWord(file, line)}: ${fault.what}`,
        fix: fault.fix,
      });
      return null;
    }
    if (this.#isDuplicate(passing, file, line)) return null;
    if (!isKnownVersion(passing)) this.#nLaterVersion++;
    if (asksAlike && typeof passing.scenario_id === "string" && typeof passing.prompt === "string") {
      this.#prompts.add(passing.scenario_id, passing.prompt, this.report.files.length);
    }
    const model = passing.model_version;
    if (typeof model === "string" && model !== "") {
      this.report.models.set(model, (this.report.models.get(model) ?? 0) + 1);
    }
    if (Array.isArray(passing.tools)) this.addTools(passing.tools);
    file.rows++;
    this.report.rows++;
    return passing;
  }

  /** The records of a file by name, where they have one: sentences call them by it. */
  nameRecords(file: FileReport, names: readonly string[]): void {
    this.#names.set(file, names);
  }

  /** How a sentence calls a place in a file. */
  placeWord(file: FileReport, number: number | null): string {
    const name = number === null ? undefined : this.#names.get(file)?.[number - 1];
    return name ?? placeWord(file, number);
  }

  /** The same with the file. */
  #wholePlace(file: FileReport, number: number | null): string {
    const path = file.path ?? "the text";
    return this.#names.has(file) ? `${path}, ${this.placeWord(file, number)}` : `${path}:${number}`;
  }

  /** Lines that are no JSON are known before rows that are wrong, so faults do not come in order. */
  refuse(record: BadRecord): void {
    this.report.nBadLines++;
    const file = this.report.files.length;
    const bad = this.#bad;
    let at = bad.length;
    while (at > 0 && bad[at - 1]!.file === file && bad[at - 1]!.record.line > record.line) at--;
    if (at >= NAMED_BAD_LINES) return;
    bad.splice(at, 0, { record, file });
    bad.splice(NAMED_BAD_LINES);
  }

  skip(reason: string): void {
    this.report.skipped.set(reason, (this.report.skipped.get(reason) ?? 0) + 1);
  }

  warn(code: string, text: string): void {
    this.report.warnings.push({ code, text });
  }

  keepSystemPrompt(text: string): SystemPromptStamp | null {
    const known = this.#stamps.get(text);
    if (known !== undefined) return known;
    const { systemPrompts } = this.report;
    if (this.#stamps.size >= MAX_SYSTEM_PROMPTS) {
      if (!this.report.warnings.some(({ code }) => code === "many_system_prompts")) {
        this.warn(
          "many_system_prompts",
          `There are more than ${MAX_SYSTEM_PROMPTS} different system prompts; from there on rows keep their own.`,
        );
      }
      return null;
    }
    const stamp = systemPromptStamp(text);
    this.#stamps.set(text, stamp);
    systemPrompts.set(stamp.sha, text);
    return stamp;
  }

  /** Tools by name, the first schema of each; another schema under the same name stays on its rows and is said. */
  addTools(tools: readonly ToolSchema[]): void {
    const text = JSON.stringify(tools);
    if (text === this.#lastTools) return;
    this.#lastTools = text;
    for (const tool of tools) {
      if (!isObject(tool)) continue;
      const name = tool.function?.name ?? (typeof tool.name === "string" ? tool.name : "");
      const schema = pyJson(tool, { sortKeys: true });
      const known = this.#toolNames.get(name);
      if (known === undefined) {
        this.#toolNames.set(name, schema);
        this.report.tools = [...(this.report.tools ?? []), tool];
      } else if (known !== schema && !this.report.warnings.some(({ code }) => code === "tools_differ")) {
        this.warn("tools_differ", `The tool ${name} has more than one schema; the report has the first.`);
      }
    }
  }

  /** What stands beside the rows of one file: a sidecar, or the rest of a document. */
  addMeta(meta: Record<string, unknown>, from: string): void {
    const { system_prompts: prompts, system_prompt: prompt, tools } = meta;
    if (isObject(prompts)) {
      for (const [sha, text] of Object.entries(prompts)) {
        if (typeof text === "string") this.report.systemPrompts.set(sha, text);
      }
    }
    if (typeof prompt === "string" && prompt !== "") this.keepSystemPrompt(prompt);
    if (Array.isArray(tools)) this.addTools(tools);
    const before = this.report.meta ?? {};
    const differ = Object.keys(meta).filter(
      (key) => Object.hasOwn(before, key) && pyJson(before[key]) !== pyJson(meta[key]),
    );
    if (differ.length > 0) {
      this.warn(
        "meta_differs",
        `${from} says otherwise than an earlier file about ${differ.join(", ")}; the first is kept.`,
      );
    }
    this.report.meta = { ...meta, ...before };
  }

  /** Takes over what the reader of one file has counted. */
  closeFile(file: FileReport, reader: Pick<RecordReader, "notes" | "noteLines" | "droppedTail">): void {
    const { report } = this;
    const { notes, noteLines } = reader;
    const at = (line: number | null, path: string | null) =>
      `${path || "the record"} at ${file.path === null ? this.placeWord(file, line) : this.#wholePlace(file, line)}`;
    report.nonFinite += notes.nonFinite;
    report.unsafeIntegers += notes.unsafeIntegers;
    report.loneSurrogates += notes.loneSurrogates;
    if (notes.nonFinite > 0) {
      const what =
        notes.nonFinite === 1
          ? "1 number was NaN or infinite and is"
          : `${notes.nonFinite} numbers were NaN or infinite and are`;
      this.warn("non_finite", `${what} null; the first is ${at(noteLines.nonFinite, notes.nonFinitePath)}.`);
    }
    if (notes.unsafeIntegers > 0) {
      const what = notes.unsafeIntegers === 1 ? "1 integer is" : `${notes.unsafeIntegers} integers are`;
      this.warn(
        "unsafe_integers",
        `${what} too large for a number: ids keep their digits as text, others are rounded; the first is ` +
          `${at(noteLines.unsafeIntegers, notes.unsafeIntegerPath)}.`,
      );
    }
    if (notes.loneSurrogates > 0) {
      const what =
        notes.loneSurrogates === 1
          ? "1 half of a surrogate pair stands alone and is"
          : `${notes.loneSurrogates} halves of surrogate pairs stand alone and are`;
      this.warn(
        "lone_surrogates",
        `${what} kept; the first is ${at(noteLines.loneSurrogates, notes.loneSurrogatePath)}.`,
      );
    }
    if (reader.droppedTail) {
      report.droppedTail = true;
      this.warn("dropped_tail", `The end of ${file.path ?? "the text"} is not JSON and was dropped.`);
    }
  }

  /** @throws SchemaError for bad rows, unless they were to be skipped */
  finish(): ReadReport {
    const { report } = this;
    const formats = new Set(report.files.map(({ format }) => format));
    report.format = formats.size > 1 ? "mixed" : ([...formats][0] ?? "none");
    report.badLines = this.#bad.map(({ record: { code: _, fix: __, ...bad } }) => bad);
    const differing = this.#prompts.warning();
    if (differing !== null) this.warn("task_prompts_differ", differing);
    if (this.#nLaterVersion > 0) {
      const rows = this.#nLaterVersion === 1 ? "1 row has" : `${this.#nLaterVersion} rows have`;
      this.warn(
        "unknown_schema_version",
        `${rows} a schema_version that this release does not know (it knows ${KNOWN_VERSIONS.join(" and ")}): the rows ` +
          "are carried as they are, and what they say by later rules is not understood. Update before drawing a number.",
      );
    }
    if (!this.isOpen) throw badLinesError(this.#bad[0]!.record, report, report.files.length);
    if (report.nBadLines > 0) {
      const rows = report.nBadLines === 1 ? "1 bad row was" : `${report.nBadLines} bad rows were`;
      const [first] = report.badLines;
      const file = first!.file === null ? "" : `${first!.file}, `;
      this.warn("bad_rows", `${rows} left out; the first: ${file}${first!.what}.`);
    }
    return report;
  }

  #withRulesMoved(row: Row): Row {
    if (typeof row.system_prompt !== "string" || row.system_prompt === "") return row;
    const { system_prompt: text, ...rest } = row;
    const stamp = this.keepSystemPrompt(text);
    const known = stamp ?? systemPromptStamp(text);
    const lineage = {
      ...(isObject(row.lineage) ? row.lineage : {}),
      system_prompt_sha: known.sha,
      system_prompt_head: known.head,
      system_prompt_chars: known.chars,
    };
    return stamp === null ? { ...row, lineage } : { ...rest, lineage };
  }

  #isDuplicate(row: Row, file: FileReport, line: number): boolean {
    const id = row.rollout_id;
    if (typeof id !== "string" || id === "" || this.options.duplicates === "keep") return false;
    const before = this.#ids.add(id, this.report.files.indexOf(file), line);
    if (before === null) return false;
    const first = this.report.files[before.file]!;
    const where = first.path === file.path ? this.placeWord(first, before.line) : this.#wholePlace(first, before.line);
    this.refuse({
      file: file.path,
      line,
      column: null,
      code: "duplicate_rollout",
      what: `${this.placeWord(file, line)}: rollout_id ${shownName(id)} is already the one of ${where}`,
      fix: 'Give each rollout its own id (assignRolloutIds), or pass duplicates: "keep".',
    });
    return true;
  }
}

function withTextIds(row: Row): Row {
  // By name and not in the loop below: nearly every row ends here, half a microsecond earlier.
  if (
    typeof row.scenario_id !== "number" &&
    typeof row.task_id !== "number" &&
    typeof row.rollout_id !== "number" &&
    typeof row.group_id !== "number" &&
    typeof row.conversation_id !== "number" &&
    typeof row.id !== "number"
  ) {
    return row;
  }
  const text = { ...row };
  for (const key of ID_KEYS) {
    if (typeof row[key] === "number") text[key] = String(row[key]);
  }
  return text;
}

/** Calls and their answers name each other by text. */
function withTextCallIds(row: Row): Row {
  const text = { ...row };
  if (Array.isArray(row.steps)) text.steps = row.steps.map((step) => withTextKey(step, "id"));
  if (Array.isArray(row.messages)) text.messages = row.messages.map((message) => withTextKey(message, "tool_call_id"));
  return text;
}

function withTextKey<T>(value: T, key: string): T {
  if (!isObject(value) || typeof value[key] !== "number") return value;
  return { ...value, [key]: String(value[key]) };
}

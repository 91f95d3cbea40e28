import { ExportError } from "../export-error.ts";
import type { FormatSettings, FormatSpec } from "../formats/format-spec.ts";
import type { ExportReport, ExportWarning } from "../report/export-report.ts";
import type { TrainingRow } from "../training-row.ts";
import { withObjects } from "../trl/to-trl.ts";
import { type ProbeOptions, type ProbeReport, probeTemplate } from "./probe-template.ts";

/** What rows hold that templates treat differently. */
type Need = "calls" | "parallel" | "textBesideCall" | "agentOpening" | "lateSystem";

const NEEDS: Readonly<Record<Exclude<Need, "calls">, string>> = {
  parallel: "all but one of several calls in a turn",
  textBesideCall: "text beside a call",
  agentOpening: "an agent that speaks first",
  lateSystem: "a system message behind the first",
};

/** Something a template does to rows. */
interface Problem {
  need: Need;
  applies: boolean;
  /** Refused, and not only warned about. */
  isFatal: boolean;
  why: string;
  fix: string;
}

const MAX_ROWS = 50;
const NAMED = 3;

/**
 * Whether a chat template can render the rows of an export. What rows need is counted as they pass; the template is
 * probed once, with the first of them.
 */
export class TemplateCheck {
  readonly #spec: FormatSpec;
  readonly #settings: FormatSettings;
  readonly #template: string;
  /** How many rows need it, and the names of the first. */
  readonly #needs = new Map<Need, { n: number; names: string[] }>();
  readonly #rows: Record<string, unknown>[] = [];
  #report: ProbeReport | null = null;

  constructor(spec: FormatSpec, settings: FormatSettings, template: string) {
    this.#spec = spec;
    this.#settings = settings;
    this.#template = template;
  }

  /** @param row The sample in the consumer's shape */
  add(sample: TrainingRow, row: Record<string, unknown>, name: () => string): void {
    for (const need of needsOf(sample)) {
      let known = this.#needs.get(need);
      if (known === undefined) {
        known = { n: 0, names: [] };
        this.#needs.set(need, known);
      }
      if (known.n++ < NAMED) known.names.push(name());
    }
    if (this.#rows.length < MAX_ROWS) this.#rows.push(this.#asRendered(sample, row));
  }

  /** @throws ExportError `template_failed`; `consumer_refused` for rows that the template breaks */
  decide(validate: boolean): void {
    const { maskMode, unroll, trainerConfig, chatTemplateKwargs } = this.#settings;
    const isWhole = this.#spec.name === "trl" && maskMode !== "final" && !unroll;
    const trains: ProbeOptions["trains"] = !isWhole
      ? "assistant"
      : trainerConfig.assistant_only_loss === true
        ? "generation"
        : "all";
    const variables = chatTemplateKwargs ?? {};
    this.#report = probeTemplate(this.#template, { rows: this.#rows, trains, variables });
    if (!validate) return;
    for (const { need, applies, isFatal, why, fix } of this.#problems()) {
      const known = this.#needs.get(need);
      if (known === undefined || !applies || !isFatal) continue;
      throw new ExportError("consumer_refused", `${why} ${known.n} rows need that: ${known.names.join(", ")}.`, fix, {
        data: { need, rows: known.n },
      });
    }
  }

  report(): ProbeReport {
    return this.#report!;
  }

  warnings({ n, withSystem, trlVersion }: ExportReport): ExportWarning[] {
    const report = this.report();
    const { thinkBlock, defaultSystem, prefixPreserved, generationBlock, rowErrors } = report;
    const { maskMode, unroll, trainerConfig } = this.#settings;
    const isOneTurn = maskMode === "final" || unroll;
    const found: [string, boolean, string][] = this.#problems().map(({ need, applies, why }) => {
      const known = this.#needs.get(need);
      return ["template_breaks_rows", applies && known !== undefined, `${why} ${known?.n} rows need that.`];
    });
    found.push(
      [
        "template_fails",
        rowErrors.length > 0,
        `The template fails on ${rowErrors.length} of the first ${report.rowsRendered} rows, first row ${rowErrors[0]?.row}: ${rowErrors[0]?.message}`,
      ],
      [
        "prefix_not_preserved",
        !prefixPreserved && isOneTurn,
        "The template rewrites what came before: the rendered prompt is no beginning of prompt and completion, so that a mask by length lies beside the turn. TRL swaps in a training template for families it knows.",
      ],
      [
        "template_think_block",
        thinkBlock?.includes("think") === true && isOneTurn,
        `The trained completion begins with ${JSON.stringify(thinkBlock)}: train and evaluate with enable_thinking: false on both arms.`,
      ],
      [
        "template_default_system",
        defaultSystem !== null && withSystem < n,
        `${n - withSystem} rows have no rules, and the template puts its own in front: ${JSON.stringify(defaultSystem?.slice(0, 80))}.`,
      ],
      [
        "template_without_generation",
        trainerConfig.assistant_only_loss === true && !generationBlock,
        trlVersion === "0.19.1"
          ? "assistant_only_loss reads a {% generation %} block, and this template has none."
          : "assistant_only_loss reads a {% generation %} block and this template has none: it works only where TRL knows the family and patches it.",
      ],
    );
    return found.flatMap(([code, applies, text]) => (applies ? [{ code, text }] : []));
  }

  /** What the template does to something that rows may need. */
  #problems(): Problem[] {
    // Calls that stand in the text are text to a template.
    const isInline = this.#spec.rewritesCalls === true;
    const report = this.report();
    const spelling = report.arguments;
    const given = this.#spec.name === "trl" ? this.#settings.argumentsAs : "object";
    const other = given === "object" ? "string" : "object";
    const problems: Problem[] = [
      {
        need: "calls",
        applies: !isInline && (spelling === "dropped" || spelling === "error"),
        isFatal: true,
        why: spelling === "error" ? "The template raises on tool calls." : "The template drops tool calls.",
        fix: "Choose a format that writes calls into the text (openrlhf, verl, torchtune), or another model.",
      },
      {
        need: "calls",
        applies: !isInline && spelling === other,
        isFatal: true,
        why:
          given === "object"
            ? "The template wants arguments as JSON text and breaks objects."
            : "The template wants arguments as objects and quotes JSON text twice, or raises on it.",
        fix:
          this.#spec.name === "trl"
            ? `Use argumentsAs: "${other}".`
            : 'Use format: "trl" with argumentsAs: "string", or another model.',
      },
    ];
    for (const [need, words] of Object.entries(NEEDS) as [Exclude<Need, "calls">, string][]) {
      const kept = report[need];
      const isOfCalls = need === "parallel" || need === "textBesideCall";
      problems.push({
        need,
        applies: kept !== "ok" && !(isInline && isOfCalls),
        // A call that is lost leaves its answer without a question.
        isFatal: kept === "error" || need === "parallel",
        why: `The template ${kept === "error" ? "raises on" : "drops"} ${words}.`,
        fix: "Leave these rows out, or choose another model; validate: false writes them.",
      });
    }
    return problems;
  }

  /** The row as the trainer hands it to its template: Axolotl reads arguments before it renders. */
  #asRendered(sample: TrainingRow, row: Record<string, unknown>): Record<string, unknown> {
    if (this.#spec.name !== "axolotl") return row;
    return {
      messages: sample.messages.map(withObjects),
      ...(sample.tools === undefined ? {} : { tools: sample.tools }),
    };
  }
}

function needsOf({ messages }: TrainingRow): Set<Need> {
  const needs = new Set<Need>();
  for (const [at, { role, content, tool_calls: calls }] of messages.entries()) {
    if (role === "system" && at > 0) needs.add("lateSystem");
    if (calls === undefined) continue;
    needs.add("calls");
    if (calls.length > 1) needs.add("parallel");
    if (content !== "") needs.add("textBesideCall");
  }
  if (messages.find(({ role }) => role !== "system")?.role === "assistant") needs.add("agentOpening");
  return needs;
}

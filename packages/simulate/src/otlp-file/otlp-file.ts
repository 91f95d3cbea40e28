import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { checkOptions, type OtlpAttribute, type OtlpSpan, type OtlpTraces, type OtlpValue } from "@while/schema";
import { AppendFile } from "../run-dir/append-file.ts";
import { SimulateError } from "../simulate-error.ts";
import type { SpanAttribute, Tracer, TraceSpan } from "../tracing/tracer.ts";

export interface OtlpFileOptions {
  /** `service.name` of what writes the spans. */
  service?: string;
}

/** A tracer that writes to a file, which is closed when nothing more comes. */
export interface OtlpFile extends Tracer {
  /** @throws What the file said of the first line that it did not take */
  close(): Promise<void>;
}

const SCOPE = "@while/simulate";

/**
 * A tracer that writes OTLP/JSON as the collector's file exporter does: a line for each rollout, when it has ended. Every
 * reader of OpenTelemetry's file format reads it, `rowsFromOtel` and `wai` among them. The file is appended to, so that a
 * run that goes on after a kill has one file.
 *
 * @throws SimulateError `bad_run_directory` when the file cannot be opened
 */
export function otlpFile(path: string, options: OtlpFileOptions = {}): OtlpFile {
  checkOptions(options, ["service"], (what, fix) => new SimulateError("bad_option", what, fix));
  const { service = "while-simulate" } = options;
  let file: AppendFile;
  try {
    mkdirSync(dirname(path), { recursive: true });
    file = new AppendFile(path, { durability: "process" });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new SimulateError("bad_run_directory", `${path} cannot be written (${code}).`, "Name a file that can.", {
      cause,
    });
  }
  const within = new AsyncLocalStorage<FileSpan>();
  let failure: unknown = null;
  return {
    startActiveSpan(name, { kind = 0, attributes = {} }, work) {
      const span = new FileSpan(name, kind, attributes, within.getStore() ?? null, (spans) => {
        // One write of a whole line, as rows are written; it is done when this returns.
        file.append(requestOf(service, spans)).catch((error) => {
          failure ??= error;
        });
      });
      return within.run(span, work, span);
    },
    async close() {
      await file.close();
      if (failure !== null) throw failure;
    },
  };
}

/** Nanoseconds since 1970 at which `process.hrtime` is 0: spans of a millisecond are told apart. */
const EPOCH = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();
const now = (): string => String(EPOCH + process.hrtime.bigint());

class FileSpan implements TraceSpan {
  private readonly traceId: string;
  private readonly spanId = randomBytes(8).toString("hex");
  private readonly root: FileSpan;
  private readonly parent: FileSpan | null;
  private readonly name: string;
  private readonly kind: number;
  private readonly start = now();
  private readonly attributes: Map<string, SpanAttribute>;
  private readonly write: (spans: OtlpSpan[]) => void;
  private status: OtlpSpan["status"];
  private isEnded = false;
  /** Of the whole trace, on its first span. */
  private readonly ended: OtlpSpan[] = [];

  constructor(
    name: string,
    kind: number,
    attributes: Readonly<Record<string, SpanAttribute>>,
    parent: FileSpan | null,
    write: (spans: OtlpSpan[]) => void,
  ) {
    this.name = name;
    this.kind = kind;
    this.attributes = new Map(Object.entries(attributes));
    // A trace that has been written takes no more: what comes after it is one of its own.
    this.parent = parent?.root.isEnded ? null : parent;
    this.root = this.parent?.root ?? this;
    this.traceId = this.parent?.traceId ?? randomBytes(16).toString("hex");
    this.write = write;
  }

  spanContext(): { traceId: string; spanId: string } {
    return { traceId: this.traceId, spanId: this.spanId };
  }

  setAttribute(key: string, value: SpanAttribute): this {
    this.attributes.set(key, value);
    return this;
  }

  setStatus({ code, message }: { code: number; message?: string }): this {
    this.status = { code, ...(message === undefined ? {} : { message }) };
    return this;
  }

  end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    const { root } = this;
    root.ended.push({
      traceId: this.traceId,
      spanId: this.spanId,
      ...(this.parent === null ? {} : { parentSpanId: this.parent.spanId }),
      name: this.name,
      // OTLP counts from 1, the API from 0.
      kind: this.kind + 1,
      startTimeUnixNano: this.start,
      endTimeUnixNano: now(),
      attributes: [...this.attributes].map(([key, value]): OtlpAttribute => ({ key, value: otlpValue(value) })),
      ...(this.status === undefined ? {} : { status: this.status }),
    });
    if (root === this) this.write(root.ended);
  }
}

function otlpValue(value: SpanAttribute): OtlpValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map((item) => ({ stringValue: item })) } };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function requestOf(service: string, spans: OtlpSpan[]): OtlpTraces {
  const attributes = [{ key: "service.name", value: { stringValue: service } }];
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: SCOPE }, spans }] }] };
}

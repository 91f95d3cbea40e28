import { readFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { isObject } from "@while/schema";
import { writeFileAtomically } from "@while/schema/files";
import type { FormatSpec, RowKind } from "../formats/format-spec.ts";
import { invalidOption } from "../training-rows.ts";

const NAME = "dataset_info.json";

/**
 * The list of datasets that LLaMA-Factory reads, beside an exported file: made, or the one that lies there with one
 * entry more. It is read before the rows are, so that a folder whose list cannot be kept is refused at once.
 */
export class DatasetInfo {
  readonly #path: string;
  readonly #entries: Readonly<Record<string, unknown>>;
  readonly #name: string;
  readonly #entry: Readonly<Record<string, unknown>>;

  private constructor(output: string, entries: Readonly<Record<string, unknown>>, entry: Record<string, unknown>) {
    this.#path = join(dirname(output), NAME);
    this.#entries = entries;
    this.#name = basename(output, extname(output));
    this.#entry = entry;
  }

  /** null for a trainer without such a list. @throws ExportError `invalid_option` */
  static async beside(output: string | null, { infoEntry }: FormatSpec, kind: RowKind): Promise<DatasetInfo | null> {
    const entry = output === null ? undefined : infoEntry?.(kind, basename(output));
    if (output === null || entry === undefined) return null;
    return new DatasetInfo(output, await entriesOf(join(dirname(output), NAME)), entry);
  }

  /** Writes the list. @returns Its path */
  async write(): Promise<string> {
    const all = { ...this.#entries, [this.#name]: this.#entry };
    await writeFileAtomically(this.#path, (file) => file.write(`${JSON.stringify(all, null, 2)}\n`));
    return this.#path;
  }
}

async function entriesOf(path: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    entries = null;
  }
  if (isObject(entries)) return entries;
  throw invalidOption(
    `${path} is there and is no JSON object, so the entry of this file cannot be added to it.`,
    "Mend it, or write to another folder.",
  );
}

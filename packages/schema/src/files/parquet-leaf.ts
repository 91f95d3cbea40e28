import { shownName } from "../text/shown-value.ts";
import type { ColumnDecoder, ParquetPage } from "./parquet-pages.ts";

/** What a column has for some rows: a level pair for each value or null, and the values that are not null. */
export interface LeafEntries {
  definition: readonly number[];
  repetition: readonly number[];
  values: readonly unknown[];
}

/** One column of a row group, of one leaf where it is nested, read row by row while its pages are unpacked one by one. */
export class LeafColumn {
  readonly decoder: ColumnDecoder;
  readonly #pages: AsyncGenerator<ParquetPage>;
  #page: ParquetPage | null = null;
  #at = 0;
  #valueAt = 0;
  #nRows = 0;

  constructor(decoder: ColumnDecoder, pages: AsyncGenerator<ParquetPage>) {
    this.decoder = decoder;
    this.#pages = pages;
  }

  /**
   * The next rows. A row is at its end where the next one begins, which may be a page later.
   *
   * @throws Error when the column has fewer
   */
  async take(nRows: number): Promise<LeafEntries> {
    const definition: number[] = [];
    const repetition: number[] = [];
    const values: unknown[] = [];
    const { maxDefinition, maxRepetition } = this.decoder;
    let begun = 0;
    while (begun < nRows || maxRepetition > 0) {
      if (this.#page === null || this.#at === this.#page.length) {
        if (!(await this.#load())) break;
        continue;
      }
      const { definition: defined, repetition: repeated, values: there } = this.#page;
      const level = repeated === null ? 0 : repeated[this.#at]!;
      if (level === 0) {
        if (begun === nRows) break;
        begun++;
      } else if (begun === 0) {
        throw new Error(`its column ${this.#name} begins inside a row`);
      }
      const depth = defined === null ? maxDefinition : defined[this.#at]!;
      repetition.push(level);
      definition.push(depth);
      if (depth === maxDefinition) values.push(there[this.#valueAt++]);
      this.#at++;
    }
    if (begun < nRows)
      throw new Error(`its column ${this.#name} ends before row ${this.#nRows + begun + 1} of its group`);
    this.#nRows += nRows;
    return { definition, repetition, values };
  }

  async #load(): Promise<boolean> {
    const next = await this.#pages.next();
    if (next.done === true) return false;
    this.#page = next.value;
    this.#at = 0;
    this.#valueAt = 0;
    return true;
  }

  get #name(): string {
    return shownName(this.decoder.meta.path_in_schema.join("."));
  }
}

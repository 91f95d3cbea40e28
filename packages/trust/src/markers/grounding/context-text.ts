import { normText } from "@while/schema";
import type { ContextPiece } from "./call-timeline.ts";
import { type CalendarDay, readDays, readOrdinals } from "./read-dates.ts";
import { readClock, readNumbers, type SaidNumber } from "./read-numbers.ts";

const SEPARATOR = /[\s_-]/;

/** Normal form without blanks, underscores and hyphens: `ORD-4017` and `ord 4017` are one. */
function squeezed(text: string): string {
  return normText(text).replaceAll(/[\s_-]/g, "");
}

/**
 * The context of a rollout in normal form, made once. A call sees the beginning of it, so that a rollout of C calls and
 * T characters costs T and not C times T.
 */
export class ContextText {
  readonly text: string;
  private readonly flat: string;
  /** Whether a word begins at a place of the flat text, or ends before it. */
  private readonly edge: Uint8Array;
  /** Where the first n pieces end, in the text and in the flat one. */
  private readonly ends: { text: number; flat: number }[] = [{ text: 0, flat: 0 }];
  private readonly pieces: readonly ContextPiece[];

  constructor(pieces: readonly ContextPiece[]) {
    this.pieces = pieces;
    const flat: string[] = [];
    const edges: number[] = [];
    let text = "";
    let wasWord = false;
    for (const { text: given } of pieces) {
      const piece = normText(given);
      text += text === "" || piece === "" ? piece : ` ${piece}`;
      wasWord = false;
      for (const char of piece) {
        const isSeparator = SEPARATOR.test(char);
        const isWord = !isSeparator && /[\p{L}\p{N}]/u.test(char);
        if (!isSeparator) {
          flat.push(char);
          for (let i = 0; i < char.length; i++) edges.push(i === 0 && !(isWord && wasWord) ? 1 : 0);
        }
        wasWord = isWord;
      }
      this.ends.push({ text: text.length, flat: edges.length });
    }
    edges.push(1);
    this.text = text;
    this.flat = flat.join("");
    this.edge = Uint8Array.from(edges);
  }

  private allDays: readonly CalendarDay[] | null = null;
  private allOrdinals: readonly { day: number; at: number }[] | null = null;
  private allNumbers: readonly SaidNumber[] | null = null;
  private allTimes: readonly SaidNumber[] | null = null;

  days(nPieces: number): readonly CalendarDay[] {
    this.allDays ??= readDays(this.text);
    return this.upTo(this.allDays, nPieces);
  }

  ordinals(nPieces: number): readonly { day: number; at: number }[] {
    this.allOrdinals ??= readOrdinals(this.text);
    return this.upTo(this.allOrdinals, nPieces);
  }

  numbers(nPieces: number): readonly SaidNumber[] {
    this.allNumbers ??= readNumbers(this.text);
    return this.upTo(this.allNumbers, nPieces);
  }

  /** Minutes after midnight. */
  times(nPieces: number): readonly SaidNumber[] {
    this.allTimes ??= readClock(this.text);
    return this.upTo(this.allTimes, nPieces);
  }

  private upTo<Item extends { at: number }>(all: readonly Item[], nPieces: number): readonly Item[] {
    const end = this.ends[nPieces]!.text;
    return all.filter(({ at }) => at < end);
  }

  /** The text that the first n pieces are. */
  before(nPieces: number): string {
    return this.text.slice(0, this.ends[nPieces]!.text);
  }

  /** As letters anywhere, also without separators: how the Python SDK looks. The source, or null. */
  findLetters(value: string, nPieces: number): string | null {
    const end = this.ends[nPieces]!;
    const at = this.text.indexOf(value);
    if (at >= 0 && at + value.length <= end.text) return this.sourceAt(at, "text");
    const short = squeezed(value);
    const flatAt = short === "" ? -1 : this.flat.indexOf(short);
    return flatAt >= 0 && flatAt + short.length <= end.flat ? this.sourceAt(flatAt, "flat") : null;
  }

  /**
   * From the edge of a word on, without separators; to the edge of a word too where the value is one word or ends in a
   * digit. "cat" is not in "category", 100 not in 1000, "order" is in "orders". The source, or null.
   */
  findWords(value: string, nPieces: number): string | null {
    const short = squeezed(value);
    if (short === "") return null;
    const end = this.ends[nPieces]!.flat;
    const isOneWord = !/[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(value);
    const closes = isOneWord || /\p{N}$/u.test(short);
    for (let at = this.flat.indexOf(short); at >= 0; at = this.flat.indexOf(short, at + 1)) {
      const behind = at + short.length;
      if (behind > end) return null;
      if (this.edge[at] !== 1 && /^[\p{L}\p{N}]/u.test(short)) continue;
      if (closes && /[\p{L}\p{N}]$/u.test(short) && !this.endsAt(behind)) continue;
      return this.sourceAt(at, "flat");
    }
    return null;
  }

  /** Where a pattern's match in the normal text comes from. */
  sourceAt(at: number, of: "text" | "flat" = "text"): string {
    const piece = this.ends.findIndex((end, n) => n > 0 && at < end[of]);
    return this.pieces[piece - 1]?.source ?? "context";
  }

  /** A word ends here, or only its plural goes on. */
  private endsAt(at: number): boolean {
    if (this.edge[at] === 1) return true;
    const plural = this.flat.startsWith("es", at) ? 2 : this.flat.startsWith("s", at) ? 1 : 0;
    return plural > 0 && /\p{L}/u.test(this.flat[at - 1]!) && this.edge[at + plural] === 1;
  }
}

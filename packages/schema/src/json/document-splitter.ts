import { ByteList } from "./byte-list.ts";
import { MAX_DOCUMENT_BYTES, opensItems } from "./document-items.ts";
import { joined, MAX_LINE_BYTES, type Piece } from "./line-splitter.ts";

/** A document whose list of rollouts is parsed one at a time may be as long as this: its bytes are held. */
export const MAX_HELD_BYTES: number = 2 ** 30;

/** Keys under which a document keeps its rows. */
export const LIST_KEYS: readonly string[] = ["rows", "data", "trajectories"];

/**
 * Cuts one JSON document into the items of its list: an array as a whole, or the array under `rows`, `data` or
 * `trajectories` of an object. The items are handed out while the file is still being read, so that a document of
 * any size streams; what stands around the list is kept as `wrapper`.
 *
 * It finds the edges of items and checks nothing else: each item is parsed by the caller.
 */
export class DocumentSplitter {
  /** The document without the items of its list; what is wrong with it shows when it is parsed. */
  readonly #wrapper = new ByteList();
  #wrapperBytes = 0;
  /** Whether a long document has a list that can be parsed one item at a time; null while it is not long. */
  #hasItems: boolean | null = null;
  #item: Uint8Array[] = [];
  #itemBytes = 0;
  #itemLine = 1;
  #itemOffset = 0;
  #line = 1;
  #offset = 0;
  #depth = 0;
  #hasList = false;
  #nItems = 0;
  #inString = false;
  #escaped = false;
  /** Depth inside the list, once it has begun; 0 before and after. */
  #listDepth = 0;
  /** The last string at the top of an object, to know the key in front of a `[`. */
  #key: number[] = [];
  #keyState: "none" | "open" | "closed" | "colon" = "none";

  /** Items that end in this chunk. The chunk may be reused afterwards. */
  push(chunk: Uint8Array): Piece[] {
    const pieces: Piece[] = [];
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      let byte = chunk[i]!;
      if (this.#inString) {
        // Most bytes of a rollout are plain text, and those pass by here.
        while (byte !== QUOTE && byte !== BACKSLASH && !this.#escaped && this.#keyState !== "open") {
          if (++i === chunk.length) break;
          byte = chunk[i]!;
        }
        if (i < chunk.length) this.#insideString(byte);
        continue;
      }
      if (byte === 0x0a) this.#line++;
      if (this.#listDepth > 0 && this.#depth === this.#listDepth && (byte === COMMA || byte === CLOSE_BRACKET)) {
        this.#take(chunk.subarray(start, i));
        start = i + 1;
        const piece = this.#piece(byte === CLOSE_BRACKET);
        if (piece !== null) pieces.push(piece);
        if (byte === CLOSE_BRACKET) {
          this.#depth--;
          this.#listDepth = 0;
          start = i;
        } else {
          this.#itemStarts(i + 1);
        }
      } else if (this.#listDepth === 0 && byte === OPEN_BRACKET && this.#opensList()) {
        this.#depth++;
        this.#listDepth = this.#depth;
        this.#keepWrapper(chunk.subarray(start, i + 1));
        start = i + 1;
        this.#itemStarts(i + 1);
      } else {
        this.#outsideString(byte);
      }
    }
    this.#take(chunk.subarray(start));
    this.#offset += chunk.length;
    return pieces;
  }

  /** An item that the file breaks off in, for the caller to refuse. */
  end(): Piece[] {
    const piece = this.#listDepth > 0 ? this.#piece(true) : null;
    return piece === null ? [] : [piece];
  }

  /** Line that has been reached. */
  get line(): number {
    return this.#line;
  }

  /** Whether the list was opened and not closed. */
  get isCut(): boolean {
    return this.#listDepth > 0;
  }

  get hasList(): boolean {
    return this.#hasList;
  }

  /** Whether this is a long document whose rollouts can be parsed one at a time. */
  get hasItems(): boolean {
    return this.#hasItems === true;
  }

  /** The document around its list, which stands empty in it. */
  wrapper(): Piece {
    const tooLong = this.#wrapperBytes > MAX_DOCUMENT_BYTES;
    const bytes = tooLong ? new Uint8Array() : this.#wrapper.slice(0, this.#wrapper.length);
    return { bytes, line: 1, offset: 0, tooLong };
  }

  /** The bytes of the same, as they arrived; null when there are too many. */
  wrapperBytes(): ByteList | null {
    return this.#wrapperBytes > this.#wrapper.length ? null : this.#wrapper;
  }

  #insideString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      if (this.#keyState === "open") this.#keyState = "closed";
      return;
    }
    if (this.#keyState === "open" && this.#key.length < 16) this.#key.push(byte);
  }

  #outsideString(byte: number): void {
    if (byte === QUOTE) {
      this.#inString = true;
      if (this.#depth === 1 && this.#listDepth === 0) {
        this.#key = [];
        this.#keyState = "open";
      }
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#depth++;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      this.#depth--;
    } else if (this.#depth === 1) {
      if (byte === COLON && this.#keyState === "closed") this.#keyState = "colon";
      else if (byte === COMMA) this.#keyState = "none";
    }
  }

  /** The first list wins: a second one stays in the wrapper, where the caller finds and names it. */
  #opensList(): boolean {
    if (this.#hasList) return false;
    const atRoot = this.#depth === 0;
    const underKey =
      this.#depth === 1 && this.#keyState === "colon" && LIST_KEYS.includes(String.fromCharCode(...this.#key));
    this.#hasList = atRoot || underKey;
    return this.#hasList;
  }

  #itemStarts(at: number): void {
    this.#itemLine = this.#line;
    this.#itemOffset = this.#offset + at;
  }

  #take(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.#listDepth === 0) {
      this.#keepWrapper(bytes);
      return;
    }
    this.#itemBytes += bytes.length;
    if (this.#itemBytes > MAX_LINE_BYTES) this.#item = [];
    else this.#item.push(new Uint8Array(bytes));
  }

  #keepWrapper(bytes: Uint8Array): void {
    this.#wrapperBytes += bytes.length;
    if (this.#wrapperBytes > MAX_DOCUMENT_BYTES) this.#hasItems ??= opensItems(this.#wrapper.parts);
    if (this.#wrapperBytes <= (this.#hasItems === true ? MAX_HELD_BYTES : MAX_DOCUMENT_BYTES))
      this.#wrapper.push(bytes);
  }

  /** null for the nothing in `[]`; a comma too many is an item without a value, which its parser refuses. */
  #piece(isLast: boolean): Piece | null {
    const tooLong = this.#itemBytes > MAX_LINE_BYTES;
    const bytes = tooLong ? new Uint8Array() : joined(this.#item);
    let blank = 0;
    let line = this.#itemLine;
    while (blank < bytes.length && bytes[blank]! <= 0x20) {
      if (bytes[blank] === 0x0a) line++;
      blank++;
    }
    const piece = { bytes: bytes.subarray(blank), line, offset: this.#itemOffset + blank, tooLong };
    this.#item = [];
    this.#itemBytes = 0;
    if (isLast && this.#nItems === 0 && !tooLong && piece.bytes.length === 0) return null;
    this.#nItems++;
    return piece;
  }
}

// Here and not shared with the parser of texts: read from another module they cost the loop over every byte of a
// document so much under the test runner that 256 MiB took more than its five seconds.
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

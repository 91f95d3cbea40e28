import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Packing = "br" | "gzip";

/** A file of the built pages, in memory. */
export interface PageFile {
  bytes: Buffer;
  type: string;
  /** Of the bytes as they are stored. */
  hash: string;
  /** Its name holds a hash of what is in it, so that it never changes under this name. */
  immutable: boolean;
  /** Its bytes packed, made once and kept; null where packing saves nothing. */
  packed(packing: Packing): Promise<Buffer> | null;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

/** Pictures and fonts are packed already. */
const PACKED_ALREADY = new Set([".png", ".ico", ".woff2"]);
/** A packet of the network holds this much in any form. */
const PACK_FROM_BYTES = 1024;
/** One step below the best one: on 1.2 MB a third of a second where the best takes two, and 3% more bytes. */
const BROTLI_QUALITY = 10;

const pack: Readonly<Record<Packing, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

function pageFile(path: string, name: string): PageFile {
  const bytes = readFileSync(path);
  const extension = extname(name);
  const kept = new Map<Packing, Promise<Buffer>>();
  const packable = !PACKED_ALREADY.has(extension) && bytes.byteLength >= PACK_FROM_BYTES;
  return {
    bytes,
    type: TYPES[extension] ?? "application/octet-stream",
    hash: createHash("sha256").update(bytes).digest("base64url").slice(0, 22),
    immutable: name.startsWith("assets/") && /-[\w-]{8}\.\w+$/.test(name),
    packed(packing) {
      if (!packable) return null;
      const made = kept.get(packing) ?? pack[packing](bytes);
      kept.set(packing, made);
      return made;
    },
  };
}

/** The built pages of a folder, read when the first of them is asked for, and anew when they were built anew. */
export class PageFiles {
  readonly #folder: string;
  #files = new Map<string, PageFile>();
  #built = Number.NaN;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The file of a path without its first slash; undefined where there is none. Paths outside of the folder are none. */
  find(name: string): PageFile | undefined {
    if (name === "index.html") this.#refresh();
    const known = this.#files.get(name);
    if (known !== undefined || !Number.isNaN(this.#built)) return known;
    this.#refresh();
    return this.#files.get(name);
  }

  #refresh(): void {
    const index = join(this.#folder, "index.html");
    const built = existsSync(index) ? statSync(index).mtimeMs : Number.NaN;
    if (built === this.#built) return;
    this.#built = built;
    this.#files = new Map();
    if (Number.isNaN(built)) return;
    for (const entry of readdirSync(this.#folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const name = relative(this.#folder, path).split(sep).join("/");
      this.#files.set(name, pageFile(path, name));
    }
  }
}

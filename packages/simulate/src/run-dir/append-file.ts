import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";

/** How long lines wait for others before they are flushed to the disk together. */
const FLUSH_MS = 50;
const PIECE = 2 ** 16;

/** What a line must survive: the end of the process, or of the machine. */
export type Durability = "process" | "disk";

/**
 * A file that only grows, line by line. A line is one write of a whole line to a file opened for appending, so it is there
 * in full or not at all however the process ends; one that a crash of the machine tore off is cut away when the file is
 * opened again.
 */
export class AppendFile {
  private readonly file: number;
  private readonly durability: Durability;
  private flush: Promise<void> | null = null;

  constructor(path: string, { durability = "process", mode = 0o644 }: { durability?: Durability; mode?: number } = {}) {
    cutTornLine(path);
    this.file = openSync(path, "a", mode);
    this.durability = durability;
  }

  /** Resolves when the line is as safe as was asked for. */
  async append(value: unknown): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(value)}\n`);
    for (let at = 0; at < line.length; ) at += writeSync(this.file, line, at);
    if (this.durability === "disk") await this.flushed();
  }

  async close(): Promise<void> {
    await this.flush;
    closeSync(this.file);
  }

  /** One flush for all lines that come within a moment. */
  private flushed(): Promise<void> {
    this.flush ??= new Promise((resolve, reject) => {
      setTimeout(() => {
        this.flush = null;
        fdatasync(this.file, (error) => (error ? reject(error) : resolve()));
      }, FLUSH_MS);
    });
    return this.flush;
  }
}

/** Cuts a file behind its last line end. */
function cutTornLine(path: string): void {
  let file: number;
  try {
    file = openSync(path, "r+");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  try {
    const piece = Buffer.alloc(PIECE);
    let end = fstatSync(file).size;
    while (end > 0) {
      const start = Math.max(0, end - PIECE);
      const n = readSync(file, piece, 0, end - start, start);
      const last = piece.subarray(0, n).lastIndexOf(10);
      if (last >= 0) {
        end = start + last + 1;
        break;
      }
      end = start;
    }
    ftruncateSync(file, end);
  } finally {
    closeSync(file);
  }
}

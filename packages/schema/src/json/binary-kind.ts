/** What a file is that holds no rows, and what to do with it. */
export interface BinaryKind {
  /** Completes "this file is …". */
  name: string;
  fix: string;
}

const GIVE_JSONL = "Give a file of rows: JSONL, JSON or CSV.";

function packed(tool: string): string {
  return `Unpack it first (${tool}); gzip is read as it is.`;
}

const KINDS: readonly (BinaryKind & { magic: string })[] = [
  { magic: "\x1f\x8b", name: "gzip", fix: "Unpack it with gunzip(bytes), or read the file with readRowFiles." },
  {
    magic: "PK\x03\x04",
    name: "a zip archive",
    fix: "Read it from its file, with readRowFiles, if it is an Inspect log (.eval); unpack any other.",
  },
  { magic: "PAR1", name: "Parquet", fix: "Read it from its file, with readRowFiles." },
  { magic: "ARROW1", name: "an Arrow file", fix: "Arrow is not read yet: write it as JSONL, one row a line." },
  { magic: "\x28\xb5\x2f\xfd", name: "zstd", fix: packed("zstd -d") },
  { magic: "BZh", name: "bzip2", fix: packed("bunzip2") },
  { magic: "\xfd7zXZ\x00", name: "xz", fix: packed("unxz") },
  { magic: "7z\xbc\xaf\x27\x1c", name: "a 7-Zip archive", fix: packed("7z x") },
  { magic: "\xff\xfe", name: "UTF-16 text", fix: "Save it as UTF-8." },
  { magic: "\xfe\xff", name: "UTF-16 text", fix: "Save it as UTF-8." },
  { magic: "\x89PNG", name: "a PNG image", fix: GIVE_JSONL },
  { magic: "\xff\xd8\xff", name: "a JPEG image", fix: GIVE_JSONL },
  { magic: "GIF8", name: "a GIF image", fix: GIVE_JSONL },
  { magic: "RIFF", name: "a RIFF file (WebP, WAV or AVI)", fix: GIVE_JSONL },
  { magic: "%PDF", name: "a PDF", fix: GIVE_JSONL },
  { magic: "SQLite format 3\x00", name: "an SQLite database", fix: "Write the table as JSONL or CSV." },
  { magic: "\x89HDF", name: "an HDF5 file", fix: "Write it as JSONL, one row a line." },
  { magic: "\x93NUMPY", name: "a NumPy array", fix: "Write it as JSONL, one row a line." },
  { magic: "GGUF", name: "model weights (GGUF)", fix: GIVE_JSONL },
  { magic: "\x7fELF", name: "a program (ELF)", fix: GIVE_JSONL },
];

/** How many of the first bytes are searched for a NUL, which no text in UTF-8 holds. */
const SEARCHED_BYTES = 8192;

/** What kind of file the first bytes belong to; null when they may be text. */
export function binaryKind(head: Uint8Array): BinaryKind | null {
  for (const { magic, name, fix } of KINDS) {
    if (head.length >= magic.length && startsWith(head, magic)) return { name, fix };
  }
  const searched = head.subarray(0, SEARCHED_BYTES);
  return searched.includes(0) ? { name: "binary data", fix: GIVE_JSONL } : null;
}

function startsWith(bytes: Uint8Array, magic: string): boolean {
  for (let i = 0; i < magic.length; i++) {
    if (bytes[i] !== magic.charCodeAt(i)) return false;
  }
  return true;
}

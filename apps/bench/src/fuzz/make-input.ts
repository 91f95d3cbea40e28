import type { ReadOptions } from "@while/schema";
import { mutatedBytes } from "./mutate-bytes.ts";
import { mutatedJson } from "./mutate-json.ts";
import { Random } from "./random.ts";
import type { SourceFile } from "./source-files.ts";

/** A bad file, and how it is to be read. */
export interface FuzzInput {
  bytes: Uint8Array;
  /** A name as such a file has it, without folders. */
  name: string;
  options: ReadOptions;
  /** Whether it is read from disk, as packed files and tables must be, and not from memory. */
  onDisk: boolean;
  /** The fixture it was made from. */
  source: string;
}

/** The input of a number under a seed: the same from the same fixtures, whichever were made before it. */
export function makeInput(seed: number, index: number, formats: readonly (readonly SourceFile[])[]): FuzzInput {
  const random = new Random(seed, index);
  // Formats alike, however many files one of them has.
  const file = random.of(random.of(formats));
  const other = random.of(random.of(formats));
  let bytes = file.bytes;
  if (file.records !== null && !random.chance(4)) {
    const texts = mutatedJson(random.chance(8) ? [...file.records, ...(other.records ?? [])] : file.records, random);
    bytes = new TextEncoder().encode(layout(texts, random));
    if (random.chance(4)) bytes = mutatedBytes(bytes, other.bytes, random);
  } else {
    const changes = 1 + random.below(3);
    for (let i = 0; i < changes; i++) bytes = mutatedBytes(bytes, other.bytes, random);
  }
  const name = random.chance(16) ? random.of(NAMES) : file.name.replace(/^.*[/\\]/, "");
  const options = optionsFor(file, formats, random);
  return { bytes, name, options, onDisk: onDisk(bytes, name) || random.chance(64), source: file.name };
}

const NAMES: readonly string[] = ["rows.jsonl", "rows.json", "rows.csv", "rows", "rows.tsv", "rows.gz", "log.eval"];

/** Records as lines, as one list, as the list under a key, or as one document over several lines. */
function layout(texts: readonly string[], random: Random): string {
  switch (random.below(8)) {
    case 0:
      return `[${texts.join(",\n")}]`;
    case 1:
      return `{"${random.of(["rows", "data", "trajectories"])}": [${texts.join(", ")}], "note": 1}`;
    case 2:
      return texts.map((text) => `${text.replace(/^\{/, "{\n")}\n`).join("");
    default:
      return texts.map((text) => `${text}\n`).join("");
  }
}

/** Mostly what a person would try first; the format is named as often as it is found out. */
function optionsFor(file: SourceFile, formats: readonly (readonly SourceFile[])[], random: Random): ReadOptions {
  const options: ReadOptions = {};
  if (random.chance(2)) options.format = random.chance(8) ? random.of(random.of(formats)).format : file.format;
  if (random.chance(2)) options.onBadRow = "skip";
  if (random.chance(10)) options.tolerateTail = random.chance(2);
  if (random.chance(10)) options.unsafeIntegers = random.of(["ids", "string", "number"]);
  if (random.chance(6)) options.invalidUtf8 = "replace";
  if (random.chance(10)) options.duplicates = "keep";
  if (random.chance(8)) {
    options.rewardKey = random.of([
      ...["score", "reward", "exact_match", "correctness", "success", "__proto__", "toString"],
      ["label", "score"],
    ]);
  }
  if (random.chance(12))
    options.scale = random.of([
      [0, 10],
      [-1, 1],
    ]);
  if (random.chance(12)) options.threshold = random.of([0.5, 3, -1]);
  if (random.chance(12)) options.keepFractional = random.chance(2);
  if (random.chance(12)) options.keepErrors = false;
  if (random.chance(20)) options.as = "pairs";
  if (random.chance(20)) options.env = "shop";
  if (random.chance(20)) options.filter = random.of(["none", "strict-match"]);
  if (random.chance(20)) options.scorer = random.of(["match", "exact", "constructor"]);
  if (random.chance(20)) options.scoreKey = random.of(["value", "toString"]);
  return options;
}

const PACKED_NAME = /\.(?:csv|tsv|gz|eval|parquet|zip|zst)$/;

/** First bytes of gzip, zip, Parquet and zstd. */
const PACKED_HEADS = [
  [0x1f, 0x8b],
  [0x50, 0x4b],
  [0x50, 0x41, 0x52],
  [0x28, 0xb5],
];

function onDisk(bytes: Uint8Array, name: string): boolean {
  return PACKED_NAME.test(name) || PACKED_HEADS.some((head) => head.every((byte, at) => bytes[at] === byte));
}

import { createHash } from "node:crypto";
import { writeFileAtomically } from "@while/schema/files";
import type { WrittenFile } from "../export-run.ts";
import { isParquet, writeParquetLines } from "./write-parquet-lines.ts";

/** Lines handed to the disk at a time. */
const PIECE = 1000;

/** Writes lines as a file, whole or not at all; as Parquet where the name says so. */
export async function writeLines(output: string, lines: readonly string[]): Promise<WrittenFile> {
  if (isParquet(output)) return await writeParquetLines(output, () => lines);
  const hash = createHash("sha256");
  let bytes = 0;
  await writeFileAtomically(output, async (file) => {
    for (let at = 0; at < lines.length; at += PIECE) {
      const piece = Buffer.from(`${lines.slice(at, at + PIECE).join("\n")}\n`);
      hash.update(piece);
      bytes += piece.length;
      await file.write(piece);
    }
  });
  return { path: output, sha256: hash.digest("hex"), bytes };
}

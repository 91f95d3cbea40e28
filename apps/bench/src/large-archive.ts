import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { crc32 } from "node:zlib";
import { copiesOf, longestList } from "./large-file.ts";

/** An archive of this kind has no more than 65,535 entries, and a sample of an agent is long. */
const SAMPLE_BYTES = 2 ** 15;

/**
 * A log of Inspect as its archive, of at least so many bytes: the header of a JSON log, and each of its samples an entry,
 * fresh in every copy. Nothing is packed, so that what is read is what lies there.
 */
export async function largeArchive(path: string, minBytes: number, log: Record<string, unknown>): Promise<void> {
  const samples = longestList({ samples: log.samples })!;
  const textsOf = copiesOf(samples, SAMPLE_BYTES);
  const out = createWriteStream(path);
  const directory: Buffer[] = [];
  let at = 0;
  const entry = async (name: string, text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(bytes.length, 14);
    about.writeUInt32LE(bytes.length, 18);
    about.writeUInt16LE(Buffer.byteLength(name), 22);
    const head = Buffer.concat([Buffer.from("PK\x03\x04"), about, Buffer.from(name)]);
    const where = Buffer.alloc(14);
    where.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), about, where, Buffer.from(name)]));
    at += head.length + bytes.length;
    out.write(head);
    if (!out.write(bytes)) await once(out, "drain");
  };
  const { samples: _, ...header } = log;
  await entry("header.json", JSON.stringify(header));
  const summaries: string[] = [];
  for (let copy = 0; at < minBytes; copy++) {
    for (const [i, text] of textsOf(copy).entries()) {
      // The id of a sample is its task's, which is another one in every copy.
      const id = `"t${copy}-${i}"`;
      await entry(
        `samples/t${copy}-${i}_epoch_1.json`,
        text.replace(/"id":(?:"[^"]*"|\d+),"epoch":\d+/, `"id":${id},"epoch":1`),
      );
      summaries.push(`{"id":${id},"epoch":1,"input":"","target":"","scores":${scoresOf(samples[i])}}`);
    }
  }
  await entry("summaries.json", `[${summaries.join(",")}]`);
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(at, 12);
  out.end(Buffer.concat([central, Buffer.from("PK\x05\x06"), end]));
  await once(out, "close");
}

function scoresOf(sample: unknown): string {
  return JSON.stringify((sample as { scores?: unknown }).scores ?? {});
}

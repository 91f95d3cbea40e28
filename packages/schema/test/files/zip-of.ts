import { crc32, deflateRawSync } from "node:zlib";

/** How an entry is packed, or said to be. */
export interface ZipPart {
  name: string;
  content: string | Uint8Array;
  method?: 0 | 8 | 93 | 12;
  /** What the archive says of it where it says something false. */
  claims?: { size?: number; crc?: number; flags?: number; packedSize?: number };
  /** Instead of the content, packed. */
  packed?: Uint8Array;
}

/** A zip archive by the layout of its documentation (APPNOTE 6.3.10), of which each part can be made wrong. */
export function zipOf(
  parts: readonly ZipPart[],
  { zip64 = false, comment = "" }: { zip64?: boolean; comment?: string } = {},
): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const { name, content, method = 0, claims = {} } = part;
    const raw = Buffer.from(content as string);
    const packed = Buffer.from(part.packed ?? (method === 8 ? deflateRawSync(raw) : method === 93 ? zstdOf(raw) : raw));
    const { size = raw.length, crc = crc32(raw), flags = 0x800, packedSize = packed.length } = claims;
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(zip64 ? 0xffffffff : packedSize, 14);
    common.writeUInt32LE(zip64 ? 0xffffffff : size, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const extra = zip64 ? zip64Extra(size, packedSize, offset) : Buffer.alloc(0);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, nameBytes, packed]);
    common.writeUInt16LE(extra.length, 24);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(zip64 ? 0xffffffff : offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), common, rest, nameBytes, extra]));
    locals.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(zip64 ? 0xffff : parts.length, 8);
  end.writeUInt16LE(zip64 ? 0xffff : parts.length, 10);
  end.writeUInt32LE(zip64 ? 0xffffffff : entries.length, 12);
  end.writeUInt32LE(zip64 ? 0xffffffff : offset, 16);
  end.writeUInt16LE(comment.length, 20);
  const end64 = zip64 ? zip64End(parts.length, entries.length, offset) : Buffer.alloc(0);
  return Buffer.concat([...locals, entries, end64, end, Buffer.from(comment)]);
}

function zip64Extra(size: number, packedSize: number, offset: number): Buffer {
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  for (const [i, value] of [size, packedSize, offset].entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
  return extra;
}

function zip64End(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(56);
  end.write("PK\x06\x06", "latin1");
  end.writeBigUInt64LE(44n, 4);
  for (const [i, value] of [count, count, length, offset].entries()) end.writeBigUInt64LE(BigInt(value), 24 + 8 * i);
  const locator = Buffer.alloc(20);
  locator.write("PK\x06\x07", "latin1");
  locator.writeBigUInt64LE(BigInt(offset + length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end, locator]);
}

/** zstd that packs nothing (RFC 8878): a frame of raw blocks, for a runtime without a compressor. */
export function zstdOf(raw: Uint8Array, { frames = 1 }: { frames?: number } = {}): Buffer {
  const step = Math.ceil(raw.length / frames);
  return Buffer.concat(Array.from({ length: frames }, (_, i) => zstdFrame(raw.subarray(i * step, (i + 1) * step))));
}

const MAX_BLOCK_BYTES = 2 ** 17;

function zstdFrame(raw: Uint8Array): Buffer {
  // A window of 1 MiB, no size and no checksum.
  const blocks: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50])];
  for (let at = 0; at === 0 || at < raw.length; at += MAX_BLOCK_BYTES) {
    const block = raw.subarray(at, at + MAX_BLOCK_BYTES);
    blocks.push(zstdBlock(block.length, 0, at + MAX_BLOCK_BYTES >= raw.length), Buffer.from(block));
  }
  return Buffer.concat(blocks);
}

/** zstd of one byte over and over: 4 bytes for each 128 KiB. */
export function zstdBomb(size: number): Buffer {
  const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50])];
  for (let left = size; left > 0; left -= MAX_BLOCK_BYTES) {
    parts.push(zstdBlock(Math.min(left, MAX_BLOCK_BYTES), 1, left <= MAX_BLOCK_BYTES), Buffer.from("a"));
  }
  return Buffer.concat(parts);
}

function zstdBlock(size: number, type: number, isLast: boolean): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32LE((size << 3) | (type << 1) | (isLast ? 1 : 0));
  return head.subarray(0, 3);
}

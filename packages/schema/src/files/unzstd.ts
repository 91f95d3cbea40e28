import { Decompress, decompress } from "fzstd";

/** What a frame may look back on: the largest that the tools of zstd write. A frame claims it, and space is taken. */
const MAX_WINDOW_BYTES = 2 ** 27;

const FRAME_MAGIC = 0xfd2fb528;
/** Sixteen magic numbers, of frames that hold no data. */
const SKIPPABLE_MAGIC = 0x184d2a50;

/**
 * Unpacks zstd of a known size, in one frame or several. Its checksums are not looked at: an archive has its own.
 *
 * @param size Bytes that it unpacks to
 * @throws Error with a clause that says what is wrong
 */
export function unzstd(packed: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  const nFrames = checkedFrames(packed);
  if (nFrames === 1) {
    // Into the space that there is: what would go beyond it is cut, and the archive's checksum tells.
    decompress(packed, out);
    return out;
  }
  let at = 0;
  const stream = new Decompress((chunk) => {
    if (at + chunk.length > size) throw new Error(`unpacks to more than the ${size} bytes that it claims`);
    out.set(chunk, at);
    at += chunk.length;
  });
  stream.push(packed, true);
  if (at < size) throw new Error(`unpacks to ${at} of the ${size} bytes that it claims`);
  return out;
}

/** Number of frames, each of which ends where it should and looks back no further than it may (RFC 8878, 3.1.1). */
function checkedFrames(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let nFrames = 0;
  try {
    while (at < bytes.length) {
      const magic = view.getUint32(at, true);
      if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
        at += 8 + view.getUint32(at + 4, true);
      } else {
        if (magic !== FRAME_MAGIC) throw new Error("is no zstd");
        at = endOfFrame(view, at);
      }
      nFrames++;
    }
  } catch (error) {
    if (error instanceof RangeError) throw new Error("is zstd that breaks off", { cause: error });
    throw error;
  }
  if (at > bytes.length) throw new Error("is zstd that breaks off");
  return nFrames;
}

function endOfFrame(view: DataView, start: number): number {
  const flags = view.getUint8(start + 4);
  const isSingle = (flags & 0x20) !== 0;
  if (!isSingle) {
    const window = view.getUint8(start + 5);
    const base = 2 ** (10 + (window >> 3));
    const bytes = base + (base / 8) * (window & 7);
    if (bytes > MAX_WINDOW_BYTES) throw new Error(`is zstd with a window of ${bytes} bytes, more than 128 MiB`);
  }
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6]!;
  let at = start + 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][flags & 3]! + sizeBytes;
  for (let isLast = false; !isLast; ) {
    const head = view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
    isLast = (head & 1) === 1;
    // A block of one byte repeated holds that byte alone.
    at += 3 + (((head >> 1) & 3) === 1 ? 1 : head >> 3);
  }
  return at + ((flags & 4) === 0 ? 0 : 4);
}

import { crc32 } from 'node:zlib';

/** The version of the archive's files that this code writes. */
export const fileVersion = 1;

const mark = Buffer.from('gridseal');
/** After the notes: their length, the mark, the version and the checksum; numbers are 32 bits, little-endian. */
const sealLength = 4 + mark.length + 8;
/** An Arrow file ends with its footer, the footer's length (32 bits) and "ARROW1". */
const tailLength = 10;

/** A file that was opened: whole, of another version, or damaged. */
type UnsealedFile =
  | { readonly kind: 'whole'; readonly notes: string }
  | { readonly kind: 'newer' | 'older' | 'damaged' };

/**
 * A copy of an Arrow file with notes, version and room for a checksum between the end of its stream and its footer, which
 * Arrow readers ignore. What comes before is not moved. `room` allocates the copy.
 */
export function withNotes(
  arrow: Uint8Array,
  notes: string,
  version = fileVersion,
  room: (length: number) => Uint8Array = length => Buffer.allocUnsafeSlow(length),
): Uint8Array {
  const split = footerStart(arrow);
  if (split === undefined) throw new RangeError('not an Arrow file');
  const noteBytes = Buffer.from(notes);
  const footer = split + noteBytes.length + sealLength;
  const bytes = room(footer + arrow.length - split);
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  file.set(arrow.subarray(0, split));
  file.set(noteBytes, split);
  file.writeUInt32LE(noteBytes.length, footer - sealLength);
  file.set(mark, footer - sealLength + 4);
  file.writeUInt32LE(version, footer - 8);
  file.set(arrow.subarray(split), footer);
  return file;
}

/** Writes the checksum into a file from `withNotes`, once its data is complete. */
export function seal(file: Uint8Array): void {
  const footer = footerStart(file) ?? 0;
  new DataView(file.buffer, file.byteOffset).setUint32(footer - 4, checksum(file, footer), true);
}

/**
 * Where the notes of a sealed file are, of which the bytes from `loaded` on are there; `more` loads earlier ones. The checksum cannot
 * be checked without the whole file. Undefined for a file of another version.
 */
export async function notesPlace(
  file: Uint8Array,
  loaded: number,
  more: (from: number) => Promise<unknown>,
): Promise<{ readonly start: number; readonly end: number } | undefined> {
  const end = (footerStart(file) ?? 0) - sealLength;
  if (end < 0) return undefined;
  if (end < loaded) await more(end);
  const view = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const isSealed = view.subarray(end + 4, end + 4 + mark.length).equals(mark);
  const start = end - view.readUInt32LE(end);
  if (!isSealed || view.readUInt32LE(end + sealLength - 8) !== fileVersion || start < 0) return undefined;
  if (start < Math.min(loaded, end)) await more(start);
  return { start, end };
}

/** Checks a sealed file. Never throws. */
export function openSealed(file: Uint8Array): UnsealedFile {
  const footer = footerStart(file) ?? 0;
  if (footer < sealLength) return { kind: 'damaged' };
  const view = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const at = footer - sealLength;
  if (!view.subarray(at + 4, at + 4 + mark.length).equals(mark)) return { kind: 'damaged' };
  if (view.readUInt32LE(footer - 4) !== checksum(view, footer)) return { kind: 'damaged' };
  const version = view.readUInt32LE(footer - 8);
  if (version !== fileVersion) return { kind: version > fileVersion ? 'newer' : 'older' };
  return { kind: 'whole', notes: view.toString('utf8', at - view.readUInt32LE(at), at) };
}

function checksum(sealed: Uint8Array, footer: number): number {
  return crc32(sealed.subarray(footer), crc32(sealed.subarray(0, footer - 4)));
}

/** Where the footer begins; undefined where there cannot be one. */
function footerStart(file: Uint8Array): number | undefined {
  const tail = file.length - tailLength;
  if (tail < 0) return undefined;
  const at = tail - new DataView(file.buffer, file.byteOffset).getInt32(tail, true);
  return at >= 0 && at <= tail ? at : undefined;
}

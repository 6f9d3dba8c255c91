const encoder = new TextEncoder();
const mark = [0xef, 0xbb, 0xbf];
/** A character takes at most so many bytes. */
const mostBytes = 4;

/** The bodies of a response, a page each, as one JSON text in UTF-8: of several pages their list. */
export function joinBodies(bodies: readonly Uint8Array[]): Uint8Array {
  const pages = bodies.map(withoutMark);
  const [first = new Uint8Array()] = pages;
  if (pages.length < 2) return first;
  const pieces = pages.flatMap((page, index) => [encoder.encode(index === 0 ? '[' : ',\n'), page]);
  pieces.push(encoder.encode(']'));
  const joined = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.byteLength;
  }
  return joined;
}

/** The text of such bytes; of long ones its beginning where only so many characters are wanted. */
export function beginningOfText(bytes: Uint8Array, characters = Infinity): string {
  const most = characters * mostBytes;
  // A character that the cut goes through is left out.
  const text = new TextDecoder().decode(bytes.subarray(0, most), { stream: bytes.byteLength > most });
  return text.slice(0, characters);
}

function withoutMark(page: Uint8Array): Uint8Array {
  return mark.every((byte, index) => page[index] === byte) ? page.subarray(mark.length) : page;
}

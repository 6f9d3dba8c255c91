const encoder = new TextEncoder();
const mark = [0xef, 0xbb, 0xbf];
/** The most bytes of a character in UTF-8. */
const mostBytes = 4;

/** The bodies of a response, one for each page, as one JSON text in UTF-8: an array where there are several. */
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

/** The beginning of the text of these bodies, without copying the rest. */
export function beginningOfBodies(bodies: readonly Uint8Array[], characters: number): string {
  let room = characters * mostBytes + mark.length;
  const beginnings = bodies.map(body => {
    const beginning = body.subarray(0, room);
    room -= beginning.byteLength;
    return beginning;
  });
  return textOfBody(joinBodies(beginnings), characters);
}

/** The text of the bytes, of long ones the first `characters` only. */
export function textOfBody(bytes: Uint8Array, characters = Infinity): string {
  const most = Math.min(bytes.byteLength, characters * mostBytes);
  // A character that is cut in two is left out.
  const text = new TextDecoder().decode(bytes.subarray(0, most), { stream: most < bytes.byteLength });
  return text.slice(0, characters);
}

function withoutMark(page: Uint8Array): Uint8Array {
  return mark.every((byte, index) => page[index] === byte) ? page.subarray(mark.length) : page;
}

const encoder = new TextEncoder();
const byteOrderMark = [0xef, 0xbb, 0xbf];
/** Maximum number of bytes of a character in UTF-8. */
const maxBytesPerCharacter = 4;

/** Joins the bodies of a response, one for each page, into one JSON text in UTF-8: an array if there are several. */
export function joinBodies(bodies: readonly Uint8Array[]): Uint8Array {
  const pages = bodies.map(removeByteOrderMark);
  const [first = new Uint8Array()] = pages;
  if (pages.length < 2) return first;
  const pieces = pages.flatMap((page, index) => [encoder.encode(index === 0 ? '[' : ',\n'), page]);
  pieces.push(encoder.encode(']'));
  const joined = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.byteLength;
  }
  return joined;
}

/** Decodes the beginning of the joined bodies, without copying the rest. */
export function decodeBeginning(bodies: readonly Uint8Array[], characters: number): string {
  let remainingBytes = characters * maxBytesPerCharacter + byteOrderMark.length;
  const beginnings = bodies.map(body => {
    const beginning = body.subarray(0, remainingBytes);
    remainingBytes -= beginning.byteLength;
    return beginning;
  });
  return decodeBody(joinBodies(beginnings), characters);
}

/** Decodes the bytes of a body, up to the first `characters` characters. */
export function decodeBody(bytes: Uint8Array, characters = Infinity): string {
  const byteCount = Math.min(bytes.byteLength, characters * maxBytesPerCharacter);
  // With `stream`, the decoder omits an incomplete character at the end.
  const text = new TextDecoder().decode(bytes.subarray(0, byteCount), { stream: byteCount < bytes.byteLength });
  return text.slice(0, characters);
}

function removeByteOrderMark(page: Uint8Array): Uint8Array {
  return byteOrderMark.every((byte, index) => page[index] === byte) ? page.subarray(byteOrderMark.length) : page;
}

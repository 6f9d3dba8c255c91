import { runSteps, type Steps } from '../time/steps.ts';

const encoder = new TextEncoder();
const mark = [0xef, 0xbb, 0xbf];
/** The most bytes of a character in UTF-8. */
const mostBytes = 4;
/** Bytes a step copies or decodes: a few milliseconds. */
const stepBytes = 4 * 2 ** 20;

/** The bodies of a response, one for each page, as one JSON text in UTF-8: an array where there are several. In steps of a few milliseconds. */
export function* joinBodiesSteps(bodies: readonly Uint8Array[]): Steps<Uint8Array> {
  const pages = bodies.map(withoutMark);
  const [first = new Uint8Array()] = pages;
  if (pages.length < 2) return first;
  const pieces = pages.flatMap((page, index) => [encoder.encode(index === 0 ? '[' : ',\n'), page]);
  pieces.push(encoder.encode(']'));
  const joined = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.byteLength; from += stepBytes) {
      const part = piece.subarray(from, from + stepBytes);
      joined.set(part, at);
      at += part.byteLength;
      if (part.byteLength === stepBytes) yield;
    }
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
  return runSteps(textSteps(runSteps(joinBodiesSteps(beginnings)), characters));
}

/** The text of the bytes, of long ones the first `characters` only, in steps of a few milliseconds. */
export function* textSteps(bytes: Uint8Array, characters = Infinity): Steps<string> {
  const most = Math.min(bytes.byteLength, characters * mostBytes);
  const decoder = new TextDecoder();
  let text = '';
  for (let from = 0; from < most; from += stepBytes) {
    const end = Math.min(most, from + stepBytes);
    // A character that is cut in two is left out.
    text += decoder.decode(bytes.subarray(from, end), { stream: end < bytes.byteLength });
    if (end < most) yield;
  }
  return text.slice(0, characters);
}

function withoutMark(page: Uint8Array): Uint8Array {
  return mark.every((byte, index) => page[index] === byte) ? page.subarray(mark.length) : page;
}

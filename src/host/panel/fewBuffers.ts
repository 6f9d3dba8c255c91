import { columnBuffers } from '../../service/columnBuffers.ts';
import type { Column, Frame } from '../../shared/frame.ts';

type Numbers = Float64Array | Uint32Array | Uint8Array;

/**
 * VS Code counts the parts of a message to a page in one byte: of more than about 250 buffers the rest is lost without a word. What goes
 * beside the frame takes a dozen.
 */
const mostBuffers = 200;
/** Numbers of any kind may begin at its multiples. */
const alignment = 8;

/** The same frame; where its columns lie in too many buffers, a copy in one. */
export function withFewBuffers(frame: Frame): Frame {
  if (new Set(frame.columns.flatMap(columnBuffers)).size <= mostBuffers) return frame;
  let size = 0;
  eachColumn(frame, numbers => {
    size += roomFor(numbers);
    return numbers;
  });
  const all = new ArrayBuffer(size);
  let at = 0;
  return eachColumn(frame, numbers => {
    const copy = viewLike(numbers, all, at);
    copy.set(numbers);
    at += roomFor(numbers);
    return copy;
  });
}

function eachColumn(frame: Frame, change: (numbers: Numbers) => Numbers): Frame {
  return { rowCount: frame.rowCount, columns: frame.columns.map(column => withNumbers<Column>(column, change)) };
}

/** A column with other numbers in the places of its own, those of its dictionary among them. */
function withNumbers<T>(part: T, change: (numbers: Numbers) => Numbers): T {
  if (isNumbers(part)) return change(part) as T & Numbers;
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [name, withNumbers<unknown>(inner, change)]),
  ) as T & object;
}

function isNumbers(part: unknown): part is Numbers {
  return part instanceof Float64Array || part instanceof Uint32Array || part instanceof Uint8Array;
}

function viewLike(numbers: Numbers, all: ArrayBuffer, at: number): Numbers {
  if (numbers instanceof Float64Array) return new Float64Array(all, at, numbers.length);
  if (numbers instanceof Uint32Array) return new Uint32Array(all, at, numbers.length);
  return new Uint8Array(all, at, numbers.length);
}

function roomFor({ byteLength }: Numbers): number {
  return Math.ceil(byteLength / alignment) * alignment;
}

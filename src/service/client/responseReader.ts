import { parseMeta } from '../../core/query/serviceMeta.ts';
import { GridError } from '../../core/errors.ts';
import type { TableProblem } from '../../shared/tableLimits.ts';
import { ReaderEndedError, type ReaderProcesses } from '../reader/readerProcess.ts';
import { readResponse, type ResponseContent } from './readResponse.ts';

/**
 * The limits of responses that are read in this thread: a month of hours has 250 kB and 13,000 values and takes 5 ms, as long as a round trip to
 * the reader. The slowest response within these limits blocks for a frame or two. `marks`: see `isSmall`. `cells`: a few thousand rows with
 * different field names would have millions.
 */
const inThreadLimits = { bytes: 256 * 1024, rows: 31 * 24, marks: 20_000, cells: 100_000 } as const;

/** Reads responses: small ones in this thread, others in the reader process. */
export class ResponseReader {
  readonly #readers: ReaderProcesses;

  constructor(readers: ReaderProcesses) {
    this.#readers = readers;
  }

  /** Starts the reader process in advance if a response with this many rows is expected: starting takes as long as a request. */
  prepare(rows: number): void {
    if (rows > inThreadLimits.rows) this.#readers.prepare();
  }

  /** Throws the signal's reason once it is aborted, and a GridError if the reader process cannot be started. */
  async read(bodies: readonly Uint8Array[], key: string, signal?: AbortSignal): Promise<ResponseContent> {
    const read = isSmall(bodies) ? readResponse(bodies, key, inThreadLimits.cells) : undefined;
    if (read && !(read.ok && read.decoded.problem === 'tooManyCells')) return read;
    try {
      const reply = await this.#readers.run({ kind: 'response', bodies, key }, { signal });
      if (reply.kind === 'error') throw new Error(reply.message);
      if (reply.kind !== 'response') throw new Error(`The reader replied with ${reply.kind}.`);
      const { content, meta, frame } = reply;
      return content.ok ? { ...content, decoded: { ...content.decoded, frame, meta: parseMeta(meta) } } : content;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ReaderEndedError)) throw error;
      if (error.reason === 'start') throw new GridError('noReader');
      const problem: TableProblem = error.reason === 'time' ? 'tooSlow' : 'tooLarge';
      return { ok: true, decoded: { frame: undefined, problem, meta: {} }, next: null };
    }
  }
}

/**
 * Whether a response has few bytes and marks. Marks are a measure of the work: each value and each level takes a comma or a bracket, and the
 * search for the key stops at each escape and each hidden character.
 */
function isSmall(bodies: readonly Uint8Array[]): boolean {
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
  if (bytes > inThreadLimits.bytes) return false;
  let marks = 0;
  for (const body of bodies) for (const byte of body) if (markBytes.has(byte)) marks++;
  return marks <= inThreadLimits.marks;
}

/** The first bytes of marks. Hidden characters are controls, or beyond ASCII and begin with a byte from 0xC2 on. */
const markBytes: ReadonlySet<number> = new Set([
  ...Buffer.from(',[{\\%\x7f'),
  ...Array.from({ length: 256 }, (_, byte) => byte).filter(byte => byte < 9 || byte >= 0xc2),
]);

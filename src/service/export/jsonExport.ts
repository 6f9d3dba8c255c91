import { jsonPieces } from '../../core/formatJson.ts';
import { paused, type ExportRun } from './exporter.ts';

/** JSON that is no table as the bytes of a file, readable; other work goes on between chunks. Throws as `exportChunks`. */
export async function* jsonChunks(json: string, run: ExportRun = {}): AsyncGenerator<Uint8Array> {
  for await (const piece of paused(jsonPieces(json), run)) yield Buffer.from(piece);
}

/** As `jsonChunks`, as one text. */
export async function jsonText(json: string, run: ExportRun = {}): Promise<string> {
  let whole = '';
  for await (const piece of paused(jsonPieces(json), run)) whole += piece;
  return whole;
}

/** The bytes of `jsonChunks`. */
export async function jsonSize(json: string): Promise<number> {
  let bytes = 0;
  for await (const piece of paused(jsonPieces(json), {})) bytes += Buffer.byteLength(piece);
  return bytes;
}

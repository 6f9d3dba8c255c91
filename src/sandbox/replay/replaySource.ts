import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { toGridHour } from '../gridHour.ts';
import type { GridHour } from '../gridHour.ts';
import { SandboxError } from '../sandboxError.ts';
import type { HourSource } from '../source.ts';
import { readEskomFile } from './eskomFile.ts';
import type { EskomHour } from './eskomFile.ts';

/** Serves the hours of a file, and no others. */
export class ReplaySource implements HourSource {
  readonly kind = 'replay';
  readonly identity: string;
  readonly note: string;
  readonly firstHour: number;
  readonly endHour: number;
  readonly #hours: ReadonlyMap<number, EskomHour>;

  /** At least one hour, in the order of time. `fileHash` identifies the content; `fileName` is shown. */
  constructor(hours: readonly EskomHour[], fileName: string, fileHash: string) {
    this.identity = `replay-${fileHash.slice(0, 16)}`;
    this.note = `Replayed by the sandbox from the file ${fileName}.`;
    this.firstHour = hours[0]?.hour ?? 0;
    this.endHour = (hours.at(-1)?.hour ?? -1) + 1;
    this.#hours = new Map(hours.map(hour => [hour.hour, hour]));
  }

  hour(hour: number): GridHour | undefined {
    const found = this.#hours.get(hour);
    return found && toGridHour(hour, found.measured, this.#hours.get(hour - 1)?.measured.ocgt ?? null);
  }
}

/** Reads the file; throws a SandboxError for one that cannot be read or understood. */
export async function openReplay(path: string): Promise<ReplaySource> {
  const fileName = basename(path);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    const reason = code === 'ENOENT' ? 'there is no such file' : code;
    throw new SandboxError(`${fileName} cannot be read (${reason}); check its path.`);
  }
  const hash = createHash('sha256').update(bytes).digest('hex');
  return new ReplaySource(readEskomFile(bytes.toString('utf8'), fileName), fileName, hash);
}

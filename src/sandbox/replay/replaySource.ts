import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { PortalError } from '../../core/portal/portalError.ts';
import { readPortalFile } from '../../core/portal/portalFile.ts';
import { reasonOf } from '../fileTrouble.ts';
import { toGridHour } from '../gridHour.ts';
import type { GridHour } from '../gridHour.ts';
import { hourMs } from '../hours.ts';
import { SandboxError } from '../sandboxError.ts';
import type { HourSource } from '../source.ts';
import { joinHours } from './joinHours.ts';
import type { JoinedHours } from './joinHours.ts';
import { hoursOfPortal, readingColumns } from './portalHours.ts';
import type { PortalHour } from './portalHours.ts';
import { hoursOfWeeks, shiftInWords, weeksToNow } from './shift.ts';

/** Three times what ten years of hours take. Also of a device, which has no end. */
const mostBytes = 100_000_000;

export interface ReplayFacts {
  /** Names of the files, to be shown. */
  readonly fileNames: readonly string[];
  /** Identifies their content. */
  readonly hash: string;
  /** By so many weeks the hours move; 0 leaves them. */
  readonly weeks: number;
}

/** Serves the hours of files, and no others. */
export class ReplaySource implements HourSource {
  readonly kind = 'replay';
  readonly identity: string;
  readonly note: string;
  readonly notices: readonly string[];
  readonly firstHour: number;
  readonly endHour: number;
  readonly #hours: ReadonlyMap<number, PortalHour>;

  /** At least one hour. */
  constructor({ hours, notices }: JoinedHours, { fileNames, hash, weeks }: ReplayFacts) {
    const shift = hoursOfWeeks(weeks);
    const files = fileNames.length === 1 ? 'file' : `${fileNames.length} files`;
    this.identity = `replay-${hash.slice(0, 16)}${weeks === 0 ? '' : `-moved-${weeks}w`}`;
    this.note = `Replayed by the sandbox from the ${files} ${fileNames.join(', ')}${shiftInWords(weeks)}.`;
    this.notices = [this.note, ...notices.map(notice => (weeks === 0 ? notice : `In the files' own times: ${notice}`))];
    this.firstHour = (hours[0]?.hour ?? 0) + shift;
    this.endHour = (hours.at(-1)?.hour ?? -1) + 1 + shift;
    this.#hours = new Map(hours.map(hour => [hour.hour + shift, hour]));
  }

  hour(hour: number): GridHour | undefined {
    const found = this.#hours.get(hour);
    return found && toGridHour(hour, found.measured, this.#hours.get(hour - 1)?.measured.ocgt ?? null);
  }
}

/**
 * Reads the files; `shiftTo`, UTC milliseconds, moves their hours there by whole weeks. Throws a SandboxError for a file
 * that cannot be read or understood.
 */
export async function openReplay(paths: readonly string[], shiftTo?: number): Promise<ReplaySource> {
  const hash = createHash('sha256');
  const rows: PortalHour[] = [];
  const fileNotices: string[] = [];
  for (const path of paths) {
    const bytes = await readBytes(path);
    hash.update(bytes);
    const { hours, notices } = await readHours(bytes, basename(path));
    for (const hour of hours) rows.push(hour);
    fileNotices.push(...notices);
  }
  const joined = joinHours(rows);
  const [first, last] = [joined.hours[0]?.hour ?? 0, joined.hours.at(-1)?.hour ?? 0];
  const weeks = shiftTo === undefined ? 0 : weeksToNow(first, last + 1, Math.floor(shiftTo / hourMs));
  const notices = [...fileNotices, ...joined.notices];
  return new ReplaySource(
    { hours: joined.hours, notices },
    { fileNames: paths.map(path => basename(path)), hash: hash.digest('hex'), weeks },
  );
}

async function readHours(bytes: Uint8Array, fileName: string): Promise<JoinedHours> {
  try {
    const file = await readPortalFile(bytes, fileName, Object.values(readingColumns));
    const { hours, notices } = hoursOfPortal(file, fileName);
    return { hours, notices: [...file.notes, ...notices] };
  } catch (error) {
    throw error instanceof PortalError ? new SandboxError(error.message) : error;
  }
}

async function readBytes(path: string): Promise<Buffer> {
  // "." and "…/" have a name, too.
  const name = basename(resolve(path)) || path;
  let bytes: Buffer;
  try {
    bytes = await buffer(createReadStream(path, { end: mostBytes }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR')
      throw new SandboxError(`${name} is a folder; give each of the files in it by itself.`);
    throw new SandboxError(`${name} cannot be read (${reasonOf(error)}); check its path.`);
  }
  if (bytes.length > mostBytes)
    throw new SandboxError(`${name} is larger than ${mostBytes / 1e6} MB; give its years in files of their own.`);
  return bytes;
}

import { createHash } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { exportAgain, type PortalFile, PortalError, readPortalFile } from '../../core/portal/portalFile.ts';
import { getErrorCode } from '../../service/files/fileSystem.ts';
import { readRegularFile } from '../../service/files/regularFile.ts';
import { hourMs } from '../../shared/durations.ts';
import { reasonOf, SandboxError } from '../sandboxError.ts';
import { type GridHour, type GridReading, type Measurements, toGridHour } from '../data/gridHour.ts';
import type { HourSource } from '../data/source.ts';
import { formatInstant } from '../../core/time/instant.ts';
import type { PortalColumn } from '../../core/portal/portalColumns.ts';

/** Three times what ten years of hours take. */
const mostBytes = 100_000_000;

interface ReplayFacts {
  /** Names of the files, to be shown. */
  readonly fileNames: readonly string[];
  /** Identifies their content. */
  readonly hash: string;
  /** By how many weeks the hours are moved. */
  readonly weeks: number;
}

/** Serves the hours of files. */
export class ReplaySource implements HourSource {
  readonly kind = 'replay';
  readonly identity: string;
  readonly note: string;
  readonly replayedFrom: string;
  readonly notices: readonly string[];
  readonly firstHour: number;
  readonly endHour: number;
  readonly #hours: ReadonlyMap<number, PortalHour>;

  /** At least one hour. */
  constructor({ hours, notices }: JoinedHours, { fileNames, hash, weeks }: ReplayFacts) {
    const shift = weeks * weekHours;
    const files = fileNames.length === 1 ? 'file' : `${fileNames.length} files`;
    this.identity = `replay-${hash.slice(0, 16)}${weeks === 0 ? '' : `-moved-${weeks}w`}`;
    this.replayedFrom = `${fileNames.join(', ')}${shiftInWords(weeks)}`;
    this.note = `Replayed by the sandbox from the ${files} ${this.replayedFrom}.`;
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

async function readBytes(path: string): Promise<Uint8Array> {
  // Also for "." and a path with a slash at its end.
  const name = basename(resolve(path)) || path;
  try {
    return await readRegularFile(path, mostBytes, nodeFs);
  } catch (error) {
    if (getErrorCode(error) === 'ENOTFILE')
      throw new SandboxError(`${name} is a folder or a device, not a file; give each of the files in it by itself.`);
    if (getErrorCode(error) === 'EFBIG')
      throw new SandboxError(`${name} is larger than ${mostBytes / 1e6} MB; give its years in files of their own.`);
    throw new SandboxError(`${name} cannot be read (${reasonOf(error)}); check its path.`);
  }
}

const weekHours = 168;

/**
 * By how many weeks hours from `first` up to `end` (the hour after the last) are moved to reach the present: weekday and
 * hour of day stay. Long data ends after the present, so that new hours are published as time passes; data that would then
 * have less than a week before the present ends before it.
 */
export function weeksToNow(first: number, end: number, now: number): number {
  const weeks = Math.ceil((now - end) / weekHours);
  const reaches = first + (weeks + 1) * weekHours <= now;
  return (reaches ? weeks : Math.floor((now - end) / weekHours)) + 0;
}

/** "; its times are moved 104 weeks later", or nothing. */
export function shiftInWords(weeks: number): string {
  if (weeks === 0) return '';
  const count = Math.abs(weeks);
  return `; its times are moved ${count} ${count === 1 ? 'week' : 'weeks'} ${weeks > 0 ? 'later' : 'earlier'}`;
}

interface JoinedHours {
  /** In the order of time, each hour once. */
  readonly hours: readonly PortalHour[];
  /** A sentence each on what was missing or given twice. */
  readonly notices: readonly string[];
}

/** Joins the rows of all files. Of an hour given twice the last one counts: the portal corrects what it published. */
export function joinHours(rows: readonly PortalHour[]): JoinedHours {
  const byHour = new Map<number, PortalHour>();
  const repeated = new Set<number>();
  const differing = new Set<number>();
  for (const row of rows) {
    const before = byHour.get(row.hour);
    byHour.set(row.hour, row);
    if (!before) continue;
    repeated.add(row.hour);
    if (!isDeepStrictEqual(before.measured, row.measured)) differing.add(row.hour);
  }
  const hours = [...byHour.values()].sort((a, b) => a.hour - b.hour);
  return { hours, notices: [...noticesOfRepeats(repeated, differing), ...noticesOfGaps(hours)] };
}

function noticesOfRepeats(repeated: ReadonlySet<number>, differing: ReadonlySet<number>): string[] {
  if (repeated.size === 0) return [];
  const all = `${hoursInWords(repeated.size)} given more than once`;
  if (differing.size === 0) return [`${all}, each time with the same readings.`];
  const first = nameOf(Math.min(...differing));
  return [
    `${all}, ${differing.size} of them with different readings (the first is ${first}): the last row counts, and of several files the last named.`,
  ];
}

function noticesOfGaps(hours: readonly PortalHour[]): string[] {
  let [missing, gaps, longest, longestFrom] = [0, 0, 0, 0];
  let next = hours[0]?.hour ?? 0;
  for (const { hour } of hours) {
    const length = hour - next;
    if (length > 0) {
      missing += length;
      gaps += 1;
      if (length > longest) [longest, longestFrom] = [length, next];
    }
    next = hour + 1;
  }
  if (gaps === 0) return [];
  const where = gaps === 1 ? `from ${nameOf(longestFrom)}` : `in ${gaps} gaps, ${longest} from ${nameOf(longestFrom)}`;
  return [`${hoursInWords(missing)} missing (${where}): the answers leave them out.`];
}

function hoursInWords(count: number): string {
  return count === 1 ? '1 hour is' : `${count} hours are`;
}

function nameOf(hour: number): string {
  return formatInstant(hour * hourMs);
}

/** The readings of one hour, counted from 1970-01-01T00:00Z. */
interface PortalHour {
  readonly hour: number;
  readonly measured: Measurements;
}

/** The portal's column for each reading. */
export const readingColumns: Readonly<Record<keyof Measurements, PortalColumn>> = {
  residualDemand: 'Residual Demand',
  residualForecast: 'Residual Forecast',
  thermal: 'Thermal Generation',
  nuclear: 'Nuclear Generation',
  gas: 'Eskom Gas Generation',
  ocgt: 'Eskom OCGT Generation',
  ippOcgt: 'Dispatchable IPP OCGT',
  hydro: 'Hydro Water Generation',
  pumped: 'Pumped Water Generation',
  wind: 'Wind',
  pv: 'PV',
  totalRenewable: 'Total RE',
  imports: 'International Imports',
  exports: 'International Exports',
  shed: 'Manual Load_Reduction(MLR)',
};

/**
 * The hours of a file in the order of its rows, without those in which nothing was measured: the portal lists hours to come with a forecast alone.
 * `notices` says how many these are. The file has all columns of the readings. Throws a SandboxError where there is no hour.
 */
export function hoursOfPortal(file: PortalFile, fileName: string): { hours: PortalHour[]; notices: string[] } {
  const names = Object.entries(readingColumns) as [keyof Measurements, PortalColumn][];
  const hours: PortalHour[] = [];
  const empty: number[] = [];
  for (const [row, instant] of file.instants.entries()) {
    const entries = names.map(([reading, name]): [string, GridReading] => {
      const { [row]: value = NaN } = file.columns.get(name) ?? [];
      return [reading, Number.isNaN(value) ? null : value];
    });
    if (entries.every(([reading, value]) => value === null || reading === 'residualForecast')) empty.push(instant);
    else hours.push({ hour: instant / hourMs, measured: Object.fromEntries(entries) as unknown as Measurements });
  }
  if (hours.length === 0) throw new SandboxError(`${fileName} holds no hours; ${exportAgain}.`);
  return { hours, notices: empty.length === 0 ? [] : [`${fileName}: ${emptyInWords(empty)}`] };
}

function emptyInWords(instants: readonly number[]): string {
  const first = formatInstant(instants.reduce((a, b) => Math.min(a, b)));
  const last = formatInstant(instants.reduce((a, b) => Math.max(a, b)));
  if (instants.length === 1) return `1 hour (${first}) holds at most a forecast and is left out.`;
  return `${instants.length} hours (of ${first} to ${last}) hold at most a forecast and are left out.`;
}

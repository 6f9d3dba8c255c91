import { createHash } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { exportAgain, type PortalFile, PortalError, readPortalFile } from '../../core/portal/portalFile.ts';
import { getErrorCode } from '../../service/files/fileSystem.ts';
import { readRegularFile } from '../../service/files/regularFile.ts';
import { hourMs } from '../../shared/durations.ts';
import { describeSystemError, SandboxError } from '../sandboxError.ts';
import { type GridHour, type GridReading, type Measurements, toGridHour } from '../data/gridHour.ts';
import type { HourSource } from '../data/source.ts';
import { formatInstant } from '../../core/time/instant.ts';
import type { PortalColumn } from '../../core/portal/portalColumns.ts';

/** The maximum size of a file: three times the size of ten years of hours. */
const maxFileBytes = 100_000_000;

interface ReplayInfo {
  /** Names of the files, for display. */
  readonly fileNames: readonly string[];
  /** Identifies their content. */
  readonly hash: string;
  /** By how many weeks the hours are moved. */
  readonly weeks: number;
}

/** Replays the hours of files. */
export class ReplaySource implements HourSource {
  readonly kind = 'replay';
  readonly identity: string;
  readonly note: string;
  readonly replayedFrom: string;
  readonly notices: readonly string[];
  readonly firstHour: number;
  readonly endHour: number;
  readonly #hours: ReadonlyMap<number, PortalHour>;

  /** There must be at least one hour. */
  constructor({ hours, notices }: JoinedHours, { fileNames, hash, weeks }: ReplayInfo) {
    const shift = weeks * weekHours;
    const files = fileNames.length === 1 ? 'file' : `${fileNames.length} files`;
    this.identity = `replay-${hash.slice(0, 16)}${weeks === 0 ? '' : `-moved-${weeks}w`}`;
    this.replayedFrom = `${fileNames.join(', ')}${formatShift(weeks)}`;
    this.note = `Replayed by the sandbox from the ${files} ${this.replayedFrom}.`;
    this.notices = [this.note, ...notices.map(notice => (weeks === 0 ? notice : `In the files' own times: ${notice}`))];
    this.firstHour = (hours[0]?.hour ?? 0) + shift;
    this.endHour = (hours.at(-1)?.hour ?? -1) + 1 + shift;
    this.#hours = new Map(hours.map(hour => [hour.hour + shift, hour]));
  }

  hour(hour: number): GridHour | undefined {
    const portalHour = this.#hours.get(hour);
    return portalHour && toGridHour(hour, portalHour.measured, this.#hours.get(hour - 1)?.measured.ocgt ?? null);
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
  const firstHour = joined.hours[0]?.hour ?? 0;
  const endHour = (joined.hours.at(-1)?.hour ?? 0) + 1;
  const weeks = shiftTo === undefined ? 0 : computeWeeksToNow(firstHour, endHour, Math.floor(shiftTo / hourMs));
  const notices = [...fileNotices, ...joined.notices];
  return new ReplaySource(
    { hours: joined.hours, notices },
    { fileNames: paths.map(path => basename(path)), hash: hash.digest('hex'), weeks },
  );
}

async function readHours(bytes: Uint8Array, fileName: string): Promise<JoinedHours> {
  try {
    const file = await readPortalFile(bytes, fileName, Object.values(readingColumns));
    const { hours, notices } = toPortalHours(file, fileName);
    return { hours, notices: [...file.notes, ...notices] };
  } catch (error) {
    throw error instanceof PortalError ? new SandboxError(error.message) : error;
  }
}

async function readBytes(path: string): Promise<Uint8Array> {
  // Resolved first, because the path may be "." or end with a slash.
  const name = basename(resolve(path)) || path;
  try {
    return await readRegularFile(path, maxFileBytes, nodeFs);
  } catch (error) {
    if (getErrorCode(error) === 'ENOTFILE')
      throw new SandboxError(`${name} is a folder or a device, not a file; name each file in it.`);
    if (getErrorCode(error) === 'EFBIG')
      throw new SandboxError(`${name} is larger than ${maxFileBytes / 1e6} MB; split it into one file per year.`);
    throw new SandboxError(`${name} cannot be read (${describeSystemError(error)}); check its path.`);
  }
}

const weekHours = 168;

/**
 * Computes the number of whole weeks by which to move hours from `first` to `end` (exclusive) to the present, so that weekday
 * and hour of day stay. Long data ends after the present, so that new hours are published as time passes. Data that would
 * then have less than a week of past hours ends before the present instead.
 */
export function computeWeeksToNow(first: number, end: number, now: number): number {
  const weeks = Math.ceil((now - end) / weekHours);
  const hasPastWeek = first + (weeks + 1) * weekHours <= now;
  return (hasPastWeek ? weeks : Math.floor((now - end) / weekHours)) + 0;
}

/** Returns a text such as "; its times are moved 104 weeks later"; empty if the times are not moved. */
export function formatShift(weeks: number): string {
  if (weeks === 0) return '';
  const count = Math.abs(weeks);
  return `; its times are moved ${count} ${count === 1 ? 'week' : 'weeks'} ${weeks > 0 ? 'later' : 'earlier'}`;
}

interface JoinedHours {
  /** Ascending by time, each hour once. */
  readonly hours: readonly PortalHour[];
  /** A sentence about missing and one about repeated hours, if there are any. */
  readonly notices: readonly string[];
}

/** Joins the rows of all files. The last row of a repeated hour is used, because the portal corrects earlier rows. */
export function joinHours(rows: readonly PortalHour[]): JoinedHours {
  const byHour = new Map<number, PortalHour>();
  const repeated = new Set<number>();
  const differing = new Set<number>();
  for (const row of rows) {
    const previous = byHour.get(row.hour);
    byHour.set(row.hour, row);
    if (!previous) continue;
    repeated.add(row.hour);
    if (!isDeepStrictEqual(previous.measured, row.measured)) differing.add(row.hour);
  }
  const hours = [...byHour.values()].sort((a, b) => a.hour - b.hour);
  return { hours, notices: [...describeRepeats(repeated, differing), ...describeGaps(hours)] };
}

function describeRepeats(repeated: ReadonlySet<number>, differing: ReadonlySet<number>): string[] {
  if (repeated.size === 0) return [];
  const summary = `${formatHourCount(repeated.size)} listed more than once`;
  if (differing.size === 0) return [`${summary}, each time with the same readings.`];
  const first = formatHour(Math.min(...differing));
  return [
    `${summary}, ${differing.size} of them with different readings (the first is ${first}): the last row is used, from the file that was named last.`,
  ];
}

function describeGaps(hours: readonly PortalHour[]): string[] {
  let missing = 0;
  let gaps = 0;
  let longestGap = 0;
  let longestGapStart = 0;
  let expectedHour = hours[0]?.hour ?? 0;
  for (const { hour } of hours) {
    const length = hour - expectedHour;
    if (length > 0) {
      missing += length;
      gaps += 1;
      if (length > longestGap) {
        longestGap = length;
        longestGapStart = expectedHour;
      }
    }
    expectedHour = hour + 1;
  }
  if (gaps === 0) return [];
  const location =
    gaps === 1
      ? `from ${formatHour(longestGapStart)}`
      : `in ${gaps} gaps, ${longestGap} from ${formatHour(longestGapStart)}`;
  return [`${formatHourCount(missing)} missing (${location}): responses omit them.`];
}

function formatHourCount(count: number): string {
  return count === 1 ? '1 hour is' : `${count} hours are`;
}

function formatHour(hour: number): string {
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
 * Converts a file that has all columns of the readings to hours, in the order of its rows. Hours without a measurement are
 * omitted and counted in `notices`: the portal lists future hours with only a forecast. Throws a SandboxError if no hour remains.
 */
export function toPortalHours(file: PortalFile, fileName: string): { hours: PortalHour[]; notices: string[] } {
  const names = Object.entries(readingColumns) as [keyof Measurements, PortalColumn][];
  const hours: PortalHour[] = [];
  const emptyInstants: number[] = [];
  for (const [row, instant] of file.instants.entries()) {
    const entries = names.map(([reading, name]): [string, GridReading] => {
      const { [row]: value = NaN } = file.columns.get(name) ?? [];
      return [reading, Number.isNaN(value) ? null : value];
    });
    if (entries.every(([reading, value]) => value === null || reading === 'residualForecast'))
      emptyInstants.push(instant);
    else hours.push({ hour: instant / hourMs, measured: Object.fromEntries(entries) as unknown as Measurements });
  }
  if (hours.length === 0) throw new SandboxError(`${fileName} has no hours; ${exportAgain}.`);
  return { hours, notices: emptyInstants.length === 0 ? [] : [`${fileName}: ${describeEmptyHours(emptyInstants)}`] };
}

function describeEmptyHours(instants: readonly number[]): string {
  const first = formatInstant(instants.reduce((a, b) => Math.min(a, b)));
  const last = formatInstant(instants.reduce((a, b) => Math.max(a, b)));
  if (instants.length === 1) return `1 hour (${first}) has no measurements and is omitted.`;
  return `${instants.length} hours (from ${first} to ${last}) have no measurements and are omitted.`;
}

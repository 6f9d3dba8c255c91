import { isDeepStrictEqual } from 'node:util';
import { formatInstant } from '../../core/instant.ts';
import { hourMs } from '../hours.ts';
import type { PortalHour } from './portalHours.ts';

export interface JoinedHours {
  /** In the order of time, each hour once. */
  readonly hours: readonly PortalHour[];
  /** A sentence each on what was missing or given twice. */
  readonly notices: readonly string[];
}

/** Puts the rows of all files together. Of an hour given twice the last one counts: the portal corrects what it published. */
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

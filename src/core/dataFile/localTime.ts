import { plainInstant } from '../decode/typedColumn.ts';
import { hourOfHalf } from '../portal/portalTime.ts';
import { parseInstant } from '../time/instant.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';

const clock = String.raw`(?:[T ,]+(\d\d?):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?: ?([AP]M))?)?\s*$`;
const yearFirst = new RegExp(String.raw`^\s*(\d{4})([-/.])(\d\d?)\2(\d\d?)${clock}`, 'i');
const yearLast = new RegExp(String.raw`^\s*(\d\d?)([-/.])(\d\d?)\2(\d{4})${clock}`, 'i');

/** The order of the parts of a date. */
export type DateOrder = 'year first' | 'day first' | 'month first';

/**
 * A date, or a date and time, without an offset: the UTC milliseconds at which clocks in UTC show it. Undefined for any other text, and for a
 * date or time that doesn't exist.
 */
export function wallTime(text: string, order: DateOrder = 'year first'): number | undefined {
  const match = (order === 'year first' ? yearFirst : yearLast).exec(text);
  if (!match) return undefined;
  const part = (at: number): number => Number(match[at] ?? 0);
  const places = { 'year first': [1, 3, 4], 'day first': [4, 3, 1], 'month first': [4, 1, 3] } as const;
  const [year, month, day] = places[order].map(part) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  // Date.UTC turns 31 February into a day of March, and years 0 to 99 into 1900 to 1999.
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const hour = match[9] ? hourOfHalf(part(5), match[9].toUpperCase()) : part(5);
  if (hour < 0 || hour > 23 || part(6) > 59 || part(7) > 59) return undefined;
  const millis = Number((match[8] ?? '').padEnd(3, '0').slice(0, 3));
  return date.getTime() + ((hour * 60 + part(6)) * 60 + part(7)) * 1000 + millis;
}

/** The instant of a text with an offset; undefined for any other. */
export function instantOf(text: string): number | undefined {
  return plainInstant(text) ?? parseInstant(text.trim());
}

/**
 * Makes instants of the times of a zone, in the order of the rows. Of a time that the clock shows twice the second instant counts where the
 * first is not after that of the row before; of one that it skips, the instant of the change.
 */
export function instantsIn(timeZone: string): (wall: number) => number {
  const offsets = new ZoneOffsets(timeZone);
  let before = -Infinity;
  return wall => {
    const [first, second] = offsets.instantsOf(wall);
    const instant = first === undefined ? offsets.firstInstantFrom(wall) : first <= before ? (second ?? first) : first;
    return (before = instant);
  };
}

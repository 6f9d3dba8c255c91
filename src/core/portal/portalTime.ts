import { hourMs } from '../../shared/durations.ts';
import { correctLine, plainName, quoted, type Refuse } from './portalCells.ts';

/** The portal's times are South African: UTC+2, without daylight saving. */
const zoneMs = 2 * hourMs;

/** The time columns of the portal: one with date and hour, or two. */
export const timeLayouts = [['Date Time Hour Beginning'], ['Date_Time', 'Time_Hr']] as const;

export function isTimeColumn(name: string): boolean {
  return timeLayouts.some(([first]) => plainName(first) === plainName(name));
}

/** A time as written in the file. */
interface WrittenTime {
  readonly line: number;
  /** Date and hour, separated by a space. */
  readonly text: string;
}

type Order = 'day first' | 'month first';
/** UTC milliseconds of each text; undefined for an invalid one. */
type Hours = readonly (number | undefined)[];

const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:$|[T ]+(.*)$)/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:$|[T ]+(.*)$)/;
const clock = /^(\d{1,2})(?::(\d\d)(?::(\d\d)(?:\.0+)?)?)?(?: ?(AM|PM))?$/i;

/**
 * UTC milliseconds of the hours. Dates such as 01/02/2023 are read in the order that makes all texts valid; throws where both orders do, with
 * different results. Notes name the order, and hours that are written as 1 to 24.
 */
export function readTimes(
  times: readonly WrittenTime[],
  refuse: Refuse,
): { instants: readonly number[]; notes: string[] } {
  const hoursIn = (order: Order): Hours => times.map(({ text }) => hourOf(text, order));
  const [dayFirst, monthFirst] = [hoursIn('day first'), hoursIn('month first')];
  const [day, month] = [dayFirst, monthFirst].map(all => (areKnown(all) ? all : undefined));
  if (!day && !month) {
    // Prefers a line that is invalid in both orders to one that only contradicts others.
    const wrong = times.findIndex((_, at) => dayFirst[at] === undefined && monthFirst[at] === undefined);
    const { line, text } = times[wrong === -1 ? dayFirst.indexOf(undefined) : wrong] ?? { line: 0, text: '' };
    throw refuse(
      `, line ${line}`,
      `: ${quoted(text)} is not the beginning of an hour such as 2023-01-31 14:00:00`,
      correctLine,
    );
  }
  const differs = times.findIndex((_, at) => day && month && day[at] !== month[at]);
  if (day && month && differs !== -1) {
    const { line = 0, text = '' } = times[differs] ?? {};
    const [a, b] = [day[differs], month[differs]].map(instant =>
      new Date((instant ?? 0) + zoneMs).toISOString().slice(0, 10),
    );
    throw refuse(
      `, line ${line}`,
      `: ${quoted(text)} can be of ${a} or of ${b}, and no other date of the file tells which`,
    );
  }
  const sample = times.find(({ text }) => yearLast.test(text));
  const notes = sample
    ? [`dates such as ${quoted(sample.text)} are read with the ${day ? 'day' : 'month'} first.`]
    : [];
  return { instants: day ?? month ?? [], notes: [...notes, ...notesOfHours(times)] };
}

/** A note about hours from 1 to 24, which mostly mean the end of an hour, while the portal's columns name its beginning. */
function notesOfHours(times: readonly WrittenTime[]): string[] {
  const hours = new Set(times.map(({ text }) => Number(/(?:^|[T ])(\d{1,2})(?::[\d:.]*)?$/.exec(text)?.[1])));
  return hours.has(24) && !hours.has(0)
    ? [
        'hours are written as 1 to 24 and read as beginnings, as the portal names its columns: 24:00 is the first hour of the next day. If they are the ends of hours, all values come an hour late: write the hours as 0 to 23.',
      ]
    : [];
}

function areKnown(hours: Hours): hours is readonly number[] {
  return !hours.includes(undefined);
}

/** UTC milliseconds of the beginning of an hour; undefined for any other text. 24:00 is the midnight at the end of the day. */
function hourOf(text: string, order: Order): number | undefined {
  const early = yearFirst.exec(text);
  const late = early ? undefined : yearLast.exec(text);
  const [, a = '', , b = '', c = '', time = ''] = early ?? late ?? [];
  const [year, month, day] = early ? [a, b, c] : order === 'day first' ? [c, b, a] : [c, a, b];
  // Where hours have a column of their own, dates may have a time of midnight.
  const parts = clock.exec(time.trim().replace(/^00:00:00(?:\.0+)? +(?=\d)/, ''));
  if (!parts) return undefined;
  const [, hourText, minute = '00', second = '00', half] = parts;
  const hour = half ? hourOfHalf(Number(hourText), half.toUpperCase()) : Number(hourText);
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Date.UTC turns 31 February into a day of March, and years 0 to 99 into 1900 to 1999.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCFullYear() !== Number(year)) return undefined;
  return hour < 0 || hour > 24 || Number(minute) + Number(second) > 0
    ? undefined
    : date.getTime() + hour * hourMs - zoneMs;
}

/** The hour of a 12-hour clock, where 12 AM is midnight; -1 for an invalid hour. `half`: AM or PM. */
export function hourOfHalf(hour: number, half: string): number {
  return hour < 1 || hour > 12 ? -1 : (hour % 12) + (half === 'PM' ? 12 : 0);
}

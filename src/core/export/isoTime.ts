import { dayMs, minuteMs } from '../../shared/durations.ts';
import { textAt, type TimeColumn } from '../../shared/frame.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';

/** The last instant of a Date, less the maximum offset that may be added. */
const lastInstant = 8.64e15 - 2 * dayMs;

/** Formats the instant in a row; undefined outside the range of a Date. */
export type TimeText = (column: TimeColumn, row: number) => string | undefined;

/** Formats instants as the service sent them. */
export function receivedTimes(): TimeText {
  const plain = isoTimes('UTC');
  return (column, row) => (column.received ? textAt(column.received, row) : plain(column, row));
}

/** Formats instants as ISO 8601 with the offset of the time zone (`Z` for UTC), with all received digits. */
export function isoTimes(timeZone: string): TimeText {
  const offsets = new ZoneOffsets(timeZone);
  const dateTime = dateTimes();
  return (column, row) => {
    const ms = column.values[row] ?? NaN;
    if (!(Math.abs(ms) <= lastInstant)) return undefined;
    const zoned = offsets.at(ms);
    // Offsets of the 19th century have seconds, which ISO 8601 does not allow.
    const offset = zoned % minuteMs === 0 ? zoned : 0;
    const end = timeZone === 'UTC' || offset !== zoned ? 'Z' : offsetText(offset);
    return dateTime(ms + offset) + fraction(column, row, ms) + end;
  };
}

/** Formats instants as `YYYY-MM-DDThh:mm:ss`. Caches the date, because consecutive rows mostly share it. */
function dateTimes(): (ms: number) => string {
  let day = NaN;
  let date = '';
  return ms => {
    const ofDay = Math.floor(ms / dayMs);
    if (ofDay !== day) {
      day = ofDay;
      date = new Date(ofDay * dayMs).toISOString().split('T', 1)[0] ?? '';
    }
    const seconds = Math.floor((ms - ofDay * dayMs) / 1000);
    const minutes = Math.floor(seconds / 60);
    return `${date}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`;
  };
}

/** Returns milliseconds if they are not 0, and finer digits as received. */
function fraction(column: TimeColumn, row: number, ms: number): string {
  const received = column.received && /[T ]\d\d:\d\d:\d\d(\.\d{4,9})/.exec(textAt(column.received, row))?.[1];
  if (received) return received;
  const millis = ((ms % 1000) + 1000) % 1000;
  return millis === 0 ? '' : `.${String(Math.floor(millis)).padStart(3, '0')}`;
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / minuteMs;
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

import { dayMs, minuteMs } from '../../shared/durations.ts';
import { getText, type TimeColumn } from '../../shared/frame.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';

/** The last instant of a Date, less the maximum offset that may be added. */
const lastInstant = 8.64e15 - 2 * dayMs;

/** Formats the instant in a row; undefined outside the range of a Date. */
export type TimeFormatter = (column: TimeColumn, row: number) => string | undefined;

/** Formats instants as the service sent them. */
export function createReceivedTimeFormatter(): TimeFormatter {
  const formatIso = createIsoTimeFormatter('UTC');
  return (column, row) => (column.received ? getText(column.received, row) : formatIso(column, row));
}

/** Formats instants as ISO 8601 with the offset of the time zone (`Z` for UTC), with all received digits. */
export function createIsoTimeFormatter(timeZone: string): TimeFormatter {
  const offsets = new ZoneOffsets(timeZone);
  const dateTime = createDateTimeFormatter();
  return (column, row) => {
    const ms = column.values[row] ?? NaN;
    if (!(Math.abs(ms) <= lastInstant)) return undefined;
    const zoneOffset = offsets.at(ms);
    // Offsets of the 19th century have seconds, which ISO 8601 does not allow.
    const offset = zoneOffset % minuteMs === 0 ? zoneOffset : 0;
    const suffix = timeZone === 'UTC' || offset !== zoneOffset ? 'Z' : formatOffset(offset);
    return dateTime(ms + offset) + formatFraction(column, row, ms) + suffix;
  };
}

/** Formats instants as `YYYY-MM-DDThh:mm:ss`. Caches the date, because consecutive rows mostly share it. */
function createDateTimeFormatter(): (ms: number) => string {
  let day = NaN;
  let date = '';
  return ms => {
    const currentDay = Math.floor(ms / dayMs);
    if (currentDay !== day) {
      day = currentDay;
      date = new Date(currentDay * dayMs).toISOString().split('T', 1)[0] ?? '';
    }
    const seconds = Math.floor((ms - currentDay * dayMs) / 1000);
    const minutes = Math.floor(seconds / 60);
    return `${date}T${padTwo(Math.floor(minutes / 60))}:${padTwo(minutes % 60)}:${padTwo(seconds % 60)}`;
  };
}

/** Returns milliseconds if they are not 0, and finer digits as received. */
function formatFraction(column: TimeColumn, row: number, ms: number): string {
  const received = column.received && /[T ]\d\d:\d\d:\d\d(\.\d{4,9})/.exec(getText(column.received, row))?.[1];
  if (received) return received;
  const milliseconds = ((ms % 1000) + 1000) % 1000;
  return milliseconds === 0 ? '' : `.${String(Math.floor(milliseconds)).padStart(3, '0')}`;
}

function formatOffset(offset: number): string {
  const minutes = Math.abs(offset) / minuteMs;
  return `${offset < 0 ? '-' : '+'}${padTwo(Math.floor(minutes / 60))}:${padTwo(minutes % 60)}`;
}

function padTwo(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

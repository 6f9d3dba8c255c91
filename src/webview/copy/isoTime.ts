import { stateAt, textAt, cellState, type TimeColumn } from '../../shared/frame.ts';
import { ZoneOffsets } from './zoneOffsets.ts';

const minuteMs = 60_000;
/** The range of a Date, less the days that an offset needs. */
const lastInstant = 8.64e15 - 2 * 86_400_000;

/** Writes the instants of a column as ISO 8601 with the offset of the zone (`Z` for UTC), with all digits that were received. */
export function isoTimes(timeZone: string): (column: TimeColumn, row: number) => string {
  const offsets = new ZoneOffsets(timeZone);
  return (column, row) => {
    const ms = column.values[row] ?? NaN;
    if (stateAt(column, row) !== cellState.value || !(Math.abs(ms) <= lastInstant)) return '';
    const zoned = offsets.at(ms);
    // Zones of the 19th century were off by seconds, which ISO 8601 cannot say.
    const offset = zoned % minuteMs === 0 ? zoned : 0;
    const local = new Date(ms + offset).toISOString().slice(0, -5);
    return local + fraction(column, row, ms) + (timeZone === 'UTC' || offset !== zoned ? 'Z' : offsetText(offset));
  };
}

/** Milliseconds where there are any; what was received finer than that goes on. */
function fraction(column: TimeColumn, row: number, ms: number): string {
  const received = column.received && /[T ]\d\d:\d\d:\d\d(\.\d{4,9})/.exec(textAt(column.received, row))?.[1];
  if (received) return received;
  const millis = ((ms % 1000) + 1000) % 1000;
  return millis === 0 ? '' : `.${String(millis).padStart(3, '0')}`;
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / minuteMs;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

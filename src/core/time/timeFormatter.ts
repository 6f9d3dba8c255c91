import { clampInstant, type TimeParts } from '../../shared/formatTime.ts';
import { RepeatedHours } from './repeatedHours.ts';

/**
 * Formats instants as `14 Nov 05:00` in the zone and the language of the locale; always Gregorian, 24 hours, Latin digits. A repeated
 * wall-clock time gets the name of its zone: `25 Oct 02:00 CEST`.
 */
export function timeFormatter(locale: string, timeZone: string, parts: TimeParts): (instant: number) => string {
  const fixed = { timeZone, calendar: 'gregory', numberingSystem: 'latn' } as const;
  const english = locale.split('-')[0] === 'en';
  const year = parts.year ? ({ year: 'numeric' } as const) : {};
  // English dates look the same in all regions: day first, and "Sep", not "Sept".
  const date = new Intl.DateTimeFormat(english ? 'en-US' : locale, {
    ...fixed,
    day: '2-digit',
    month: 'short',
    ...year,
  });
  const time = new Intl.DateTimeFormat('en-US', {
    ...fixed,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(parts.seconds && { second: '2-digit' }),
    ...(parts.milliseconds && { fractionalSecondDigits: 3 }),
  });
  const writeDate = english
    ? (instant: number) => englishDate(date, instant)
    : (instant: number) => date.format(instant);
  const repeated = new RepeatedHours(timeZone, locale);
  return instant => {
    if (clampInstant(instant) !== instant) return String(instant);
    if (!parts.time) return writeDate(instant);
    const text = `${writeDate(instant)} ${time.format(instant)}`;
    const suffix = repeated.suffix(instant);
    return suffix === undefined ? text : `${text} ${suffix}`;
  };
}

function englishDate(format: Intl.DateTimeFormat, instant: number): string {
  let day = '';
  let month = '';
  let year = '';
  for (const part of format.formatToParts(instant)) {
    if (part.type === 'day') day = part.value;
    else if (part.type === 'month') month = part.value;
    else if (part.type === 'year') year = ` ${part.value}`;
  }
  return `${day} ${month}${year}`;
}

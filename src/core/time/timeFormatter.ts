import { clampInstant, type TimeParts } from '../../shared/formatTime.ts';
import { RepeatedHours } from './repeatedHours.ts';

/**
 * Creates a function that formats instants as `14 Nov 05:00`, in the given zone and in the language of the locale, always with the Gregorian
 * calendar, 24 hours and Latin digits. A repeated wall-clock time gets the name of its zone: `25 Oct 02:00 CEST`.
 */
export function createTimeFormatter(locale: string, timeZone: string, parts: TimeParts): (instant: number) => string {
  const commonOptions = { timeZone, calendar: 'gregory', numberingSystem: 'latn' } as const;
  const isEnglish = locale.split('-')[0] === 'en';
  const year = parts.year ? ({ year: 'numeric' } as const) : {};
  // English dates look the same in all regions: day first, and "Sep", not "Sept".
  const date = new Intl.DateTimeFormat(isEnglish ? 'en-US' : locale, {
    ...commonOptions,
    day: '2-digit',
    month: 'short',
    ...year,
  });
  const time = new Intl.DateTimeFormat('en-US', {
    ...commonOptions,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(parts.seconds && { second: '2-digit' }),
    ...(parts.milliseconds && { fractionalSecondDigits: 3 }),
  });
  const formatDate = isEnglish
    ? (instant: number) => formatEnglishDate(date, instant)
    : (instant: number) => date.format(instant);
  const repeatedHours = new RepeatedHours(timeZone, locale);
  return instant => {
    if (clampInstant(instant) !== instant) return String(instant);
    if (!parts.time) return formatDate(instant);
    const text = `${formatDate(instant)} ${time.format(instant)}`;
    const suffix = repeatedHours.suffix(instant);
    return suffix === undefined ? text : `${text} ${suffix}`;
  };
}

function formatEnglishDate(format: Intl.DateTimeFormat, instant: number): string {
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

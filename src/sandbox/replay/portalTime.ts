import { parseInstant } from '../../core/instant.ts';

const localTime = /^(\d{4})([-/])(\d\d)\2(\d\d)[T ]+(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.0+)?(?: ?(AM|PM))?$/i;

/** UTC milliseconds of a portal time, which is SAST: "2022-06-23 14:00:00", "2022/06/23 14:00" or "2022-06-23 02:00:00 PM". */
export function parsePortalTime(text: string): number | undefined {
  const match = localTime.exec(text.trim());
  if (!match) return undefined;
  const [, year, , month, day, hourText, minute, second = '00', half] = match;
  const hour = half ? hourOfHalf(Number(hourText), half.toUpperCase()) : Number(hourText);
  return parseInstant(`${year}-${month}-${day}T${String(hour).padStart(2, '0')}:${minute}:${second}+02:00`);
}

/** On a 12-hour clock, 12 AM is midnight; -1 for an hour that such a clock does not have. */
function hourOfHalf(hour: number, half: string): number {
  return hour < 1 || hour > 12 ? -1 : (hour % 12) + (half === 'PM' ? 12 : 0);
}

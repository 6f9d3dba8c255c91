const weekHours = 168;

/**
 * By how many weeks hours from `first` up to `end` (the hour after the last) move so that they reach the present: weekday
 * and hour of day stay. Long data reaches past it, so that new hours come as time goes on; what has no week before the
 * present that way ends before it.
 */
export function weeksToNow(first: number, end: number, now: number): number {
  const weeks = Math.ceil((now - end) / weekHours);
  const reaches = first + (weeks + 1) * weekHours <= now;
  return (reaches ? weeks : Math.floor((now - end) / weekHours)) + 0;
}

/** "; its times are moved 104 weeks later", or nothing. */
export function shiftInWords(weeks: number): string {
  if (weeks === 0) return '';
  const count = Math.abs(weeks);
  return `; its times are moved ${count} ${count === 1 ? 'week' : 'weeks'} ${weeks > 0 ? 'later' : 'earlier'}`;
}

/** The same as hours. */
export function hoursOfWeeks(weeks: number): number {
  return weeks * weekHours;
}

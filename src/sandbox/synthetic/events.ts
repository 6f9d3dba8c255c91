import type { Moment } from './moment.ts';
import type { Noise, Stream } from './noise.ts';

/** Something that happens once in every calendar year, on a day that the seed picks. */
export interface YearlyEvent {
  readonly stream: Stream;
  /** Days of the year, from 0: the first it may begin on, and how many there are to pick from. */
  readonly firstDay: number;
  readonly days: number;
  /** SAST hour of its beginning. */
  readonly hourOfDay: number;
  readonly hours: number;
}

/** How many hours ago the event began, while it lasts; undefined before and after. */
export function hoursInto(event: YearlyEvent, { hourOfYear, year }: Moment, noise: Noise): number | undefined {
  // The first day tells events of one stream apart.
  const luck = noise.uniform(event.stream, Math.floor(year) * 512 + event.firstDay);
  const into = hourOfYear - (event.firstDay + Math.floor(luck * event.days)) * 24 - event.hourOfDay;
  return into >= 0 && into < event.hours ? into : undefined;
}

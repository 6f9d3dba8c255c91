import type { Moment } from './moment.ts';

/** One independent stream of randomness for each thing that varies. */
export const streams = {
  demandWeather: 1,
  demandDay: 2,
  demandHour: 3,
  forecast: 4,
  wind: 6,
  cloud: 9,
  cloudHour: 10,
  otherRenewable: 11,
  coalWeek: 12,
  coalDay: 13,
  coalHour: 14,
  bothUnits: 15,
  unitOutput: 16,
  imports: 17,
  importOutage: 18,
  exports: 19,
  hydroSeason: 20,
  hydroDay: 21,
  pumping: 22,
  pumped: 23,
  missingHour: 24,
  missingLength: 25,
  nullCell: 26,
  unitTrip: 27,
  unitHalf: 28,
  turbines: 29,
  turbineStart: 30,
  gasRun: 31,
} as const;
type Stream = (typeof streams)[keyof typeof streams];

const spanHours = 128;

/** Randomness without memory: every value is a function of seed, stream and position alone. */
export class Noise {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed | 0;
  }

  /** Evenly spread in [0, 1). */
  uniform(stream: Stream, index: number): number {
    return this.#hash(stream, index) / 4_294_967_296;
  }

  /** Nearly normal, mean 0 and deviation 1: the four bytes of one hash, added up. */
  normal(stream: Stream, index: number): number {
    const hash = this.#hash(stream, index);
    const bytes = (hash & 255) + ((hash >>> 8) & 255) + ((hash >>> 16) & 255) + (hash >>> 24);
    return (bytes - 510) / 147.8;
  }

  /**
   * Normal values at the whole positions and a smooth way between them (value noise), so that weather lasts; the
   * deviation is 1 everywhere.
   */
  smooth(stream: Stream, position: number): number {
    const index = Math.floor(position);
    const t = position - index;
    const weight = t * t * (3 - 2 * t);
    const mixed = this.normal(stream, index) * (1 - weight) + this.normal(stream, index + 1) * weight;
    return mixed / Math.sqrt((1 - weight) ** 2 + weight ** 2);
  }

  /**
   * A first-order autoregression in hours, AR(1): mean 0, deviation 1, and a correlation of `persistence ** n` between
   * hours n apart. Each hour's value is found between its neighbours 64, 32 … 1 hours away (the bridge of the process),
   * so that none depends on earlier calls; spans of 128 hours are independent. `persistence` is at most 0.97.
   */
  persistent(stream: Stream, hour: number, persistence: number): number {
    let low = Math.floor(hour / spanHours) * spanHours;
    let before = this.normal(stream, low);
    let after = this.normal(stream, low + spanHours);
    for (let half = spanHours / 2; low !== hour; half /= 2) {
      const correlation = persistence ** half;
      const spread = 1 + correlation * correlation;
      const middle =
        ((before + after) * correlation) / spread + this.normal(stream, low + half) * Math.sqrt((2 - spread) / spread);
      if (hour < low + half) {
        after = middle;
        continue;
      }
      low += half;
      before = middle;
    }
    return before;
  }

  /** The finalizer of MurmurHash3 over the three numbers. */
  #hash(stream: number, index: number): number {
    let h = Math.imul(this.#seed, 0x9e37_79b1) ^ Math.imul(stream + 1, 0x85eb_ca6b);
    h = mix(h) ^ (index | 0);
    return mix(h) >>> 0;
  }
}

function mix(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35);
  return h ^ (h >>> 16);
}

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
  // The first day distinguishes events of one stream.
  const luck = noise.uniform(event.stream, Math.floor(year) * 512 + event.firstDay);
  const into = hourOfYear - (event.firstDay + Math.floor(luck * event.days)) * 24 - event.hourOfDay;
  return into >= 0 && into < event.hours ? into : undefined;
}

import type { LocalHour } from './localHour.ts';

/** The ids of independent streams of random numbers, one for each modelled quantity. */
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

const blockHours = 128;

/** Stateless random numbers: every value is a function of seed, stream and position alone. */
export class Noise {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed | 0;
  }

  /** Returns a number of the uniform distribution in [0, 1). */
  uniform(stream: Stream, index: number): number {
    return this.#hash(stream, index) / 4_294_967_296;
  }

  /** Returns a number of a nearly normal distribution with mean 0 and deviation 1: the sum of the four bytes of a hash. */
  normal(stream: Stream, index: number): number {
    const hash = this.#hash(stream, index);
    const bytes = (hash & 255) + ((hash >>> 8) & 255) + ((hash >>> 16) & 255) + (hash >>> 24);
    return (bytes - 510) / 147.8;
  }

  /**
   * Returns value noise: normal values at whole positions, interpolated smoothly between them, so that weather persists.
   * The deviation is 1 everywhere.
   */
  smooth(stream: Stream, position: number): number {
    const index = Math.floor(position);
    const t = position - index;
    const weight = t * t * (3 - 2 * t);
    const interpolated = this.normal(stream, index) * (1 - weight) + this.normal(stream, index + 1) * weight;
    return interpolated / Math.sqrt((1 - weight) ** 2 + weight ** 2);
  }

  /**
   * Returns a value of a first-order autoregression in hours, AR(1), with mean 0, deviation 1 and a correlation of
   * `persistence ** n` between hours n apart. Each value is computed from its neighbors 64, 32 … 1 hours away (the bridge
   * of the process), so that it does not depend on earlier calls. Blocks of 128 hours are independent. `persistence` is at
   * most 0.97.
   */
  persistent(stream: Stream, hour: number, persistence: number): number {
    let low = Math.floor(hour / blockHours) * blockHours;
    let lowValue = this.normal(stream, low);
    let highValue = this.normal(stream, low + blockHours);
    for (let half = blockHours / 2; low !== hour; half /= 2) {
      const correlation = persistence ** half;
      const spread = 1 + correlation * correlation;
      const middle =
        ((lowValue + highValue) * correlation) / spread +
        this.normal(stream, low + half) * Math.sqrt((2 - spread) / spread);
      if (hour < low + half) {
        highValue = middle;
        continue;
      }
      low += half;
      lowValue = middle;
    }
    return lowValue;
  }

  /** Hashes the three numbers with the finalizer of MurmurHash3. */
  #hash(stream: number, index: number): number {
    let h = Math.imul(this.#seed, 0x9e37_79b1) ^ Math.imul(stream + 1, 0x85eb_ca6b);
    h = finalizeHash(h) ^ (index | 0);
    return finalizeHash(h) >>> 0;
  }
}

function finalizeHash(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35);
  return h ^ (h >>> 16);
}

/** An event that happens once in every calendar year, on a day that depends on the seed. */
export interface YearlyEvent {
  readonly stream: Stream;
  /** The first possible day of the year, from 0, and the number of possible days. */
  readonly firstDay: number;
  readonly days: number;
  /** The SAST hour in which it begins. */
  readonly hourOfDay: number;
  readonly hours: number;
}

/** Returns the hours since the event began; undefined before and after it. */
export function getHoursSinceStart(
  event: YearlyEvent,
  { hourOfYear, year }: LocalHour,
  noise: Noise,
): number | undefined {
  // The first day distinguishes events of one stream.
  const draw = noise.uniform(event.stream, Math.floor(year) * 512 + event.firstDay);
  const hoursSinceStart = hourOfYear - (event.firstDay + Math.floor(draw * event.days)) * 24 - event.hourOfDay;
  return hoursSinceStart >= 0 && hoursSinceStart < event.hours ? hoursSinceStart : undefined;
}

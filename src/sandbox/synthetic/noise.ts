/** One independent stream of randomness for each thing that varies. */
export const streams = {
  demandWeather: 1,
  demandDay: 2,
  demandHour: 3,
  forecastSlow: 4,
  forecastFast: 5,
  windFront: 6,
  windDay: 7,
  windHour: 8,
  cloud: 9,
  cloudHour: 10,
  otherRenewable: 11,
  coalWeek: 12,
  coalDay: 13,
  coalHour: 14,
  unitTrip: 15,
  unitOutput: 16,
  imports: 17,
  importLine: 18,
  exports: 19,
  hydroSeason: 20,
  hydroDay: 21,
  pumping: 22,
  pumped: 23,
  missingHour: 24,
  missingLength: 25,
  nullCell: 26,
} as const;
export type Stream = (typeof streams)[keyof typeof streams];

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

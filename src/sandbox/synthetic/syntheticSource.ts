import { hourMs } from '../../shared/durations.ts';
import { type GridHour, type GridReading, type Measurements, round, toGridHour } from '../data/gridHour.ts';
import type { HourSource } from '../data/source.ts';
import { computeDispatch, type Dispatch } from './dispatch.ts';
import { Noise, streams } from './noise.ts';

const firstHour = Date.UTC(2018, 0, 1) / hourMs;

// The readings that may be null. The random number of a reading depends on its index, so the order must not change.
const nullableReadings = [
  'residualDemand',
  'residualForecast',
  'thermal',
  'nuclear',
  'gas',
  'ocgt',
  'hydro',
  'wind',
  'pv',
  'totalRenewable',
  'imports',
  'exports',
] as const satisfies readonly (keyof Measurements)[];
const ocgtIndex = nullableReadings.indexOf('ocgt');

/** The version of the model. Increment it if the model computes different hours, so that clients do not mix them with archived hours. */
const modelVersion = 2;

/**
 * A synthetic South African grid from 2018 on. Each hour depends only on the seed and the hour itself. Every year is similar to the measured
 * hours of 2022-06 to 2024-03, without a trend. README.md in this folder describes the model and its sources.
 */
export class SyntheticSource implements HourSource {
  readonly kind = 'synthetic';
  readonly note = 'This is sample data, made up by the sandbox.';
  readonly notices = [];
  readonly firstHour = firstHour;
  readonly endHour = Number.POSITIVE_INFINITY;
  readonly identity: string;
  readonly #noise: Noise;
  /** The last computed hour. A ramp needs the previous hour, and hours are usually read in order, so this saves computing it twice. */
  #last: { readonly hour: number; readonly dispatch: Dispatch } | undefined;

  constructor(seed: number) {
    this.identity = `synthetic-${modelVersion}-seed-${seed}`;
    this.#noise = new Noise(seed);
  }

  hour(hour: number): GridHour | undefined {
    if (hour < firstHour || isMissing(hour, this.#noise)) return undefined;
    const previousOcgt = this.#getOcgt(hour - 1);
    return toGridHour(hour, this.#measure(hour), previousOcgt);
  }

  #measure(hour: number): Measurements {
    const dispatch = this.#getDispatch(hour);
    const published = Object.fromEntries(
      nullableReadings.map((name, index) => [name, isNull(hour, index, this.#noise) ? null : round(dispatch[name])]),
    ) as Record<(typeof nullableReadings)[number], GridReading>;
    return {
      ...published,
      ippOcgt: round(dispatch.ippOcgt),
      pumped: round(dispatch.pumped),
      shed: round(dispatch.shed),
    };
  }

  /** Returns the published OCGT output of an hour, or null if it is not published. The ramp of the next hour is then null too. */
  #getOcgt(hour: number): GridReading {
    if (hour < firstHour || isMissing(hour, this.#noise) || isNull(hour, ocgtIndex, this.#noise)) return null;
    return round(this.#getDispatch(hour).ocgt);
  }

  #getDispatch(hour: number): Dispatch {
    if (this.#last?.hour !== hour) this.#last = { hour, dispatch: computeDispatch(hour, this.#noise) };
    return this.#last.dispatch;
  }
}

const maxGapHours = 4;
/** The probability that a gap starts in an hour. Gaps have 1 to 4 hours, so about 0.2 % of all hours are missing. */
const gapsPerHour = 0.0008;
const nullsPerReading = 0.001;

/** Whether the hour is part of a gap. */
function isMissing(hour: number, noise: Noise): boolean {
  for (let hoursBack = 0; hoursBack < maxGapHours; hoursBack++) {
    const start = hour - hoursBack;
    if (noise.uniform(streams.missingHour, start) >= gapsPerHour) continue;
    const length = 1 + Math.floor(noise.uniform(streams.missingLength, start) * maxGapHours);
    if (hoursBack < length) return true;
  }
  return false;
}

/** Whether a reading of the hour is null. */
function isNull(hour: number, readingIndex: number, noise: Noise): boolean {
  return noise.uniform(streams.nullCell, hour * 16 + readingIndex) < nullsPerReading;
}

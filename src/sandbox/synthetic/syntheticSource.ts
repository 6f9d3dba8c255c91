import { hourMs } from '../../shared/durations.ts';
import { type GridHour, type GridReading, type Measurements, round, toGridHour } from '../data/gridHour.ts';
import type { HourSource } from '../data/source.ts';
import { dispatchAt, type Dispatch } from './dispatch.ts';
import { Noise, streams } from './noise.ts';

const firstHour = Date.UTC(2018, 0, 1) / hourMs;

// The readings that may be null; the index in this list is part of the random draw.
const cells = [
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
const ocgtCell = cells.indexOf('ocgt');

/** Incremented whenever the model computes other hours for a seed, so that clients do not mix them with archived ones. */
const modelVersion = 2;

/**
 * A made-up South African grid from 2018 on: each hour a function of the seed and the hour alone. Every year is like the
 * measured hours of 2022-06 to 2024-03, without a trend (README.md in this folder has the model and its sources).
 */
export class SyntheticSource implements HourSource {
  readonly kind = 'synthetic';
  readonly note = 'This is sample data, made up by the sandbox.';
  readonly notices = [];
  readonly firstHour = firstHour;
  readonly endHour = Number.POSITIVE_INFINITY;
  readonly identity: string;
  readonly #noise: Noise;
  /** The last computed hour: a ramp needs the hour before, and hours are mostly read in order. */
  #last: { readonly hour: number; readonly dispatch: Dispatch } | undefined;

  constructor(seed: number) {
    this.identity = `synthetic-${modelVersion}-seed-${seed}`;
    this.#noise = new Noise(seed);
  }

  hour(hour: number): GridHour | undefined {
    if (hour < firstHour || isMissing(hour, this.#noise)) return undefined;
    const previousOcgt = this.#ocgt(hour - 1);
    return toGridHour(hour, this.#measured(hour), previousOcgt);
  }

  #measured(hour: number): Measurements {
    const dispatch = this.#dispatch(hour);
    const published = Object.fromEntries(
      cells.map((name, cell) => [name, isNull(hour, cell, this.#noise) ? null : round(dispatch[name])]),
    ) as Record<(typeof cells)[number], GridReading>;
    return {
      ...published,
      ippOcgt: round(dispatch.ippOcgt),
      pumped: round(dispatch.pumped),
      shed: round(dispatch.shed),
    };
  }

  /** OCGT output as published for that hour, or null: a ramp needs both its hours. */
  #ocgt(hour: number): GridReading {
    if (hour < firstHour || isMissing(hour, this.#noise) || isNull(hour, ocgtCell, this.#noise)) return null;
    return round(this.#dispatch(hour).ocgt);
  }

  #dispatch(hour: number): Dispatch {
    if (this.#last?.hour !== hour) this.#last = { hour, dispatch: dispatchAt(hour, this.#noise) };
    return this.#last.dispatch;
  }
}

const longestGap = 4;
/** With 1…4 hours a gap, about 0.2 % of all hours are missing. */
const gapsPerHour = 0.0008;
const nullsPerCell = 0.001;

/** Whether the hour is missing; one to four hours in a row are. */
function isMissing(hour: number, noise: Noise): boolean {
  for (let back = 0; back < longestGap; back++) {
    const start = hour - back;
    if (noise.uniform(streams.missingHour, start) >= gapsPerHour) continue;
    const length = 1 + Math.floor(noise.uniform(streams.missingLength, start) * longestGap);
    if (back < length) return true;
  }
  return false;
}

/** Whether this reading of the hour is null; `cell` numbers the readings of an hour. */
function isNull(hour: number, cell: number, noise: Noise): boolean {
  return noise.uniform(streams.nullCell, hour * 16 + cell) < nullsPerCell;
}

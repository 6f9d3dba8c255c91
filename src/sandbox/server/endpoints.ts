import { datasets, type Dataset } from '../../core/query/catalogue.ts';
import { formatInstant } from '../../core/time/instant.ts';
import { numberFields } from '../../shared/fields.ts';
import { aggregateDays } from '../data/daily.ts';
import { hourMs, type GridHour } from '../data/gridHour.ts';
import { round } from '../data/rounding.ts';
import { stressNote, stressOf } from '../data/stress.ts';
import { wantsComponents } from './query.ts';

/** How the records of a dataset are computed from the grid's hours, and the metadata of a response. */
interface DatasetModel {
  readonly dataset: string;
  /** A note about its values, besides that of the source of the hours. */
  readonly note?: string;
  meta(interval: string): Readonly<Record<string, unknown>>;
  /** The records of whole days of hours. */
  records(hours: readonly GridHour[], interval: string, params: URLSearchParams): readonly unknown[];
}

export interface SandboxRoute extends Dataset, DatasetModel {
  /** As Django REST framework names the view in its answer to OPTIONS. */
  readonly name: string;
}

const models: Readonly<Record<string, DatasetModel>> = {
  systemState: {
    dataset: 'grid.system_state',
    meta: interval => ({ derived: true, ...(interval === '1d' && { derivation_method: 'aggregation_from_1h' }) }),
    records: (hours, interval) => (interval === '1d' ? aggregateDays(hours) : hours.map(hour => hour.record)),
  },
  gridStress: {
    dataset: 'features.grid_stress_index',
    note: stressNote,
    meta: () => ({
      feature: 'grid_stress_index',
      version: 'v1',
      derived: true,
      derivation_method: 'computed_from_grid.system_state',
    }),
    records: (hours, _interval, params) => {
      const withComponents = wantsComponents(params);
      return hours.map(hour => stressOf(hour, withComponents));
    },
  },
};

const madeUpNote = 'The sandbox has no model of this dataset: its values oscillate between bounds and have no meaning.';

/** For a dataset that cannot be computed from the grid's hours: each number oscillates daily between the usual bounds of its field. */
function madeUpModel({ id, fields }: Dataset): DatasetModel {
  return {
    dataset: id,
    note: madeUpNote,
    meta: () => ({ derived: true }),
    records(hours, interval) {
      const stepHours = interval === '1d' ? 24 : 1;
      const steps = new Set(hours.map(({ hour }) => Math.floor(hour / stepHours) * stepHours));
      const names = numberFields(fields, stepHours === 1 ? 'hours' : 'days');
      return Array.from(steps, hour => ({
        ts: formatInstant(hour * hourMs),
        ...Object.fromEntries(names.map((name, at) => [name, valueAt(hour / 24 + at / 7, fields.get(name)?.usual)])),
      }));
    },
  };
}

/** A weekly oscillation makes days differ. */
function valueAt(days: number, [least, greatest]: readonly [number, number] = [0, 1]): number {
  const oscillation = 0.7 * Math.sin(2 * Math.PI * days) + 0.3 * Math.sin((2 * Math.PI * days) / 7);
  return round(least + ((greatest - least) * (1 + oscillation)) / 2, 4);
}

/** A route for each dataset of the catalogue. */
export const endpoints: readonly SandboxRoute[] = datasets.map(dataset => ({
  ...dataset,
  ...(models[dataset.id] ?? madeUpModel(dataset)),
  name: dataset.title.replace(/\b[a-z]/g, letter => letter.toUpperCase()),
}));

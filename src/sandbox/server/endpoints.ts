import { type Dataset, datasets } from '../../core/query/catalogue.ts';
import { formatInstant, parseInstant } from '../../core/time/instant.ts';
import { hourMs } from '../../shared/durations.ts';
import { listNumberFields } from '../../shared/fields.ts';
import { aggregateDays, type GridHour, round, stressNote, stressOf } from '../data/gridHour.ts';

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
      const names = listNumberFields(fields, stepHours === 1 ? 'hours' : 'days');
      return Array.from(steps, hour => ({
        ts: formatInstant(hour * hourMs),
        ...Object.fromEntries(
          names.map((name, at) => [name, valueAt(hour / 24 + at / 7, fields.get(name)?.typicalRange)]),
        ),
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

/** A requested range: [start, end) in UTC milliseconds. */
export interface RangeQuery {
  readonly start: number;
  readonly end: number;
  readonly interval: string;
}

/** The body of a 400. */
interface QueryFault {
  readonly error: 'missing_params' | 'unsupported_interval' | 'invalid_datetime' | 'bad_request';
  readonly detail: string;
}

/** Reads start, end and interval in the order in which the service checks them; other parameters are ignored. */
export function readRangeQuery(params: URLSearchParams, intervals: readonly string[]): RangeQuery | QueryFault {
  const startText = lastOf(params, 'start');
  const endText = lastOf(params, 'end');
  if (startText === undefined || endText === undefined)
    return { error: 'missing_params', detail: 'start and end datetime are required ISO-8601' };
  const interval = lastOf(params, 'interval') ?? '1h';
  if (!intervals.includes(interval)) {
    const supported = intervals.toSorted().map(known => `'${known}'`);
    return {
      error: 'unsupported_interval',
      detail: `interval=${interval} not supported. Supported: [${supported.join(', ')}]`,
    };
  }
  const start = lenientInstant(startText);
  const end = lenientInstant(endText);
  if (start === undefined || end === undefined)
    return { error: 'invalid_datetime', detail: 'start/end datetimes must be ISO-8601 datetimes' };
  if (start >= end) return { error: 'bad_request', detail: 'start datetime must be < end datetime' };
  return { start, end, interval };
}

/** Whether grid-stress records should include their four components. */
export function wantsComponents(params: URLSearchParams): boolean {
  return ['1', 'true', 'yes'].includes(lastOf(params, 'components')?.toLowerCase() ?? '');
}

/** ISO 8601 as the service takes it: a text without a zone is UTC, a date alone is its midnight. */
function lenientInstant(text: string): number | undefined {
  return parseInstant(text) ?? parseInstant(`${text}Z`) ?? parseInstant(`${text}T00:00Z`);
}

/** Of a parameter given twice the last counts, as in Django. */
function lastOf(params: URLSearchParams, name: string): string | undefined {
  return params.getAll(name).at(-1);
}

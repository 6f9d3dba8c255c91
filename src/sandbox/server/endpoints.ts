import { type Dataset, datasets } from '../../core/query/catalogue.ts';
import { formatInstant, parseInstant } from '../../core/time/instant.ts';
import { hourMs } from '../../shared/durations.ts';
import { listNumberFields } from '../../shared/fields.ts';
import { aggregateHourRecords, type GridHour, round, stressNote, computeStress } from '../data/gridHour.ts';

/** Computes the records of a dataset from the grid's hours, and the metadata of a response. */
interface DatasetModel {
  readonly dataset: string;
  /** A note about its values, in addition to the note of the hour source. */
  readonly note?: string;
  meta(interval: string): Readonly<Record<string, unknown>>;
  /** Computes the records of hours that are whole days. */
  records(hours: readonly GridHour[], interval: string, params: URLSearchParams): readonly unknown[];
}

export interface SandboxRoute extends Dataset, DatasetModel {
  /** The name that Django REST framework returns for OPTIONS. */
  readonly name: string;
}

const models: Readonly<Record<string, DatasetModel>> = {
  systemState: {
    dataset: 'grid.system_state',
    meta: interval => ({ derived: true, ...(interval === '1d' && { derivation_method: 'aggregation_from_1h' }) }),
    records: (hours, interval) => (interval === '1d' ? aggregateHourRecords(hours) : hours.map(hour => hour.record)),
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
      const includesComponents = shouldIncludeComponents(params);
      return hours.map(hour => computeStress(hour, includesComponents));
    },
  },
};

const oscillatingNote =
  'The sandbox has no model of this dataset: its values oscillate between bounds and have no meaning.';

/** Creates a model for a dataset that cannot be computed from the grid's hours: each number oscillates daily in the typical range of its field. */
function createOscillatingModel({ id, fields }: Dataset): DatasetModel {
  return {
    dataset: id,
    note: oscillatingNote,
    meta: () => ({ derived: true }),
    records(hours, interval) {
      const intervalHours = interval === '1d' ? 24 : 1;
      const intervalStarts = new Set(hours.map(({ hour }) => Math.floor(hour / intervalHours) * intervalHours));
      const names = listNumberFields(fields, intervalHours === 1 ? 'hours' : 'days');
      return Array.from(intervalStarts, hour => ({
        ts: formatInstant(hour * hourMs),
        ...Object.fromEntries(
          names.map((name, index) => [name, computeOscillation(hour / 24 + index / 7, fields.get(name)?.typicalRange)]),
        ),
      }));
    },
  };
}

/** Returns a value between the bounds. A weekly oscillation makes days differ. */
function computeOscillation(days: number, [min, max]: readonly [number, number] = [0, 1]): number {
  const oscillation = 0.7 * Math.sin(2 * Math.PI * days) + 0.3 * Math.sin((2 * Math.PI * days) / 7);
  return round(min + ((max - min) * (1 + oscillation)) / 2, 4);
}

/** A route for each dataset of the catalogue. */
export const endpoints: readonly SandboxRoute[] = datasets.map(dataset => ({
  ...dataset,
  ...(models[dataset.id] ?? createOscillatingModel(dataset)),
  name: dataset.title.replace(/\b[a-z]/g, letter => letter.toUpperCase()),
}));

/** A requested range: [start, end) in UTC milliseconds. */
export interface RangeQuery {
  readonly start: number;
  readonly end: number;
  readonly interval: string;
}

/** The body of a 400. */
interface QueryError {
  readonly error: 'missing_params' | 'unsupported_interval' | 'invalid_datetime' | 'bad_request';
  readonly detail: string;
}

/** Parses start, end and interval in the order in which the service checks them; other parameters are ignored. */
export function parseRangeQuery(params: URLSearchParams, intervals: readonly string[]): RangeQuery | QueryError {
  const startText = getLastParam(params, 'start');
  const endText = getLastParam(params, 'end');
  if (startText === undefined || endText === undefined)
    return { error: 'missing_params', detail: 'start and end datetime are required ISO-8601' };
  const interval = getLastParam(params, 'interval') ?? '1h';
  if (!intervals.includes(interval)) {
    const supported = intervals.toSorted().map(name => `'${name}'`);
    return {
      error: 'unsupported_interval',
      detail: `interval=${interval} not supported. Supported: [${supported.join(', ')}]`,
    };
  }
  const start = parseLenientInstant(startText);
  const end = parseLenientInstant(endText);
  if (start === undefined || end === undefined)
    return { error: 'invalid_datetime', detail: 'start/end datetimes must be ISO-8601 datetimes' };
  if (start >= end) return { error: 'bad_request', detail: 'start datetime must be < end datetime' };
  return { start, end, interval };
}

/** Whether grid-stress records should include their four components. */
export function shouldIncludeComponents(params: URLSearchParams): boolean {
  return ['1', 'true', 'yes'].includes(getLastParam(params, 'components')?.toLowerCase() ?? '');
}

/** Parses ISO 8601 as the service does: a text without a zone is UTC, a date alone is its midnight. */
function parseLenientInstant(text: string): number | undefined {
  return parseInstant(text) ?? parseInstant(`${text}Z`) ?? parseInstant(`${text}T00:00Z`);
}

/** Returns the last value of a repeated parameter, like Django. */
function getLastParam(params: URLSearchParams, name: string): string | undefined {
  return params.getAll(name).at(-1);
}

import { dayMs, hourMs, minuteMs, weekMs } from '../../shared/durations.ts';
import { parseDayZone } from '../bins/dayInterval.ts';
import { gridStressFields, sandboxStressFields, systemStateFields, type FieldCatalogue } from '../../shared/fields.ts';

// Paths, scopes and limits: grid data API specification, "Endpoints" and "Limits".

/** The number of requests that a scope allows in any window of that many seconds. */
export interface Limit {
  readonly requests: number;
  readonly seconds: number;
}

/** The rate limits of a key, by scope. The sandbox derives its keys, limits, faults and dashboard from them. */
export const rateLimits = {
  normalized_data: { requests: 10, seconds: 60 },
  features: { requests: 3, seconds: 60 },
} as const satisfies Readonly<Record<string, Limit>>;

export type RateLimitScope = keyof typeof rateLimits;

/** A dataset that can be queried. Its command, its tool and its part of the queries schema are derived from its entry. */
interface DatasetDescription {
  readonly id: string;
  /** The id of a codicon. */
  readonly icon: string;
  readonly title: string;
  /** The documented intervals; the first one is the default. The service may accept others, so a typed interval is sent unchanged. */
  readonly intervals: readonly string[];
  /** The documented fields. A response may have others. */
  readonly fields: FieldCatalogue;
  /** The fields of a sandbox, if they differ. */
  readonly sandboxFields?: FieldCatalogue;
  /** Optional query parameters to offer, with the value that enables each. */
  readonly params: readonly { readonly name: string; readonly value: string; readonly meaning: string }[];
}

/** A dataset of the service. Its sandbox route is also derived from its entry; unit tests check what a new one needs in package.json. */
export interface Dataset extends DatasetDescription {
  readonly path: string;
  readonly scope: RateLimitScope;
  readonly limit: Limit;
}

/** Several datasets joined on the time of their rows. Each has its own requests, rate limit, archive and coverage. */
export interface JoinedDataset extends DatasetDescription {
  readonly members: readonly Dataset[];
}

export const datasets: readonly Dataset[] = [
  {
    id: 'systemState',
    icon: 'graph-line',
    title: 'System state',
    path: '/api/v1/grid/system-state',
    scope: 'normalized_data',
    limit: rateLimits.normalized_data,
    intervals: ['1h', '1d'],
    fields: systemStateFields,
    params: [],
  },
  {
    id: 'gridStress',
    icon: 'pulse',
    title: 'Grid stress',
    path: '/api/v1/features/grid-stress',
    scope: 'features',
    limit: rateLimits.features,
    intervals: ['1h'],
    fields: gridStressFields,
    sandboxFields: sandboxStressFields,
    // The provider documents this option but not its name.
    params: [{ name: 'components', value: 'true', meaning: 'The four components of the index' }],
  },
];

export type QueriedDataset = Dataset | JoinedDataset;

/** All datasets that can be queried: the service's own, then the joined ones. */
export const queriedDatasets: readonly QueriedDataset[] = [
  ...datasets,
  {
    id: 'stateAndStress',
    icon: 'layers',
    title: 'System state and stress',
    members: datasets.filter(({ id }) => id === 'systemState' || id === 'gridStress'),
    // The intervals that both have. Days of a time zone are aggregated from these.
    intervals: ['1h'],
    fields: new Map([...systemStateFields, ...gridStressFields]),
    sandboxFields: new Map([...systemStateFields, ...sandboxStressFields]),
    params: datasets.find(({ id }) => id === 'gridStress')?.params ?? [],
  },
];

/** Returns the service's datasets that a dataset consists of: itself, or the joined ones. */
export function getMembers(dataset: QueriedDataset): readonly Dataset[] {
  return 'members' in dataset ? dataset.members : [dataset];
}

/** Finds the dataset with this id. */
export function findDataset(id: string): QueriedDataset | undefined {
  return queriedDatasets.find(dataset => dataset.id === id);
}

/** The documented fields of all datasets by name. A name has the same meaning in each. */
export const knownFields: FieldCatalogue = new Map(datasets.flatMap(({ fields }) => [...fields]));

/**
 * Returns the length of an interval such as "1h", "30m" or "7d" in milliseconds; undefined for any other text, including months and
 * years, whose length varies. For a day of a time zone, returns 24 hours, although it may have 23 or 25.
 */
export function getIntervalMs(interval: string): number | undefined {
  if (parseDayZone(interval)) return dayMs;
  const match = /^([1-9]\d{0,3})(m|h|d)$/.exec(interval);
  if (!match) return undefined;
  return Number(match[1]) * { m: minuteMs, h: hourMs, d: dayMs }[match[2] as 'm' | 'h' | 'd'];
}

/**
 * Whether a text is an interval in any common notation: "15m", "90min", "2weeks", "monthly", "PT15M", or "1d@SAST" for days of a time
 * zone. Accepts intervals that `getIntervalMs` does not know: the service decides about those.
 */
export function isInterval(text: string): boolean {
  return (
    parseDayZone(text) !== undefined ||
    /^[1-9]\d{0,3}(?:s|sec|m|min|h|hr|hour|d|day|w|week|mo|month|q|quarter|y|year)s?$/i.test(text) ||
    /^(?:hour|dai|week|month|quarter|year)ly$/i.test(text) ||
    /^P(?=T?\d)(?:\d{1,4}[YMWD]){0,4}(?:T(?:\d{1,4}[HMS]){1,3})?$/i.test(text)
  );
}

/** The length of each unit in milliseconds, for the shortest month, quarter and year. */
const unitMs = {
  s: 1_000,
  m: minuteMs,
  h: hourMs,
  d: dayMs,
  w: weekMs,
  mo: 28 * dayMs,
  q: 90 * dayMs,
  y: 365 * dayMs,
};

/** Returns the minimum length in milliseconds of an interval that `isInterval` accepts: 28 days for "1mo", 0 for "PT0S". */
export function getMinIntervalMs(interval: string): number {
  const text = interval.toLowerCase();
  const [, count, word] = /^(\d*)([a-z]+)$/.exec(text) ?? [];
  if (word !== undefined)
    return Number(count || 1) * unitMs[(word.startsWith('mo') ? 'mo' : word[0]) as keyof typeof unitMs];
  const [date = '', time = ''] = text.split('t');
  const parts = [...date.replaceAll('m', 'mo').matchAll(/(\d+)(mo|[ywd])/g), ...time.matchAll(/(\d+)([hms])/g)];
  return parts.reduce((ms, [, amount, unit]) => ms + Number(amount) * unitMs[unit as keyof typeof unitMs], 0);
}

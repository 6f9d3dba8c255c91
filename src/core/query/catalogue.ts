import { zoneOfDays } from '../bins/dayEdges.ts';
import { gridStressFields, sandboxStressFields, systemStateFields, type FieldCatalogue } from '../../shared/fields.ts';

// Paths, scopes and limits: grid data API specification, "Endpoints" and "Limits".

/** Requests a scope allows in any window of so many seconds. */
export interface Limit {
  readonly requests: number;
  readonly seconds: number;
}

/** The rate limits of a key, by scope. A new scope is a new line: keys, limits, faults and dashboard of the sandbox are made of it. */
export const rateLimits = {
  normalized_data: { requests: 10, seconds: 60 },
  features: { requests: 3, seconds: 60 },
} as const satisfies Readonly<Record<string, Limit>>;

export type RateLimitScope = keyof typeof rateLimits;

/**
 * One dataset: all the product has to know to ask for it. A new one is a new entry: its command, its tool for language models, its
 * icon, the schema of queries files and the route of the sandbox are made of it. Unit tests of package.json say what it needs there.
 */
export interface Dataset {
  readonly id: string;
  /** Of a codicon. */
  readonly icon: string;
  readonly title: string;
  readonly path: string;
  readonly scope: RateLimitScope;
  readonly limit: Limit;
  /** The first is the default. The service may know more: text typed by the person is sent as it is. */
  readonly intervals: readonly string[];
  /** Labels, units and meanings of the fields that are documented; a response may have others. */
  readonly fields: FieldCatalogue;
  /** The same where a sandbox answers, if it is not. */
  readonly sandboxFields?: FieldCatalogue;
  /** Extra query parameters worth offering, with the value that switches each on. */
  readonly params: readonly { readonly name: string; readonly value: string; readonly meaning: string }[];
}

const hourMs = 3_600_000;

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
    // The provider documents the switch but not its name; this is the one place that holds it.
    params: [{ name: 'components', value: 'true', meaning: 'The four components of the index' }],
  },
];

/** The dataset of that id; undefined for an unknown one. */
export function datasetById(id: string): Dataset | undefined {
  return datasets.find(dataset => dataset.id === id);
}

/** The documented fields of all datasets by their names, which mean the same in each. */
export const knownFields: FieldCatalogue = new Map(datasets.flatMap(({ fields }) => [...fields]));

/**
 * The length of an interval such as "1h", "30m" or "7d"; undefined for a text of another form. Months and years have no one length;
 * a day of a zone is 24 hours long, but where its clocks change.
 */
export function stepOf(interval: string): number | undefined {
  if (zoneOfDays(interval)) return 24 * hourMs;
  const match = /^([1-9]\d{0,3})(m|h|d)$/.exec(interval);
  if (!match) return undefined;
  return Number(match[1]) * { m: 60_000, h: hourMs, d: 24 * hourMs }[match[2] as 'm' | 'h' | 'd'];
}

/**
 * Whether a text names a length of time, as services write them: "15m", "90min", "2weeks", "monthly", "PT15M", or days of a zone:
 * "1d@SAST". Also lengths that `stepOf` does not know: the service decides about those.
 */
export function isInterval(text: string): boolean {
  return (
    zoneOfDays(text) !== undefined ||
    /^[1-9]\d{0,3}(?:s|sec|m|min|h|hr|hour|d|day|w|week|mo|month|q|quarter|y|year)s?$/i.test(text) ||
    /^(?:hour|dai|week|month|quarter|year)ly$/i.test(text) ||
    /^P(?=T?\d)(?:\d{1,4}[YMWD]){0,4}(?:T(?:\d{1,4}[HMS]){1,3})?$/i.test(text)
  );
}

const dayMs = 24 * hourMs;
/** In milliseconds; of months, quarters and years the shortest. */
const unitMs = {
  s: 1_000,
  m: 60_000,
  h: hourMs,
  d: dayMs,
  w: 7 * dayMs,
  mo: 28 * dayMs,
  q: 90 * dayMs,
  y: 365 * dayMs,
};

/** The least that an interval may last, in milliseconds, of all that `isInterval` takes: "1mo" is 28 days, "PT0S" is 0. */
export function leastStepOf(interval: string): number {
  const text = interval.toLowerCase();
  const [, count, word] = /^(\d*)([a-z]+)$/.exec(text) ?? [];
  if (word !== undefined)
    return Number(count || 1) * unitMs[(word.startsWith('mo') ? 'mo' : word[0]) as keyof typeof unitMs];
  const [date = '', time = ''] = text.split('t');
  const parts = [...date.replaceAll('m', 'mo').matchAll(/(\d+)(mo|[ywd])/g), ...time.matchAll(/(\d+)([hms])/g)];
  return parts.reduce((ms, [, amount, unit]) => ms + Number(amount) * unitMs[unit as keyof typeof unitMs], 0);
}

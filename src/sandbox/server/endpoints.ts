import { aggregateDays } from '../data/daily.ts';
import type { GridHour } from '../data/gridHour.ts';
import { stressNote, stressOf } from '../data/stress.ts';
import type { RateLimitScope } from '../keys/scopes.ts';
import { wantsComponents } from './query.ts';

/**
 * What tells the two endpoints apart. Paths and limits repeat what the product's catalogue says, on purpose: the sandbox
 * follows the specification, so a slip in the catalogue shows as a failing request.
 */
export interface SandboxRoute {
  readonly path: string;
  /** As Django REST framework names the view in its answer to OPTIONS. */
  readonly name: string;
  readonly scope: RateLimitScope;
  readonly dataset: string;
  readonly intervals: readonly string[];
  /** What is to be known of its values, beside what the source of the hours says. */
  readonly note?: string;
  meta(interval: string): Readonly<Record<string, unknown>>;
  /** The records of whole days of hours. */
  records(hours: readonly GridHour[], interval: string, params: URLSearchParams): readonly unknown[];
}

export const endpoints: readonly [systemState: SandboxRoute, gridStress: SandboxRoute] = [
  {
    path: '/api/v1/grid/system-state',
    name: 'System State',
    scope: 'normalized_data',
    dataset: 'grid.system_state',
    intervals: ['1h', '1d'],
    meta: interval => ({ derived: true, ...(interval === '1d' && { derivation_method: 'aggregation_from_1h' }) }),
    records: (hours, interval) => (interval === '1d' ? aggregateDays(hours) : hours.map(hour => hour.record)),
  },
  {
    path: '/api/v1/features/grid-stress',
    name: 'Grid Stress',
    scope: 'features',
    dataset: 'features.grid_stress_index',
    intervals: ['1h'],
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
];

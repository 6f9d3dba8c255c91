import { isSampleData, sampleDataMark } from '../../core/serviceMeta.ts';
import type { Provenance } from '../../shared/result.ts';

/** What every file system takes. */
const unsafe = /[^\w.-]+/g;

/**
 * A name for the file of a result, without its extension: `system_state_1h_2026-05-01_2026-05-08` (UTC days, the end not included).
 * That of Sample Data says so.
 */
export function exportName({
  dataset,
  interval,
  start,
  end,
  ...answer
}: Pick<Provenance, 'dataset' | 'interval' | 'start' | 'end' | 'sample' | 'meta'>): string {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const name = [dataset, interval, day(start), day(end)].map(part => part.replaceAll(unsafe, '-')).join('_');
  return isSampleData(answer) ? `${name} ${sampleDataMark}` : name;
}

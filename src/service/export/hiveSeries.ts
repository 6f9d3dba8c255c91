import type { Connection } from '../../core/connections/connection.ts';
import { createExportProvenance } from '../../core/export/exportProvenance.ts';
import { utc } from '../../core/time/zone.ts';
import type { Result } from '../../shared/result.ts';
import type { HiveSeries } from './hiveFolder.ts';

/** Creates the series of a received result, with its origin. `source` is that of the connection in the archive. Empty if the result is no table. */
export function createHiveSeries(result: Result, connection: Connection, source: string): HiveSeries[] {
  const { frame, coverage, provenance } = result;
  if (!frame) return [];
  const { dataset, interval, params } = provenance;
  const exportProvenance = createExportProvenance(result, { frame }, { times: 'utc', zone: utc }, connection);
  const origin = { provenance: exportProvenance, span: provenance, coverage };
  return [{ source, dataset, interval, params, frame, origins: [origin] }];
}

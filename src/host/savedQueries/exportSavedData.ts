import { t } from '@vscode/l10n';
import { createPartError } from '../../core/errors.ts';
import { createExportProvenance } from '../../core/export/exportProvenance.ts';
import type { Clock } from '../../core/ports.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import { writeHive, type HiveSeries } from '../../service/export/hiveFolder.ts';
import { exportFolder, type ExportFolderDeps } from '../export/exportFolder.ts';
import { InputError } from '../inputError.ts';
import { describeFailure } from '../messages/failures.ts';
import { formatQueryCount } from './savedMessages.ts';
import type { QueryOutcome, SavedRunner } from './savedRunner.ts';
import { utc } from '../../core/time/zone.ts';

export interface ExportSavedDeps extends ExportFolderDeps {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly runner: Pick<SavedRunner, 'fetchResults'>;
  readonly sourceAt: ConnectionEndpoints['getSource'];
}

/**
 * Runs the queries in one plan and writes their rows as one folder of Parquet files, partitioned by dataset, interval, year and month.
 * Lists the queries that failed; throws the first error if all of them failed.
 */
export async function exportSavedData(queries: readonly SavedQuery[], deps: ExportSavedDeps): Promise<void> {
  if (queries.length === 0) return;
  await exportFolder(
    t('Exporting {0}', formatQueryCount(queries.length)),
    deps,
    async (folder, { signal, reportProgress }) => {
      reportProgress(t('Querying…'));
      const answers = await deps.runner.fetchResults(queries, signal);
      const failed = answers.flatMap((answer, at) => ('error' in answer ? [{ error: answer.error, at }] : []));
      const [first] = failed;
      if (first && failed.length === answers.length) throw first.error;
      const series = await Promise.all(answers.map(async answer => toSeries(answer, deps)));
      const outcome = await writeHive({
        folder,
        clock: deps.clock,
        signal,
        series: series.flat(),
        onProgress: files => reportProgress(t('{0} files written', files)),
      });
      if (outcome.rows === 0)
        throw new InputError(t('These queries have no rows with a time, so there is nothing to export.'));
      const partly = answers.flatMap((answer, at) => {
        const failure = 'error' in answer ? undefined : answer.result.provenance.failure;
        return failure ? [{ error: createPartError(failure), at }] : [];
      });
      const omitted = [...failed, ...partly].map(
        ({ at, error }) => `${queries[at]?.name ?? ''}: ${describeFailure(error)?.sentence ?? ''}`,
      );
      return { ...outcome, omitted };
    },
  );
}

async function toSeries(answer: QueryOutcome, { sourceAt }: ExportSavedDeps): Promise<HiveSeries[]> {
  if ('error' in answer || !answer.result.frame) return [];
  const { connection, result } = answer;
  const { frame } = answer.result;
  const { dataset, interval, params } = result.provenance;
  const provenance = createExportProvenance(result, { frame }, { times: 'utc', zone: utc }, connection);
  const origin = { provenance, span: result.provenance, coverage: result.coverage };
  return [{ source: await sourceAt(connection), dataset, interval, params, frame, origins: [origin] }];
}

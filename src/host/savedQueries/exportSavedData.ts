import { t } from '@vscode/l10n';
import { createPartError } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import { writeHive } from '../../service/export/hiveFolder.ts';
import { createHiveSeries } from '../../service/export/hiveSeries.ts';
import { exportFolder, type ExportFolderDeps } from '../export/exportFolder.ts';
import { InputError } from '../inputError.ts';
import { describeFailure } from '../messages/failures.ts';
import { formatQueryCount } from './savedMessages.ts';
import type { SavedRunner } from './savedRunner.ts';

export interface ExportSavedDeps extends ExportFolderDeps {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly runner: Pick<SavedRunner, 'fetchResults'>;
  readonly sourceAt: ConnectionEndpoints['getSource'];
}

/**
 * Runs the queries in one plan and writes their rows into a folder of Parquet files, partitioned by dataset, interval, year and month. The
 * outcome lists the queries that failed. If all of them failed, throws the first error.
 */
export async function exportSavedData(queries: readonly SavedQuery[], deps: ExportSavedDeps): Promise<void> {
  if (queries.length === 0) return;
  await exportFolder(
    t('Exporting {0}', formatQueryCount(queries.length)),
    deps,
    async (folder, { signal, reportProgress }) => {
      reportProgress(t('Querying…'));
      const outcomes = await deps.runner.fetchResults(queries, signal);
      const failures = outcomes.flatMap((outcome, index) =>
        'error' in outcome ? [{ error: outcome.error, index }] : [],
      );
      const [firstFailure] = failures;
      if (firstFailure && failures.length === outcomes.length) throw firstFailure.error;
      const series = await Promise.all(
        outcomes.map(async outcome =>
          'error' in outcome
            ? []
            : createHiveSeries(outcome.result, outcome.connection, await deps.sourceAt(outcome.connection)),
        ),
      );
      const folderOutcome = await writeHive({
        folder,
        clock: deps.clock,
        signal,
        series: series.flat(),
        onProgress: files => reportProgress(t('{0} files written', files)),
      });
      if (folderOutcome.rows === 0)
        throw new InputError(t('These queries have no rows with a time, so there is nothing to export.'));
      const partialFailures = outcomes.flatMap((outcome, index) => {
        const failure = 'error' in outcome ? undefined : outcome.result.provenance.failure;
        return failure ? [{ error: createPartError(failure), index }] : [];
      });
      const omitted = [...failures, ...partialFailures].map(
        ({ index, error }) => `${queries[index]?.name ?? ''}: ${describeFailure(error)?.sentence ?? ''}`,
      );
      return { ...folderOutcome, omitted };
    },
  );
}

import { t } from '@vscode/l10n';
import { getSourceName } from '../../core/analysis/describeAnalysis.ts';
import { installedCapacitySource } from '../../core/pack/installedCapacity.ts';
import type { JoinedSource } from '../../service/query/joinSources.ts';
import type { JoinSource } from '../../shared/analysis.ts';
import type { HeaderPart } from '../../shared/protocol.ts';
import { describeFailure } from './failures.ts';

/** Returns the displayed name of a source. */
export function sourceName(source: JoinSource): string {
  return source.kind === 'installedCapacity' ? t('Installed capacity') : getSourceName(source);
}

/** Creates “with plant.csv”, or why columns of the source are missing. */
export function createJoinedPart({
  source,
  error,
  pairing,
  skipped = [],
  remarks = [],
  changedTo,
  comparedError,
}: JoinedSource): HeaderPart {
  const name = sourceName(source);
  if (error)
    return { text: t('without {0}', name), tooltip: describeFailure(error)?.sentence ?? error.reason, tone: 'warning' };
  const pairings: Readonly<Record<NonNullable<typeof pairing>, string>> = {
    sameInstant: t('Its rows are joined by time.'),
    aggregated: t(
      'Its rows are shorter: energies are added up and other numbers averaged. An incomplete row has no value.',
    ),
    asOf: t('Each value is repeated while its row lasts, or until the next row of uneven ones.'),
  };
  const listNames = (reason: (typeof skipped)[number]['reason']): string =>
    skipped.flatMap(({ column, reason: why }) => (why === reason ? column : [])).join(', ');
  const [amounts, texts, formulas] = [listNames('amountOfLongerRow'), listNames('notNumber'), listNames('formula')];
  const hasChanged = changedTo !== undefined;
  const tooltip = [
    ...(hasChanged
      ? [
          t(
            'The file or its import options are not those that were added. It is shown as it is now; click to keep that.',
          ),
        ]
      : []),
    ...(source.kind === 'file' ? [source.path] : []),
    ...(source.kind === 'installedCapacity' ? [installedCapacitySource] : []),
    ...remarks,
    ...(pairing ? [pairings[pairing]] : []),
    ...(amounts === ''
      ? []
      : [t('Left out, because the energy of a longer row is not that of each shorter one: {0}.', amounts)]),
    ...(texts === '' ? [] : [t('Left out, because only numbers can be combined: {0}.', texts)]),
    ...(formulas === ''
      ? []
      : [t('Left out, because their formulas need columns that are not joined: {0}.', formulas)]),
  ].join('\n');
  if (hasChanged)
    return { text: t('with {0}, which has changed', name), tooltip, tone: 'warning', action: 'acceptFiles' };
  if (comparedError) {
    const sentence = describeFailure(comparedError)?.sentence ?? comparedError.reason;
    return { text: t('with {0}, not in the other period', name), tooltip: sentence, tone: 'warning' };
  }
  const isIncomplete = amounts + formulas !== '';
  if (skipped.length > 0)
    return { text: t('with {0}, not all columns', name), tooltip, ...(isIncomplete && { tone: 'warning' }) };
  return { text: t('with {0}', name), tooltip };
}

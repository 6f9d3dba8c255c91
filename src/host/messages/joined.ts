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
}: JoinedSource): HeaderPart {
  const name = sourceName(source);
  if (error)
    return { text: t('without {0}', name), tooltip: describeFailure(error)?.sentence ?? error.reason, tone: 'warning' };
  const pairings: Readonly<Record<NonNullable<typeof pairing>, string>> = {
    sameInstant: t('Its rows are joined by time.'),
    aggregated: t(
      'Its rows are shorter: energies are added up and other numbers averaged. An incomplete row has no value.',
    ),
    asOf: t('Its rows are longer: each value is repeated while it is valid.'),
  };
  const listNames = (reason: (typeof skipped)[number]['reason']): string =>
    skipped.flatMap(({ column, reason: why }) => (why === reason ? column : [])).join(', ');
  const [amounts, texts] = [listNames('amountOfLongerRow'), listNames('notNumber')];
  const hasChanged = changedTo !== undefined;
  const tooltip = [
    ...(hasChanged ? [t('The file is no longer the one that was added. Click to use it as it is now.')] : []),
    ...(source.kind === 'file' ? [source.path] : []),
    ...(source.kind === 'installedCapacity' ? [installedCapacitySource] : []),
    ...remarks,
    ...(pairing ? [pairings[pairing]] : []),
    ...(amounts === ''
      ? []
      : [t('Left out, because the energy of a longer row is not that of each shorter one: {0}.', amounts)]),
    ...(texts === '' ? [] : [t('Left out, because only numbers can be combined: {0}.', texts)]),
  ].join('\n');
  if (hasChanged)
    return { text: t('with {0}, which has changed', name), tooltip, tone: 'warning', action: 'acceptFiles' };
  if (skipped.length > 0) return { text: t('with {0}, not all columns', name), tooltip, tone: 'warning' };
  return { text: t('with {0}', name), tooltip };
}

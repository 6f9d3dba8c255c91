import { t } from '@vscode/l10n';
import { decodeBeginning } from '../../core/json/responseText.ts';
import { getIntervalMs } from '../../core/query/catalogue.ts';
import { formatDataMark, getServiceMeta } from '../../core/query/serviceMeta.ts';
import { parseInstant } from '../../core/time/instant.ts';
import {
  maxRawLength,
  presetActions,
  type ActionOffer,
  type DisplayZone,
  type PanelAction,
  type QueryTools,
  type SettledState,
} from '../../shared/protocol.ts';
import type { Coverage, History } from '../../shared/result.ts';
import { tableLimits, type TableProblem } from '../../shared/tableLimits.ts';
import { localizeCoverage, localizeFrame } from '../messages/catalogue.ts';
import { actionLabel } from '../messages/failures.ts';
import { formatCount, formatRequests } from '../messages/numbers.ts';
import { formatPeriod, formatSpan } from '../messages/times.ts';
import { minCoverage, offeredZones, customTariffs } from '../settings.ts';
import type { ComparedResult, MissingRange } from './comparedRun.ts';
import { createHeader, countMissingInCompared, countMissing, type HeaderContext } from './resultHeader.ts';

/** The settings and texts with which a result is displayed. */
export interface ResultViewOptions extends HeaderContext {
  readonly title: string;
  /** The texts of the toolbar. */
  readonly toolbarTexts: Omit<QueryTools, 'actions'>;
  /** Additional actions that the panel offers. */
  readonly actions?: readonly PanelAction[];
}

/** Creates the actions that every query offers. */
export function createQueryOffers(): ActionOffer[] {
  return createOffers('refresh', 'previousPeriod', 'nextPeriod', 'save', ...presetActions, 'changeQuery');
}

/** Creates the state that the page shows for a result. */
export function createResultState(result: ComparedResult, options: ResultViewOptions): SettledState {
  const { title, zone, toolbarTexts } = options;
  const header = createHeader(result, options);
  const { frame, history, coverage, provenance, missingRange } = result;
  const { tariffs } = customTariffs();
  const queryActions = createQueryOffers();
  if (!frame)
    return {
      view: 'json',
      title,
      tools: { ...toolbarTexts, actions: [...queryActions, ...createOffers('export', 'openInEditor')] },
      header,
      sentence: describeTableProblem(result.problem),
      text: decodeBeginning(result.bodies, maxRawLength + 1),
    };
  if (frame.rowCount === 0) {
    return {
      view: 'empty',
      title,
      tools: { ...toolbarTexts, actions: queryActions },
      header,
      sentence: describeEmptyResult(result, zone),
      actions: createOffers(...listEmptyActions(coverage, missingRange)),
    };
  }
  return {
    view: 'table',
    origin: {
      connection: provenance.connection,
      mark: formatDataMark(provenance) ?? '',
      dates: formatPeriod(provenance, provenance.days ?? zone),
    },
    title,
    tools: {
      ...toolbarTexts,
      actions: [
        ...queryActions,
        ...createEarlierOffer(history),
        ...createOffers(
          ...(countMissing(coverage) + countMissingInCompared(result) > 0 ? (['fetchMissing'] as const) : []),
          ...(result.revisions ? (['showRevisions'] as const) : []),
          ...(options.actions ?? []),
          ...(['export', 'report', 'openInEditor'] as const),
        ),
      ],
    },
    header,
    zone,
    zones: offeredZones(),
    minCoverage: minCoverage(),
    ...(tariffs && { tariffs }),
    interval: provenance.interval,
    start: provenance.start,
    intervalMs: getIntervalMs(provenance.interval),
    frame: localizeFrame(frame),
    ...(history && { history: history.frame }),
    coverage: coverage && localizeCoverage(coverage),
    compared: result.compared ?? [],
  };
}

/** Creates the action that requests the earlier weeks, if some are missing. Its label has the number of requests, if known. */
function createEarlierOffer({ missingRange, requests: price }: Partial<History> = {}): ActionOffer[] {
  if (missingRange === undefined) return [];
  const label = actionLabel('requestEarlier');
  return [
    { action: 'requestEarlier', label: price === undefined ? label : t('{0}: {1}', label, formatRequests(price)) },
  ];
}

function listEmptyActions(
  coverage: Coverage | undefined,
  missingRange: MissingRange | undefined,
): readonly PanelAction[] {
  if (coverage?.notRequested) return [missingRange?.action ?? 'refresh', 'changeQuery'];
  return ['changeQuery', countMissing(coverage) > 0 ? 'fetchMissing' : 'refresh'];
}

export function createOffers(...actions: PanelAction[]): ActionOffer[] {
  return actions.map(action => ({ action, label: actionLabel(action) }));
}

/** Explains why there are no rows: the range is in the future, was not requested, is not published yet, or has no rows at the service. */
function describeEmptyResult({ provenance, coverage, missingRange }: ComparedResult, zone: DisplayZone): string {
  const span = formatSpan(provenance, zone, provenance.nextPublication);
  if (provenance.start >= provenance.nextPublication)
    return t('{0} is in the future. Choose a range that has begun.', span);
  if (coverage && coverage.notRequested > 0) {
    if (!missingRange) return t('No data for {0} in the archive. Run the query to request it.', span);
    const price = formatRequests(missingRange.requests);
    return missingRange.action
      ? t('No data for {0} in the archive. With a key, it takes {1}.', span, price)
      : t('No data for {0} in the archive. Run the query to request it: it takes {1}.', span, price);
  }
  if (coverage && coverage.notPublished === coverage.expected) {
    return t('No data is published for {0} yet. Hours are published after they end.', span);
  }
  const { available_from: first, available_to: last } = getServiceMeta(provenance.meta);
  const [start, end] = [first, last].map(text => (typeof text === 'string' ? parseInstant(text) : undefined));
  if (start !== undefined && end !== undefined && start < end)
    return t('No rows for {0}. The service has rows for {1}.', span, formatSpan({ start, end }, zone));
  return t('The service has no rows for {0}. It may add them later.', span);
}

/** Explains in one sentence why a response is shown as JSON only. */
function describeTableProblem(problem: TableProblem = 'notRecords'): string {
  switch (problem) {
    case 'notRecords':
      return t("The response isn't a table, so only its JSON is shown.");
    case 'tooManyColumns':
      return t('The response has more than {0} columns, so only its JSON is shown.', formatCount(tableLimits.columns));
    case 'tooManyRows':
      return t('The response has more than {0} rows, so only its JSON is shown.', formatCount(tableLimits.rows));
    case 'tooManyCells':
      return t('The response has more than {0} cells, so only its JSON is shown.', formatCount(tableLimits.cells));
    case 'tooManyTexts':
      return t(
        'The response has more than {0} different texts, so only its JSON is shown.',
        formatCount(tableLimits.texts),
      );
    case 'nameTooLong':
      return t(
        'The response has a field name of more than {0} characters, so only its JSON is shown.',
        formatCount(tableLimits.nameLength),
      );
    case 'nestedTooDeep':
      return t(
        'The response is nested more than {0} levels deep, so only its JSON is shown.',
        formatCount(tableLimits.nesting),
      );
    case 'textsTooLong':
      return t(
        'The texts of the response have more than {0} characters, so only its JSON is shown.',
        formatCount(tableLimits.textLength),
      );
    case 'cellTooLong':
      return t(
        'The response has a value of more than {0} characters, so only its JSON is shown.',
        formatCount(tableLimits.cellLength),
      );
    case 'tooSlow':
      return t('The response takes too long to read as a table, so only its JSON is shown. Choose a shorter range.');
    case 'tooLarge':
      return t('The response takes too much memory for a table, so only its JSON is shown. Choose a shorter range.');
  }
}

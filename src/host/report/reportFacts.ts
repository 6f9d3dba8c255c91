import { t } from '@vscode/l10n';
import { createPartError } from '../../core/errors.ts';
import { countRangesInState, findRangesInState } from '../../core/frame/coverage.ts';
import type { ReportPart } from '../../core/report/report.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { findDataset } from '../../core/query/catalogue.ts';
import { getDataMark, formatDataMark, getSandboxData, getServiceMeta } from '../../core/query/serviceMeta.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { type Coverage, intervalState } from '../../shared/result.ts';
import { localizeCoverage, datasetTitle } from '../messages/catalogue.ts';
import { describeFailure } from '../messages/failures.ts';
import { formatCount, intervalName, formatIntervals } from '../messages/numbers.ts';
import { formatZonedInstant, translateRange, formatSpan } from '../messages/times.ts';
import { resolveComparedRanges, type ComparedResult, type MissingRange } from '../panel/comparedRun.ts';
import { formatNotRequested } from '../panel/resultHeader.ts';
import { findOfferedZone } from '../settings.ts';

/** The maximum number of missing ranges that are listed. A number stands for the rest. */
const maxListedRanges = 40;

/** Creates the facts about a result in a report, each with its name: the source of the rows, their coverage and so on. */
export function createReportFacts(result: ComparedResult, displayZone: DisplayZone): ReportPart['facts'] {
  const { provenance, coverage, missingRange } = result;
  const { file, connection, dataset, params, range, interval, timeZone, days, fetchedAt, failure } = provenance;
  const zone = days ?? displayZone;
  const requestedInterval = days ? '1h' : interval;
  const translatedCoverage = coverage && localizeCoverage(coverage);
  const facts: readonly (readonly [string, string | undefined])[] = [
    [file === undefined ? t('Connection') : t('File'), connection],
    [t('Data'), getDataMark(provenance) && describeSampleData(provenance.meta)],
    [t('Dataset'), file === undefined || findDataset(dataset) ? datasetTitle(dataset) : undefined],
    [
      t('Parameters'),
      Object.entries(params)
        .map(([name, value]) => `${name}=${value}`)
        .sort()
        .join(' '),
    ],
    [t('Range'), `${range === file ? '' : `${translateRange(range)}: `}${formatSpan(provenance, zone)}`],
    [t('Time zone of the range'), timeZone && (findOfferedZone(timeZone)?.label ?? timeZone)],
    ...resolveComparedRanges(result).map(
      period => [t('Compared with'), `${period.name}: ${formatSpan(period, zone)}`] as const,
    ),
    [
      t('Interval'),
      days
        ? t('Days of {0}, calculated from hours: an hour counts for the day in which it begins.', days.label)
        : intervalName(interval),
    ],
    [t('Coverage'), translatedCoverage && formatCoverage(translatedCoverage, requestedInterval, missingRange)],
    ...(translatedCoverage?.parts ?? []).map(
      part => [t('Coverage: {0}', part.title), formatCoverage(part.coverage, requestedInterval)] as const,
    ),
    [t('Missing'), translatedCoverage && formatMissing(translatedCoverage, provenance, zone)],
    [t('Not received'), failure && (describeFailure(createPartError(failure))?.sentence ?? failure.reason)],
    [t('Fetched'), fetchedAt === undefined ? undefined : formatZonedInstant(fetchedAt, displayZone)],
  ];
  return facts.flatMap(([name, text]) => (text ? [[name, text] as const] : []));
}

/** Returns the text that marks Sample Data; empty for data of a real service. */
export function getReportMark({ provenance }: ComparedResult): string {
  return formatDataMark(provenance) ?? '';
}

function describeSampleData(meta: Readonly<Record<string, unknown>>): string {
  const { note } = getServiceMeta(meta);
  return getSandboxData(meta) === 'replay' && typeof note === 'string' ? note : t('Not measured on a real grid.');
}

/** Formats the coverage: “164 of 168 hours, 4 missing, 2 not published yet”. */
function formatCoverage(coverage: Coverage, interval: string, missingRange?: MissingRange): string {
  const { present, expected, missing, late, failed, notRequested, notPublished } = coverage.hours?.counts ?? coverage;
  return [
    t('{0} of {1}', formatCount(present), formatIntervals(expected, interval)),
    missing > 0 && t('{0} missing', formatCount(missing)),
    late > 0 && t('{0} late', formatCount(late)),
    failed > 0 && t('{0} failed', formatCount(failed)),
    notRequested > 0 && formatNotRequested(formatCount(notRequested), missingRange),
    notPublished > 0 && t('{0} not published yet', formatCount(notPublished)),
  ]
    .filter(Boolean)
    .join(', ');
}

/** Formats the first missing ranges. Returns undefined if no interval is missing. */
function formatMissing(coverage: Coverage, span: Span, zone: DisplayZone): string | undefined {
  const { states, edges, expected } = coverage;
  const intervalMs = (span.end - span.start) / expected;
  const missing = edges
    ? coverage.missingRanges
    : findRangesInState(states, intervalState.missing, span, intervalMs, maxListedRanges);
  if (missing.length === 0) return undefined;
  const omittedCount = countRangesInState(states, intervalState.missing) - missing.length;
  const listed = missing.map(([start, end]) => formatSpan({ start, end }, zone)).join('; ');
  return omittedCount > 0 ? t('{0}; and {1} more', listed, formatCount(omittedCount)) : listed;
}

import { t } from '@vscode/l10n';
import { errorOf } from '../../core/errors.ts';
import { countIntervals, intervalsOf } from '../../core/frame/coverage.ts';
import type { ReportPart } from '../../core/report/report.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { datasetById } from '../../core/query/catalogue.ts';
import { dataMark, dataText, sandboxData, serviceMeta } from '../../core/query/serviceMeta.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { type Coverage, stepState } from '../../shared/result.ts';
import { describeCoverage, datasetTitle } from '../messages/catalogue.ts';
import { failureWords } from '../messages/failures.ts';
import { count, intervalName, steps } from '../messages/numbers.ts';
import { momentText, rangeWords, spanText } from '../messages/times.ts';
import { periodsComparedWith, type ComparedResult, type Lack } from '../panel/comparedRun.ts';
import { notAskedText } from '../panel/resultHeader.ts';
import { zoneOfPage } from '../settings.ts';

/** The maximum number of missing ranges listed; the others are counted. */
const mostIntervals = 40;

/** Creates the facts of a report by name: the source of the rows and their coverage. Times are in the displayed zone. */
export function reportFacts(result: ComparedResult, shown: DisplayZone): ReportPart['facts'] {
  const { provenance, coverage, lack } = result;
  const { file, connection, dataset, params, range, interval, timeZone, days, fetchedAt, failure } = provenance;
  const zone = days ?? shown;
  const asked = days ? '1h' : interval;
  const known = coverage && describeCoverage(coverage);
  const facts: readonly (readonly [string, string | undefined])[] = [
    [file === undefined ? t('Connection') : t('File'), connection],
    [t('Data'), dataMark(provenance) && sampleText(provenance.meta)],
    [t('Dataset'), file === undefined || datasetById(dataset) ? datasetTitle(dataset) : undefined],
    [
      t('Parameters'),
      Object.entries(params)
        .map(([name, value]) => `${name}=${value}`)
        .sort()
        .join(' '),
    ],
    [t('Range'), `${range === file ? '' : `${rangeWords(range)}: `}${spanText(provenance, zone)}`],
    [t('Time zone of the range'), timeZone && (zoneOfPage(timeZone)?.label ?? timeZone)],
    ...periodsComparedWith(result).map(
      period => [t('Compared with'), `${period.name}: ${spanText(period, zone)}`] as const,
    ),
    [
      t('Interval'),
      days
        ? t('Days of {0}, made from hours: an hour counts for the day in which it begins.', days.label)
        : intervalName(interval),
    ],
    [t('Coverage'), known && coverageText(known, asked, lack)],
    ...(known?.parts ?? []).map(part => [t('Coverage: {0}', part.title), coverageText(part.coverage, asked)] as const),
    [t('Missing'), known && missingText(known, provenance, zone)],
    [t('Not received'), failure && (failureWords(errorOf(failure))?.sentence ?? failure.reason)],
    [t('Fetched'), fetchedAt === undefined ? undefined : momentText(fetchedAt, shown)],
  ];
  return facts.flatMap(([name, text]) => (text ? [[name, text] as const] : []));
}

/** Returns the text that marks Sample Data; empty for data of a real service. */
export function reportMark({ provenance }: ComparedResult): string {
  return dataText(provenance) ?? '';
}

function sampleText(meta: Readonly<Record<string, unknown>>): string {
  const { note } = serviceMeta(meta);
  return sandboxData(meta) === 'replay' && typeof note === 'string' ? note : t('Not measured on a real grid.');
}

/** Formats the coverage: “164 of 168 hours, 4 missing, 2 not published yet”. */
function coverageText(coverage: Coverage, interval: string, lack?: Lack): string {
  const { present, expected, missing, late, failed, notAsked, notPublished } = coverage.hours?.counts ?? coverage;
  return [
    t('{0} of {1}', count(present), steps(expected, interval)),
    missing > 0 && t('{0} missing', count(missing)),
    late > 0 && t('{0} late', count(late)),
    failed > 0 && t('{0} failed', count(failed)),
    notAsked > 0 && notAskedText(count(notAsked), lack),
    notPublished > 0 && t('{0} not published yet', count(notPublished)),
  ]
    .filter(Boolean)
    .join(', ');
}

/** Formats the first missing ranges; undefined if no interval is missing. */
function missingText(coverage: Coverage, span: Span, zone: DisplayZone): string | undefined {
  const { states, edges, expected } = coverage;
  const stepMs = (span.end - span.start) / expected;
  const missing = edges
    ? coverage.missingStretches
    : intervalsOf(states, stepState.missing, span, stepMs, mostIntervals);
  if (missing.length === 0) return undefined;
  const more = countIntervals(states, stepState.missing) - missing.length;
  const listed = missing.map(([start, end]) => spanText({ start, end }, zone)).join('; ');
  return more > 0 ? t('{0}; and {1} more', listed, count(more)) : listed;
}

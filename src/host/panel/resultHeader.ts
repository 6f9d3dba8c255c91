import { hasSubMillisecondTimes } from '../../core/frame/clip.ts';
import { t } from '@vscode/l10n';
import { createPartError } from '../../core/errors.ts';
import { getIntervalMs } from '../../core/query/catalogue.ts';
import { getDataMark, formatDataMark, getSandboxData, getServiceMeta } from '../../core/query/serviceMeta.ts';
import { parseInstant } from '../../core/time/instant.ts';
import { formatShortZone, utc } from '../../core/time/zone.ts';
import { dayMs } from '../../shared/durations.ts';
import { createIntervalShape } from '../../shared/formatTime.ts';
import type { DisplayZone, HeaderPart } from '../../shared/protocol.ts';
import {
  partialDay,
  getDisplayStates,
  getIntervalStart,
  type Coverage,
  type DatasetCoverage,
  type Provenance,
  type Result,
  type Revisions,
} from '../../shared/result.ts';
import { sampleDataName } from '../connections/connectionMessages.ts';
import { prefixDatasetTitle, datasetTitle, localizeCoverage } from '../messages/catalogue.ts';
import { describeFailure } from '../messages/failures.ts';
import { formatCount, intervalName, formatRequests, formatRows, formatIntervals } from '../messages/numbers.ts';
import {
  formatZonedInstant,
  formatPeriod,
  reachesToNow,
  formatShortInstant,
  formatSpan,
  formatRowTime,
  translateRange,
} from '../messages/times.ts';
import { createJoinedPart } from '../messages/joined.ts';
import { resolveComparedRanges, type ComparedRange, type ComparedResult, type MissingRange } from './comparedRun.ts';

/** The maximum number of days listed in a tooltip. */
const maxListed = 10;

/** The contents of the header line that do not come from the result. */
export interface HeaderContext {
  readonly zone: DisplayZone;
  /** The time zone of the query's days, if it differs from the displayed zone or the setting. */
  readonly daysZone?: DisplayZone | undefined;
  /** Why there is no newer result. */
  readonly notRefreshed?: string | undefined;
  /** A sentence about something that ended without the user's request, such as a comparison. */
  readonly notice?: string | undefined;
}

/** Creates the header: connection, dataset, range, interval, rows, requests spent, and warnings such as sample data and gaps. */
export function createHeader(
  result: ComparedResult,
  { zone, daysZone, notRefreshed, notice }: HeaderContext,
): HeaderPart[] {
  const { provenance, frame, comparedRange, missingRange } = result;
  const coverage = result.coverage && localizeCoverage(result.coverage);
  const joined = coverage?.parts;
  const sample = sampleDataPart(provenance);
  // The connection of Sample Data usually has the same name.
  const parts: HeaderPart[] =
    sample?.text === provenance.connection
      ? [sample]
      : [{ text: provenance.connection, tooltip: t('Connection'), spare: 2 }, ...(sample ? [sample] : [])];
  // The dataset is hidden first when space is short, because the title and the toolbar show it too.
  parts.push({ text: datasetTitle(provenance.dataset), tooltip: formatParams(provenance), spare: 5 });
  parts.push({
    text: formatSpan(provenance, provenance.days ?? zone, provenance.nextPublication),
    tooltip: t('Requested range: {0}. The end is exclusive.', translateRange(provenance.range)),
    spare: 1,
  });
  if (daysZone) parts.push(daysPart(daysZone));
  parts.push(...createUnfinishedDayParts(provenance), createIntervalPart(provenance, zone));
  if (comparedRange)
    parts.push(createComparisonPart(resolveComparedRanges(result), provenance, provenance.days ?? zone));
  parts.push(...(result.joined ?? []).map(createJoinedPart));
  if (notice) parts.push({ text: notice, tone: 'warning' });
  if (frame)
    parts.push(createRowsPart(frame.rowCount, joined ? undefined : coverage, provenance, provenance.days ?? zone));
  parts.push(...createIncompleteParts(joined ?? [], provenance, provenance.days ?? zone));
  if (coverage) parts.push(...createPartialDayParts(coverage, provenance, provenance.days ?? utc));
  if (result.revisions) parts.push(createRevisionsPart(result.revisions, provenance, zone));
  const notRequested = coverage ? getRequestedCounts(coverage).notRequested : 0;
  if (notRequested > 0) {
    parts.push({
      text: formatNotRequested(formatIntervals(notRequested, getRequestedInterval(provenance)), missingRange),
      tooltip: t("Not in the archive and not requested. 'Fetch Missing' requests them."),
      tone: 'warning',
      ...(missingRange?.action && { action: missingRange.action }),
    });
  }
  if (frame && hasSubMillisecondTimes(frame)) parts.push(truncatedTimesPart());
  const delayPart = createDelayPart(provenance, zone);
  if (delayPart) parts.push(delayPart);
  if (provenance.incomplete) {
    parts.push({
      text: t('more rows available'),
      tooltip: t('The service has more rows at an address that is not followed. Choose a shorter range.'),
      tone: 'warning',
    });
  }
  const failurePart = createFailurePart(result, zone);
  if (failurePart) parts.push(failurePart);
  parts.push(createSourcePart(provenance, zone));
  if (notRefreshed) parts.push({ text: t('not refreshed'), tooltip: notRefreshed, tone: 'warning' });
  return parts;
}

/** Warns that times were truncated, because instants are stored as milliseconds. */
export function truncatedTimesPart(): HeaderPart {
  const tooltip = t(
    'Some times have more than three decimals of a second. Rows are sorted, joined and compared to the millisecond; exports keep all digits.',
  );
  return { text: t('times cut to milliseconds'), tooltip, tone: 'warning' };
}

/** Formats a text such as “24 hours not requested: 1 request”. */
export function formatNotRequested(counted: string, missingRange: MissingRange | undefined): string {
  const text = t('{0} not requested', counted);
  return missingRange ? t('{0}: {1}', text, formatRequests(missingRange.requests)) : text;
}

/** Creates “compared with previous period: 26 Apr – 2 May 2026 UTC”, with the number of missing rows and of further periods. */
function createComparisonPart(
  periods: readonly ComparedRange[],
  query: Pick<Provenance, 'interval' | 'days'>,
  zone: DisplayZone,
): HeaderPart {
  const [first, ...further] = periods.map(period => formatPeriod(period, zone));
  const text =
    further.length > 0
      ? t('compared with {0} and {1} more', first ?? '', further.length)
      : t('compared with {0}: {1}', periods[0]?.name ?? '', first ?? '');
  const tooltip = periods
    .map(period => t('The other range: {0}. The end is exclusive.', `${formatSpan(period, zone)} (${period.range})`))
    .join('\n');
  const missing = periods.reduce((sum, { coverage }) => sum + countMissing(coverage), 0);
  if (missing === 0) return { text, tooltip };
  return {
    text: t('{0}, {1} without a row there', text, formatIntervals(missing, getRequestedInterval(query))),
    tooltip,
    tone: 'warning',
  };
}

/** Counts the hours without a row in the compared periods, leaving out files, which cannot be requested. */
export function countMissingInCompared(result: ComparedResult): number {
  const ranges = resolveComparedRanges(result).filter(({ isFile }) => !isFile);
  return ranges.reduce((sum, { coverage }) => sum + countMissing(coverage), 0);
}

function createRevisionsPart(revisions: Revisions, provenance: Provenance, zone: DisplayZone): HeaderPart {
  const tooltip = t('Compare the previous and current values of these rows');
  return { text: describeRevisions(revisions, provenance, zone), tooltip, action: 'showRevisions' };
}

/** Formats a text such as “3 hours revised, 1 withdrawn since 21 Nov 08:05 UTC”. */
export function describeRevisions(
  { revised, withdrawn, since }: Revisions,
  { fetchedAt = since, ...query }: Pick<Provenance, 'interval' | 'days' | 'fetchedAt'>,
  zone: DisplayZone,
): string {
  const interval = getRequestedInterval(query);
  const sinceText = formatShortInstant(since, zone, fetchedAt);
  if (withdrawn === 0) return t('{0} revised since {1}', formatIntervals(revised, interval), sinceText);
  if (revised === 0) return t('{0} withdrawn since {1}', formatIntervals(withdrawn, interval), sinceText);
  return t(
    '{0} revised, {1} withdrawn since {2}',
    formatIntervals(revised, interval),
    formatCount(withdrawn),
    sinceText,
  );
}

/** Creates the part for delayed data: the service reports that its last row is not current, which is not an error. */
function createDelayPart({ meta }: Provenance, zone: DisplayZone): HeaderPart | undefined {
  const { data_delay: isLate, last_available: last } = getServiceMeta(meta);
  if (isLate !== true) return undefined;
  const since = typeof last === 'string' ? parseInstant(last) : undefined;
  const text = since === undefined ? t('data delayed') : t('data delayed; latest {0}', formatZonedInstant(since, zone));
  return { text, tooltip: t('Reported by the service. It adds the hours when it has them.') };
}

/** Creates the part for hours that could not be fetched or refreshed, with the reason. */
function createFailurePart({ provenance, coverage }: Result, zone: DisplayZone): HeaderPart | undefined {
  const { failure, oldestFetchedAt } = provenance;
  if (!failure) return undefined;
  const reason = describeFailure(createPartError(failure))?.sentence ?? failure.reason;
  const failedRanges = failure.ranges.map(([start, end]) => formatSpan({ start, end }, zone)).join(', ');
  const tooltip = `${failedRanges}: ${prefixDatasetTitle(failure.dataset, reason)}`;
  const failedCount = coverage ? getRequestedCounts(coverage).failed : 0;
  const failedText = prefixDatasetTitle(
    failure.dataset,
    t('{0} failed', formatIntervals(failedCount, getRequestedInterval(provenance))),
  );
  if (failedCount > 0) return { text: failedText, tooltip, tone: 'warning' };
  // No hour of this period failed, so the compared period did.
  const text =
    oldestFetchedAt === undefined ? t('comparison failed') : t('as of {0}', formatZonedInstant(oldestFetchedAt, zone));
  return { text, tooltip, tone: 'warning' };
}

/** Creates “1 request, 144 hours from archive”; the tooltip has the time of the fetch and of the next publication. */
function createSourcePart(provenance: Provenance, zone: DisplayZone): HeaderPart {
  const { requestsSpent, archivedIntervals, fetchedAt, nextPublication } = provenance;
  const archived = formatIntervals(archivedIntervals, getRequestedInterval(provenance));
  const text =
    archivedIntervals > 0
      ? t('{0}, {1} from archive', formatRequests(requestsSpent), archived)
      : formatRequests(requestsSpent);
  const fetched =
    fetchedAt === undefined ? t('Never fetched.') : t('Fetched {0}.', formatZonedInstant(fetchedAt, zone));
  const next = t('The next publication is about {0}.', formatZonedInstant(nextPublication, zone));
  return { text, tooltip: `${fetched} ${next}`, spare: 3 };
}

/** Creates “744 rows”, or “164 of 168 hours, 4 missing” if intervals have no row. */
function createRowsPart(
  rowCount: number,
  coverage: Coverage | undefined,
  { rowsOutside, interval, ...provenance }: Provenance,
  zone: DisplayZone,
): HeaderPart {
  const outside = rowsOutside > 0 ? [t('{0} outside the range omitted.', formatRows(rowsOutside))] : [];
  if (!coverage || rowCount === 0) return { text: formatRows(rowCount), tooltip: outside.join(' ') };
  const { expected, present, missing, notPublished } = coverage;
  const tooltip = [...outside, ...(missing > 0 ? [createMissingTooltip(coverage, zone)] : [])].join(' ');
  if (present === expected && rowCount === present) return { text: formatRows(rowCount), tooltip };
  const text = [
    // Some intervals have several rows, or rows lie in no interval.
    ...(rowCount === present ? [] : [formatRows(rowCount)]),
    t('{0} of {1}', formatCount(present), formatIntervals(expected, interval)),
    ...(missing > 0 ? [formatMissing(coverage, provenance.start, getIntervalMs(interval), zone)] : []),
    ...(notPublished > 0 ? [t('{0} not published yet', formatCount(notPublished))] : []),
  ].join(', ');
  return { text, tooltip, ...(missing > 0 && { tone: 'warning' as const }) };
}

/** Creates a part for each joined dataset or source that is incomplete: “Grid stress: 160 of 168 hours, 8 missing”. */
function createIncompleteParts(
  parts: readonly DatasetCoverage[],
  provenance: Provenance,
  zone: DisplayZone,
): HeaderPart[] {
  return parts.flatMap(({ title, coverage, isSource }) => {
    // Failed hours have their own part.
    if (coverage.present + coverage.failed === coverage.expected) return [];
    const part = createRowsPart(coverage.present, coverage, { ...provenance, rowsOutside: 0 }, zone);
    const tooltip = isSource && { tooltip: listMissingRanges(coverage, zone) };
    return [{ ...part, text: t('{0}: {1}', title, part.text), ...tooltip }];
  });
}

/** Creates the part that marks Sample Data and replayed hours; the tooltip has their file. */
export function sampleDataPart(provenance: Provenance): HeaderPart | undefined {
  if (getDataMark(provenance) === undefined) return undefined;
  const { meta } = provenance;
  const { note } = getServiceMeta(meta);
  if (getSandboxData(meta) !== 'replay')
    return { text: sampleDataName(), tone: 'warning', tooltip: t('Not measured on a real grid.') };
  const isMoved = /; its times are moved /.test(String(getServiceMeta(meta)['replayed_from']));
  return {
    text: isMoved ? t('Replayed Hours, Shifted in Time') : t('Replayed Hours'),
    tone: 'warning',
    tooltip: typeof note === 'string' ? note : (formatDataMark(provenance) ?? ''),
  };
}

/** Formats “1 missing: 3 May 02:00” or “23 missing”; the tooltip has the times of several. */
function formatMissing(coverage: Coverage, start: number, intervalMs: number | undefined, zone: DisplayZone): string {
  const { missingRanges, missing, expected } = coverage;
  const [first] = missingRanges;
  if (missing !== 1 || !first || intervalMs === undefined) return t('{0} missing', formatCount(missing));
  return t(
    '{0} missing: {1}',
    formatCount(missing),
    formatRowTime(first[0], zone, createIntervalShape(start, intervalMs, expected, coverage.edges)),
  );
}

/** Creates “days of UTC”: the time zone of the days and months in the range. */
export function daysPart(zone: DisplayZone): HeaderPart {
  const tooltip = t(
    'This range uses the days and months of {0}. A new range uses those of the zone shown. Click to choose one.',
    zone.label,
  );
  return { text: t('days of {0}', formatShortZone(zone)), tooltip, action: 'chooseRange' };
}

function formatParams({ params, dataset }: Provenance): string {
  const extra = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return [dataset, ...extra].join(' ');
}

function createMissingTooltip(coverage: Coverage, zone: DisplayZone): string {
  return t("No rows received for {0}. 'Fetch Missing' requests them again.", listMissingRanges(coverage, zone));
}

function listMissingRanges({ missingRanges, missing }: Coverage, zone: DisplayZone): string {
  const ranges = missingRanges.map(([start, end]) => formatSpan({ start, end }, zone));
  return ranges.join(', ') + (missingRanges.length < missing ? '…' : '');
}

/** Counts the past intervals without a row, which the service may have by now. Days made from hours are counted in hours. */
export function countMissing(coverage: Coverage | undefined): number {
  if (!coverage) return 0;
  const { missing, late, failed, notRequested } = getRequestedCounts(coverage);
  return missing + late + failed + notRequested;
}

/** Returns the counts of the requested intervals, which are hours for days that are made from hours. */
function getRequestedCounts(coverage: Coverage): Omit<Coverage, 'states' | 'archived' | 'missingRanges'> {
  return coverage.hours?.counts ?? coverage;
}

/** Returns the interval that was requested, which is hours for days that are made from hours. */
function getRequestedInterval({ interval, days }: Pick<Provenance, 'interval' | 'days'>): string {
  return days ? '1h' : interval;
}

/** Creates the part for the interval. For days, the tooltip has their time zone and whether they are made from hours. */
function createIntervalPart({ interval, days }: Provenance, zone: DisplayZone): HeaderPart {
  const text = intervalName(interval);
  const description = t('Interval: {0}. Times are the beginning of each.', interval);
  if (!days) {
    const utcDays = t("These are the service's own days, which are days of UTC.");
    return { text, tooltip: interval === '1d' ? `${description} ${utcDays}` : description, spare: 4 };
  }
  const daysFromHours = t(
    'Days of {0}, calculated from hours: an hour counts for the day in which it begins.',
    days.label,
  );
  // Never hidden (no `spare`) if another zone is displayed, so that nobody takes the days for days of that zone.
  if (days.timeZone === zone.timeZone) return { text, tooltip: `${description} ${daysFromHours}`, spare: 4 };
  return { text, tooltip: `${description} ${daysFromHours} ${t('They stay the same when another zone is shown.')}` };
}

/** Creates “without 23 Nov, which has not ended”, if a range of the service's days reaches the present. */
function createUnfinishedDayParts({ interval, days, range, end, nextPublication }: Provenance): HeaderPart[] {
  if (interval !== '1d' || days || end >= nextPublication || !reachesToNow(range)) return [];
  const day = formatRowTime(end, utc, createIntervalShape(end, dayMs, 1));
  const tooltip = t(
    'The service publishes a day after it ends in UTC. For this day, use hourly values, or days calculated from hours, such as 1d@UTC.',
  );
  return [{ text: t('without {0}, which has not ended', day), tooltip }];
}

/** Creates “3 May: 14 of 24 h”, or the number of partial days. It is a warning unless only the present day is partial. */
function createPartialDayParts(
  coverage: Coverage,
  { start, nextPublication }: Provenance,
  zone: DisplayZone,
): HeaderPart[] {
  const { hours, expected } = coverage;
  if (!hours) return [];
  const states = getDisplayStates(coverage);
  const days = Array.from(states.keys()).filter(day => states[day] === partialDay);
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined) return [];
  const shape = createIntervalShape(start, dayMs, expected, coverage.edges);
  const formatHours = (day: number): string => {
    const dayText = formatRowTime(getIntervalStart(coverage, start, dayMs, day), zone, shape);
    return t('{0}: {1} of {2} h', dayText, hours.present[day] ?? 0, hours.expected[day] ?? 0);
  };
  const isUnfinished =
    last === first && getIntervalStart(coverage, start, dayMs, last + 1) > nextPublication - dayMs / 24;
  const listed = days.slice(0, maxListed).map(formatHours).join(', ') + (days.length > maxListed ? ' …' : '');
  const text =
    days.length === 1 ? formatHours(first) : t('{0} days with some of their hours', formatCount(days.length));
  const tooltip = t('Available hours: {0}.', listed);
  const isMissing = hours.counts ? countMissing(coverage) > 0 : !isUnfinished;
  return [{ text, tooltip, ...(isMissing && { tone: 'warning' as const }) }];
}

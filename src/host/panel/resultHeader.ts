import { cutsSeconds } from '../../core/frame/clip.ts';
import { t } from '@vscode/l10n';
import { errorOf } from '../../core/errors.ts';
import { stepOf } from '../../core/query/catalogue.ts';
import { dataMark, dataText, sandboxData, serviceMeta } from '../../core/query/serviceMeta.ts';
import { parseInstant } from '../../core/time/instant.ts';
import { shortZone, utc } from '../../core/time/zone.ts';
import { dayMs } from '../../shared/durations.ts';
import { stepShape } from '../../shared/formatTime.ts';
import type { DisplayZone, HeaderPart } from '../../shared/protocol.ts';
import {
  partialDay,
  shownStates,
  stepStart,
  type Coverage,
  type PartCoverage,
  type Provenance,
  type Result,
  type Revisions,
} from '../../shared/result.ts';
import { sampleDataName } from '../connections/connectionMessages.ts';
import { aboutDataset, datasetTitle, describeCoverage } from '../messages/catalogue.ts';
import { failureWords } from '../messages/failures.ts';
import { count, intervalName, requests, rows, steps } from '../messages/numbers.ts';
import {
  momentText,
  periodText,
  reachesToNow,
  shortMomentText,
  spanText,
  stepText,
  rangeWords,
} from '../messages/times.ts';
import { periodsComparedWith, type Against, type ComparedResult, type Lack } from './comparedRun.ts';

/** The maximum number of days listed in a tooltip. */
const mostListed = 10;

/** What the header line shows in addition to the result. */
export interface HeaderContext {
  readonly zone: DisplayZone;
  /** The time zone of the query's days, if it differs from the displayed zone or the setting. */
  readonly different?: DisplayZone | undefined;
  /** Why there is no newer result. */
  readonly notRefreshed?: string | undefined;
  /** A sentence about something that ended without the person's request, such as a comparison. */
  readonly notice?: string | undefined;
}

/** Creates the header: connection, dataset, range, interval, rows, requests spent, and warnings such as sample data and gaps. */
export function headerOf(
  result: ComparedResult,
  { zone, different, notRefreshed, notice }: HeaderContext,
): HeaderPart[] {
  const { provenance, frame, against, lack } = result;
  const coverage = result.coverage && describeCoverage(result.coverage);
  const joined = coverage?.parts;
  const sample = sampleNote(provenance);
  // The connection of Sample Data usually has the same name.
  const parts: HeaderPart[] =
    sample?.text === provenance.connection
      ? [sample]
      : [{ text: provenance.connection, tooltip: t('Connection'), spare: 2 }, ...(sample ? [sample] : [])];
  // Hidden first when space is short, because the title and the toolbar show it too.
  parts.push({ text: datasetTitle(provenance.dataset), tooltip: paramsText(provenance), spare: 5 });
  parts.push({
    text: spanText(provenance, provenance.days ?? zone, provenance.nextPublication),
    tooltip: t('Requested range: {0}. The end is exclusive.', rangeWords(provenance.range)),
    spare: 1,
  });
  if (different) parts.push(daysPart(different));
  parts.push(...unfinishedDayParts(provenance), intervalPart(provenance, zone));
  if (against) parts.push(againstPart(periodsComparedWith(result), provenance, provenance.days ?? zone));
  if (notice) parts.push({ text: notice, tone: 'warning' });
  if (frame) parts.push(rowsPart(frame.rowCount, joined ? undefined : coverage, provenance, provenance.days ?? zone));
  parts.push(...lackingParts(joined ?? [], provenance, provenance.days ?? zone));
  if (coverage) parts.push(...partialDayParts(coverage, provenance, provenance.days ?? utc));
  if (result.revisions) parts.push(revisionsPart(result.revisions, provenance, zone));
  const notAsked = coverage ? countedIn(coverage).notAsked : 0;
  if (notAsked > 0) {
    parts.push({
      text: notAskedText(steps(notAsked, askedAs(provenance)), lack),
      tooltip: t("Not in the archive and not requested. 'Fetch Missing' requests them."),
      tone: 'warning',
      ...(lack?.action && { action: lack.action }),
    });
  }
  if (frame && cutsSeconds(frame)) parts.push(cutSecondsPart());
  const late = latePart(provenance, zone);
  if (late) parts.push(late);
  if (provenance.incomplete) {
    parts.push({
      text: t('more rows available'),
      tooltip: t('The service has more rows at an address that is not followed. Choose a shorter range.'),
      tone: 'warning',
    });
  }
  const failed = failedPart(result, zone);
  if (failed) parts.push(failed);
  parts.push(sourcePart(provenance, zone));
  if (notRefreshed) parts.push({ text: t('not refreshed'), tooltip: notRefreshed, tone: 'warning' });
  return parts;
}

/** Warns that times were truncated, because instants are stored as milliseconds. */
export function cutSecondsPart(): HeaderPart {
  const tooltip = t(
    'Some times have more than three decimals of a second. Rows are sorted, joined and compared to the millisecond; exports keep all digits.',
  );
  return { text: t('times cut to milliseconds'), tooltip, tone: 'warning' };
}

/** Formats a text such as “24 hours not requested: 1 request”. */
export function notAskedText(counted: string, lack: Lack | undefined): string {
  const text = t('{0} not requested', counted);
  return lack ? t('{0}: {1}', text, requests(lack.requests)) : text;
}

/** Creates “compared with previous period: 26 Apr – 2 May 2026 UTC”, with the number of missing rows and of further periods. */
function againstPart(
  periods: readonly Against[],
  asked: Pick<Provenance, 'interval' | 'days'>,
  zone: DisplayZone,
): HeaderPart {
  const [first, ...further] = periods.map(period => periodText(period, zone));
  const text =
    further.length > 0
      ? t('compared with {0} and {1} more', first ?? '', further.length)
      : t('compared with {0}: {1}', periods[0]?.name ?? '', first ?? '');
  const tooltip = periods
    .map(period => t('The other range: {0}. The end is exclusive.', `${spanText(period, zone)} (${period.range})`))
    .join('\n');
  const lacking = periods.reduce((sum, { coverage }) => sum + withoutRow(coverage), 0);
  if (lacking === 0) return { text, tooltip };
  return { text: t('{0}, {1} without a row there', text, steps(lacking, askedAs(asked))), tooltip, tone: 'warning' };
}

/** Counts the hours without a row in the compared periods, leaving out files, which cannot be requested. */
export function lackingThere(result: ComparedResult): number {
  const asked = periodsComparedWith(result).filter(({ isFile }) => !isFile);
  return asked.reduce((sum, { coverage }) => sum + withoutRow(coverage), 0);
}

function revisionsPart(revisions: Revisions, provenance: Provenance, zone: DisplayZone): HeaderPart {
  const tooltip = t('Compare the previous and current values of these rows');
  return { text: revisionsText(revisions, provenance, zone), tooltip, action: 'showRevisions' };
}

/** Formats a text such as “3 hours revised, 1 withdrawn since 21 Nov 08:05 UTC”. */
export function revisionsText(
  { revised, withdrawn, since }: Revisions,
  { fetchedAt = since, ...asked }: Pick<Provenance, 'interval' | 'days' | 'fetchedAt'>,
  zone: DisplayZone,
): string {
  const interval = askedAs(asked);
  const then = shortMomentText(since, zone, fetchedAt);
  if (withdrawn === 0) return t('{0} revised since {1}', steps(revised, interval), then);
  if (revised === 0) return t('{0} withdrawn since {1}', steps(withdrawn, interval), then);
  return t('{0} revised, {1} withdrawn since {2}', steps(revised, interval), count(withdrawn), then);
}

/** Creates the part for delayed data: the service reports that its last row is not current, which is not an error. */
function latePart({ meta }: Provenance, zone: DisplayZone): HeaderPart | undefined {
  const { data_delay: isLate, last_available: last } = serviceMeta(meta);
  if (isLate !== true) return undefined;
  const since = typeof last === 'string' ? parseInstant(last) : undefined;
  const text = since === undefined ? t('data delayed') : t('data delayed; latest {0}', momentText(since, zone));
  return { text, tooltip: t('Reported by the service. It adds the hours when it has them.') };
}

/** Creates the part for hours that could not be fetched or refreshed, with the reason. */
function failedPart({ provenance, coverage }: Result, zone: DisplayZone): HeaderPart | undefined {
  const { failure, keptSince } = provenance;
  if (!failure) return undefined;
  const why = failureWords(errorOf(failure))?.sentence ?? failure.reason;
  const stretches = failure.stretches.map(([start, end]) => spanText({ start, end }, zone)).join(', ');
  const tooltip = `${stretches}: ${aboutDataset(failure.dataset, why)}`;
  const failed = coverage ? countedIn(coverage).failed : 0;
  const failedText = aboutDataset(failure.dataset, t('{0} failed', steps(failed, askedAs(provenance))));
  if (failed > 0) return { text: failedText, tooltip, tone: 'warning' };
  // No hour of this period failed, so the compared period did.
  const text = keptSince === undefined ? t('comparison failed') : t('as of {0}', momentText(keptSince, zone));
  return { text, tooltip, tone: 'warning' };
}

/** Creates “1 request, 144 hours from archive”; the tooltip has the time of the fetch and of the next publication. */
function sourcePart(provenance: Provenance, zone: DisplayZone): HeaderPart {
  const { requestsSpent, stepsKept, fetchedAt, nextPublication } = provenance;
  const archived = steps(stepsKept, askedAs(provenance));
  const text = stepsKept > 0 ? t('{0}, {1} from archive', requests(requestsSpent), archived) : requests(requestsSpent);
  const fetched = fetchedAt === undefined ? t('Never fetched.') : t('Fetched {0}.', momentText(fetchedAt, zone));
  const next = t('The next publication is about {0}.', momentText(nextPublication, zone));
  return { text, tooltip: `${fetched} ${next}`, spare: 3 };
}

/** Creates “744 rows”, or “164 of 168 hours, 4 missing” if intervals have no row. */
function rowsPart(
  rowCount: number,
  coverage: Coverage | undefined,
  { rowsOutside, interval, ...asked }: Provenance,
  zone: DisplayZone,
): HeaderPart {
  const outside = rowsOutside > 0 ? [t('{0} outside the range omitted.', rows(rowsOutside))] : [];
  if (!coverage || rowCount === 0) return { text: rows(rowCount), tooltip: outside.join(' ') };
  const { expected, present, missing, notPublished } = coverage;
  const tooltip = [...outside, ...(missing > 0 ? [missingText(coverage, zone)] : [])].join(' ');
  if (present === expected && rowCount === present) return { text: rows(rowCount), tooltip };
  const text = [
    // Some intervals have several rows, or rows lie in no interval.
    ...(rowCount === present ? [] : [rows(rowCount)]),
    t('{0} of {1}', count(present), steps(expected, interval)),
    ...(missing > 0 ? [missingWords(coverage, asked.start, stepOf(interval), zone)] : []),
    ...(notPublished > 0 ? [t('{0} not published yet', count(notPublished))] : []),
  ].join(', ');
  return { text, tooltip, ...(missing > 0 && { tone: 'warning' as const }) };
}

/** Creates a part for each joined dataset that is incomplete: “Grid stress: 160 of 168 hours, 8 missing”. */
function lackingParts(parts: readonly PartCoverage[], provenance: Provenance, zone: DisplayZone): HeaderPart[] {
  return parts.flatMap(({ title, coverage }) => {
    // Failed hours have their own part.
    if (coverage.present + coverage.failed === coverage.expected) return [];
    const part = rowsPart(coverage.present, coverage, { ...provenance, rowsOutside: 0 }, zone);
    return [{ ...part, text: t('{0}: {1}', title, part.text) }];
  });
}

/** Creates the part that marks Sample Data and replayed hours; the tooltip has their file. */
export function sampleNote(provenance: Provenance): HeaderPart | undefined {
  if (dataMark(provenance) === undefined) return undefined;
  const { meta } = provenance;
  const { note } = serviceMeta(meta);
  if (sandboxData(meta) !== 'replay')
    return { text: sampleDataName(), tone: 'warning', tooltip: t('Not measured on a real grid.') };
  const isMoved = /; its times are moved /.test(String(serviceMeta(meta)['replayed_from']));
  return {
    text: isMoved ? t('Replayed Hours, Moved in Time') : t('Replayed Hours'),
    tone: 'warning',
    tooltip: typeof note === 'string' ? note : (dataText(provenance) ?? ''),
  };
}

/** Formats “1 missing: 3 May 02:00” or “23 missing”; the tooltip has the times of several. */
function missingWords(coverage: Coverage, start: number, stepMs: number | undefined, zone: DisplayZone): string {
  const { missingStretches, missing, expected } = coverage;
  const [first] = missingStretches;
  if (missing !== 1 || !first || stepMs === undefined) return t('{0} missing', count(missing));
  return t(
    '{0} missing: {1}',
    count(missing),
    stepText(first[0], zone, stepShape(start, stepMs, expected, coverage.edges)),
  );
}

/** Creates “days of UTC”: the time zone of the days and months in the range. */
export function daysPart(zone: DisplayZone): HeaderPart {
  const tooltip = t(
    'The range has the days and months of {0}. One that you choose from now on has those of the zone shown. Click to choose one.',
    zone.label,
  );
  return { text: t('days of {0}', shortZone(zone)), tooltip, action: 'chooseRange' };
}

function paramsText({ params, dataset }: Provenance): string {
  const extra = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return [dataset, ...extra].join(' ');
}

function missingText(coverage: Coverage, zone: DisplayZone): string {
  const shown = coverage.missingStretches.map(([start, end]) => spanText({ start, end }, zone));
  const counted = coverage.missingStretches.length < coverage.missing ? '…' : '';
  return t("No rows received for {0}. 'Fetch Missing' requests them again.", shown.join(', ') + counted);
}

/** Counts the past intervals without a row, which the service may have by now. Days made from hours are counted in hours. */
export function withoutRow(coverage: Coverage | undefined): number {
  if (!coverage) return 0;
  const { missing, late, failed, notAsked } = countedIn(coverage);
  return missing + late + failed + notAsked;
}

/** Returns the counts of the requested intervals, which are hours for days that are made from hours. */
function countedIn(coverage: Coverage): Omit<Coverage, 'states' | 'archived' | 'missingStretches'> {
  return coverage.hours?.counts ?? coverage;
}

/** Returns the interval that was requested, which is hours for days that are made from hours. */
function askedAs({ interval, days }: Pick<Provenance, 'interval' | 'days'>): string {
  return days ? '1h' : interval;
}

/** Creates the part for the interval. For days, the tooltip has their time zone and whether they are made from hours. */
function intervalPart({ interval, days }: Provenance, zone: DisplayZone): HeaderPart {
  const text = intervalName(interval);
  const asked = t('Interval: {0}. Times are the beginning of each.', interval);
  if (!days) {
    const own = t("These are the service's own days, which are days of UTC.");
    return { text, tooltip: interval === '1d' ? `${asked} ${own}` : asked, spare: 4 };
  }
  const made = t('Days of {0}, made from hours: an hour counts for the day in which it begins.', days.label);
  // Never hidden (no `spare`) if another zone is displayed, so that nobody takes the days for days of that zone.
  if (days.timeZone === zone.timeZone) return { text, tooltip: `${asked} ${made}`, spare: 4 };
  return { text, tooltip: `${asked} ${made} ${t('They stay the same when another zone is shown.')}` };
}

/** Creates “without 23 Nov, which has not ended”, if a range of the service's days reaches the present. */
function unfinishedDayParts({ interval, days, range, end, nextPublication }: Provenance): HeaderPart[] {
  if (interval !== '1d' || days || end >= nextPublication || !reachesToNow(range)) return [];
  const day = stepText(end, utc, stepShape(end, dayMs, 1));
  const tooltip = t(
    'The service publishes a day after it ends in UTC. For this day, use hourly values, or days made from hours such as 1d@UTC.',
  );
  return [{ text: t('without {0}, which has not ended', day), tooltip }];
}

/** Creates “3 May: 14 of 24 h”, or the number of partial days. It is a warning unless only the present day is partial. */
function partialDayParts(coverage: Coverage, { start, nextPublication }: Provenance, zone: DisplayZone): HeaderPart[] {
  const { hours, expected } = coverage;
  if (!hours) return [];
  const states = shownStates(coverage);
  const days = Array.from(states.keys()).filter(day => states[day] === partialDay);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const shape = stepShape(start, dayMs, expected, coverage.edges);
  const hoursOf = (day: number): string => {
    const at = stepText(stepStart(coverage, start, dayMs, day), zone, shape);
    return t('{0}: {1} of {2} h', at, hours.present[day] ?? 0, hours.expected[day] ?? 0);
  };
  const isOpen = last === first && stepStart(coverage, start, dayMs, last + 1) > nextPublication - dayMs / 24;
  const listed = days.slice(0, mostListed).map(hoursOf).join(', ') + (days.length > mostListed ? ' …' : '');
  const text = days.length === 1 ? hoursOf(first) : t('{0} days with some of their hours', count(days.length));
  const tooltip = t('Available hours: {0}.', listed);
  const isLacking = hours.counts ? withoutRow(coverage) > 0 : !isOpen;
  return [{ text, tooltip, ...(isLacking && { tone: 'warning' as const }) }];
}

import { getIntervalStart, intervalState, type Coverage, type Provenance, type Result } from '../../shared/result.ts';
import type { ExportOptions, ExportProvenance, ExportTable } from '../../shared/exportOptions.ts';
import { findDataset, getMembers, getIntervalMs } from '../query/catalogue.ts';
import {
  countStates,
  countRangesInState,
  computeCoverage,
  findRangesInState,
  type IntervalFacts,
} from '../frame/coverage.ts';
import { findTimeColumn } from '../frame/clip.ts';
import { formatInstant } from '../time/instant.ts';
import { formatShortZone } from '../time/zone.ts';
import type { Span } from '../range/resolveRange.ts';
import { isSandboxSource, type SeriesKey } from '../query/seriesKey.ts';
import { formatDataMark, getSandboxData } from '../query/serviceMeta.ts';
import type { Frame } from '../../shared/frame.ts';

/** Maximum number of missing intervals in a line of text, and in a list for programs: a million intervals may have half a million gaps. */
const maxIntervalsInText = 20;
const maxIntervalsInList = 100;

const productName = 'Grid Data Inspector';

/** Facts for an export that a result does not contain. */
export interface ExportOrigin {
  /** The connection's address, without a key. */
  readonly baseUrl?: string | undefined;
  /** The other ranges of a comparison whose columns are exported. */
  readonly against?: readonly ComparedSpan[];
  /** The sources whose columns are exported too, each as text. */
  readonly joinedWith?: readonly string[];
}

interface ComparedSpan extends Span {
  readonly name: string;
  readonly coverage: Coverage | undefined;
}

/** Creates the provenance of a table that contains a result or a part of it. */
export function createExportProvenance(
  { frame, coverage, provenance }: Result,
  table: ExportTable,
  options: Pick<ExportOptions, 'times' | 'zone'>,
  { baseUrl, against = [], joinedWith = [] }: ExportOrigin = {},
): ExportProvenance {
  const { connection, dataset, range, start, end, interval, timeZone, params, fetchedAt } = provenance;
  const definition = findDataset(dataset);
  const rows = table.rows?.length ?? table.frame.rowCount;
  const rowsOfResult = frame?.rowCount ?? rows;
  const { bins } = findTimeColumn(table.frame) ?? {};
  return {
    source: productName,
    connection,
    ...describeSample(provenance),
    ...(baseUrl &&
      definition && {
        endpoint: getMembers(definition)
          .map(({ path }) => baseUrl + path)
          .join(' '),
      }),
    dataset,
    range,
    ...(against.length > 0 && { comparedWith: against.map(formatComparedRange).join('; ') }),
    ...(joinedWith.length > 0 && { joinedWith: joinedWith.join('; ') }),
    start: formatInstant(start),
    end: formatInstant(end),
    interval,
    ...(timeZone !== undefined && { timeZone }),
    ...describeDays(provenance, coverage),
    ...(table.resampled !== undefined && { resampled: table.resampled }),
    ...(bins && { bins: `${bins.size}@${formatShortZone(bins)}` }),
    ...(table.events !== undefined && { events: table.events }),
    ...(table.derived && { derived: table.derived }),
    ...(table.scorecard !== undefined && { scorecard: table.scorecard }),
    ...(table.chart !== undefined && { chart: table.chart }),
    ...(table.view && { view: table.view }),
    params,
    zone: { utc: 'UTC', zone: options.zone.label, received: 'as received' }[options.times],
    ...(fetchedAt !== undefined && { fetchedAt: formatInstant(fetchedAt) }),
    rows,
    ...(rows !== rowsOfResult && { rowsOfResult }),
    ...(coverage && { coverage: createCoverageCounts(coverage, provenance, (end - start) / coverage.expected) }),
    ...(coverage?.parts && {
      datasets: Object.fromEntries(
        coverage.parts.map(part => [part.title, formatPresentIntervals(part.coverage, provenance)]),
      ),
    }),
  };
}

/** The provenance and the coverage of rows. The provenance of one month's file is derived from them. */
export interface Origin {
  readonly provenance: ExportProvenance;
  readonly span: Span;
  readonly coverage: Coverage | undefined;
}

/** Creates the origin of the archived hours of a span. For the facts, see `computeCoverage`. */
export function createArchiveOrigin(
  { source, dataset, interval, params }: SeriesKey,
  span: Span,
  { frame, ...facts }: IntervalFacts & { readonly frame: Frame },
): Origin {
  const fetchedAt = facts.requestedAt?.reduce((latest, requestedAt) => Math.max(latest, requestedAt), 0) ?? 0;
  const provenance = {
    source: productName,
    service: source,
    ...describeSample({ meta: facts.meta ?? {}, ...(isSandboxSource(source) && { sample: true }) }),
    dataset,
    range: formatSpan(span),
    start: formatInstant(span.start),
    end: formatInstant(span.end),
    interval,
    params,
    zone: 'UTC',
    ...(fetchedAt > 0 && { fetchedAt: formatInstant(fetchedAt) }),
    rows: frame.rowCount,
  };
  return { provenance, span, coverage: computeCoverage(frame, span, getIntervalMs(interval), facts) };
}

/**
 * Creates the provenance of a file with the rows of one month, taken from one or several results of a series. The file has `rows` of the
 * `rowsOfAll` rows. Undefined without an origin.
 */
export function createPartProvenance(
  origins: readonly Origin[],
  { rows, rowsOfAll, month }: { readonly rows: number; readonly rowsOfAll: number; readonly month: Span | undefined },
): ExportProvenance | undefined {
  const [first] = origins;
  if (!first) return undefined;
  const { provenance } = first;
  const start = Math.max(month?.start ?? -Infinity, Math.min(...origins.map(({ span }) => span.start)));
  const end = Math.min(month?.end ?? Infinity, Math.max(...origins.map(({ span }) => span.end)));
  const fetchTimes = origins.flatMap(origin => origin.provenance.fetchedAt ?? []).sort();
  return {
    ...provenance,
    range: [...new Set(origins.map(origin => origin.provenance.range))].join('; '),
    start: formatInstant(start),
    end: formatInstant(end),
    fetchedAt: fetchTimes.at(-1),
    rows,
    rowsOfResult: rows === rowsOfAll ? undefined : rowsOfAll,
    hours: rows === rowsOfAll && origins.length === 1 ? provenance.hours : undefined,
    datasets: rows === rowsOfAll && origins.length === 1 ? provenance.datasets : undefined,
    coverage: combineCoverage(origins, { start, end }, getIntervalMs(provenance.interval)),
  };
}

/** Combines the coverage of the results: an interval is present if any result has it, and not requested if none covers it. */
function combineCoverage(
  origins: readonly Origin[],
  { start, end }: Span,
  intervalMs: number | undefined,
): ExportProvenance['coverage'] {
  const coveredOrigins = origins.flatMap(({ span, coverage }) => (coverage ? [{ span, coverage }] : []));
  const [first] = coveredOrigins;
  if (!first || intervalMs === undefined || coveredOrigins.length < origins.length) return undefined;
  if (first.coverage.edges) return coveredOrigins.length === 1 ? clipDays(first.coverage, { start, end }) : undefined;
  const from = first.span.start + Math.ceil((start - first.span.start) / intervalMs) * intervalMs;
  const states = new Uint8Array(Math.max(0, Math.ceil((end - from) / intervalMs))).fill(intervalState.notRequested);
  for (const { span, coverage } of coveredOrigins)
    states.forEach((state, intervalIndex) => {
      const otherState = coverage.states[Math.floor((from + intervalIndex * intervalMs - span.start) / intervalMs)];
      if (otherState === intervalState.present || (otherState !== undefined && state === intervalState.notRequested))
        states[intervalIndex] = otherState;
    });
  return createCoverageCounts({ states }, { start: from, end }, intervalMs);
}

/** Returns the coverage of a time zone's days within one of its months. */
function clipDays(
  { states, edges = new Float64Array() }: Coverage,
  { start, end }: Span,
): ExportProvenance['coverage'] {
  const from = edges.findIndex(edge => edge >= start);
  const to = edges.findLastIndex(edge => edge <= end);
  const clipped = { states: states.subarray(from, to), edges: edges.subarray(from, to + 1) };
  return to > from ? createCoverageCounts(clipped, { start, end }, 0) : undefined;
}

/** Returns the content of `<file>.meta.json`. */
export function formatSidecar(provenance: ExportProvenance): string {
  return `${JSON.stringify(provenance, undefined, 2)}\n`;
}

/** Whether the text was written by `formatSidecar`. */
export function isSidecar(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && 'source' in parsed && parsed.source === productName;
  } catch {
    return false;
  }
}

/** Formats a heading for a table: whether it is Sample Data, the connection and the instants. */
export function formatProvenanceTitle({ data, connection, service, start, end }: ExportProvenance): string {
  return [...(data ? [data] : []), connection ?? service ?? productName, `${start} to ${end}`].join(' · ');
}

/** Formats the provenance as lines of "name: value", for comments and worksheets. */
export function formatProvenanceLines(provenance: ExportProvenance): string[] {
  return listProvenanceFacts(provenance).map(([name, value]) => `${name}: ${value}`);
}

/** Returns the provenance as pairs of texts, in order. Omits the view, which is for programs. */
export function listProvenanceFacts({
  coverage,
  params,
  derived = {},
  datasets = {},
  ...facts
}: ExportProvenance): [name: string, value: string][] {
  const { missingRanges, moreMissingRanges, ...counts }: Partial<NonNullable<typeof coverage>> = coverage ?? {};
  const missing = missingRanges && formatFirstRanges({ missingRanges, moreMissingRanges });
  const allFacts = {
    ...facts,
    view: undefined,
    ...addPrefix('derived ', derived),
    ...addPrefix('param ', params),
    ...addPrefix('steps ', counts),
    ...addPrefix('steps of ', datasets),
    ...(missing && { missing }),
  };
  return Object.entries(allFacts).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

function addPrefix<T>(prefix: string, record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [prefix + name, value]));
}

function createCoverageCounts(
  intervals: IntervalStates,
  span: Span,
  intervalMs: number,
): NonNullable<ExportProvenance['coverage']> {
  const { states } = intervals;
  return { expected: states.length, ...countStates(states), ...listMissingRanges(intervals, span, intervalMs) };
}

type IntervalStates = Pick<Coverage, 'states' | 'edges'>;

/** Describes the time zone of the days and how many of their hours are present. */
function describeDays(
  { interval, days }: Provenance,
  coverage: Coverage | undefined,
): Pick<ExportProvenance, 'days' | 'hours'> {
  if (!days) return interval === '1d' ? { days: 'days of UTC, as the service makes them' } : {};
  const { present, expected } = coverage?.hours?.counts ?? {};
  return {
    days: `days of ${days.label}, calculated from hours: an hour counts for the day in which it begins, and only if it has a value`,
    ...(present !== undefined && { hours: `${present} of ${expected}` }),
  };
}

type MissingRanges = Pick<NonNullable<ExportProvenance['coverage']>, 'missingRanges' | 'moreMissingRanges'>;

/** Lists the first ranges without rows as "start/end", and the number of further ranges. */
function listMissingRanges({ states, edges }: IntervalStates, { start }: Span, intervalMs: number): MissingRanges {
  const ranges = findRangesInState(
    states,
    intervalState.missing,
    { start: 0, end: states.length },
    1,
    maxIntervalsInList,
  );
  const listedRanges = ranges.map(interval =>
    interval.map(intervalIndex => getIntervalStart({ edges }, start, intervalMs, intervalIndex)),
  );
  const moreCount = countRangesInState(states, intervalState.missing) - listedRanges.length;
  return {
    missingRanges: listedRanges.map(([from = NaN, to = NaN]) => formatSpan({ start: from, end: to })),
    ...(moreCount > 0 && { moreMissingRanges: moreCount }),
  };
}

/** Formats the first ranges, and the number of further ranges. */
function formatFirstRanges({ missingRanges, moreMissingRanges = 0 }: MissingRanges): string {
  const moreCount = missingRanges.length + moreMissingRanges - maxIntervalsInText;
  return missingRanges.slice(0, maxIntervalsInText).join(' ') + (moreCount > 0 ? ` and ${moreCount} more` : '');
}

function describeSample(provenance: Pick<Provenance, 'sample' | 'meta'>): Pick<ExportProvenance, 'data'> {
  const text = formatDataMark(provenance);
  if (text === undefined) return {};
  return { data: getSandboxData(provenance.meta) === 'synthetic' ? `${text} (synthetic)` : text };
}

/** Formats the other range with its coverage, which explains its empty cells. */
function formatComparedRange({ name, coverage, ...span }: ComparedSpan): string {
  if (!coverage) return `${name} ${formatSpan(span)}`;
  return `${name} ${formatSpan(span)}, ${formatPresentIntervals(coverage, span)}`;
}

function formatPresentIntervals(coverage: Coverage, span: Span): string {
  const { present, expected } = coverage;
  const missing = formatFirstRanges(listMissingRanges(coverage, span, (span.end - span.start) / expected));
  return `${present} of ${expected} steps${missing ? `, missing ${missing}` : ''}`;
}

function formatSpan({ start, end }: Span): string {
  return `${formatInstant(start)}/${formatInstant(end)}`;
}

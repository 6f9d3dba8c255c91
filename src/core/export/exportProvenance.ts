import { stepStart, stepState, type Coverage, type Provenance, type Result } from '../../shared/result.ts';
import type { ExportOptions, ExportProvenance, ExportTable } from '../../shared/exportOptions.ts';
import { datasetById, membersOf, stepOf } from '../query/catalogue.ts';
import { countStates, countIntervals, coverageOf, intervalsOf, type StepFacts } from '../frame/coverage.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { formatInstant } from '../time/instant.ts';
import { shortZone } from '../time/zone.ts';
import type { Span } from '../range/resolveRange.ts';
import { isSandboxSource, type SeriesKey } from '../query/seriesKey.ts';
import { dataText, sandboxData } from '../query/serviceMeta.ts';
import type { Frame } from '../../shared/frame.ts';

/** Maximum number of missing intervals in a line of text, and in a list for programs: a million intervals may have half a million gaps. */
const shownIntervals = 20;
const intervalsForPrograms = 100;

const product = 'Grid Data Inspector';

/** Facts for an export that a result does not contain. */
export interface ExportOrigin {
  /** The connection's address, without a key. */
  readonly baseUrl?: string | undefined;
  /** The other ranges of a comparison whose columns are exported. */
  readonly against?: readonly ComparedSpan[];
}

interface ComparedSpan extends Span {
  readonly name: string;
  readonly coverage: Coverage | undefined;
}

/** Creates the provenance of a table that contains a result or a part of it. */
export function exportProvenance(
  { frame, coverage, provenance }: Result,
  table: ExportTable,
  options: Pick<ExportOptions, 'times' | 'zone'>,
  { baseUrl, against = [] }: ExportOrigin = {},
): ExportProvenance {
  const { connection, dataset, range, start, end, interval, timeZone, params, fetchedAt } = provenance;
  const known = datasetById(dataset);
  const rows = table.rows?.length ?? table.frame.rowCount;
  const rowsOfResult = frame?.rowCount ?? rows;
  const { bins } = timeColumnOf(table.frame) ?? {};
  return {
    source: product,
    connection,
    ...sampleOf(provenance),
    ...(baseUrl &&
      known && {
        endpoint: membersOf(known)
          .map(({ path }) => baseUrl + path)
          .join(' '),
      }),
    dataset,
    range,
    ...(against.length > 0 && { comparedWith: against.map(comparedText).join('; ') }),
    start: formatInstant(start),
    end: formatInstant(end),
    interval,
    ...(timeZone !== undefined && { timeZone }),
    ...daysOf(provenance, coverage),
    ...(table.resampled !== undefined && { resampled: table.resampled }),
    ...(bins && { bins: `${bins.size}@${shortZone(bins)}` }),
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
    ...(coverage && { coverage: countsOf(coverage, provenance, (end - start) / coverage.expected) }),
    ...(coverage?.parts && {
      datasets: Object.fromEntries(coverage.parts.map(part => [part.title, stepsText(part.coverage, provenance)])),
    }),
  };
}

/** The provenance and the coverage of rows, from which those of one month's file are derived. */
export interface Origin {
  readonly provenance: ExportProvenance;
  readonly span: Span;
  readonly coverage: Coverage | undefined;
}

/** Creates the origin of the archived hours of a span. `now` and `askedAt`: see `computeCoverage`. */
export function archiveOrigin(
  { source, dataset, interval, params }: SeriesKey,
  span: Span,
  { frame, ...facts }: StepFacts & { readonly frame: Frame },
): Origin {
  const fetchedAt = facts.askedAt?.reduce((latest, asked) => Math.max(latest, asked), 0) ?? 0;
  const provenance = {
    source: product,
    service: source,
    ...sampleOf({ meta: facts.meta ?? {}, ...(isSandboxSource(source) && { sample: true }) }),
    dataset,
    range: spanOf(span),
    start: formatInstant(span.start),
    end: formatInstant(span.end),
    interval,
    params,
    zone: 'UTC',
    ...(fetchedAt > 0 && { fetchedAt: formatInstant(fetchedAt) }),
    rows: frame.rowCount,
  };
  return { provenance, span, coverage: coverageOf(frame, span, stepOf(interval), facts) };
}

/**
 * Creates the provenance of a file with the rows of one month, taken from one or several results of a series. The file has `rows` of the
 * `rowsOfAll` rows. Undefined without an origin.
 */
export function partProvenance(
  origins: readonly Origin[],
  { rows, rowsOfAll, month }: { readonly rows: number; readonly rowsOfAll: number; readonly month: Span | undefined },
): ExportProvenance | undefined {
  const [first] = origins;
  if (!first) return undefined;
  const { provenance } = first;
  const start = Math.max(month?.start ?? -Infinity, Math.min(...origins.map(({ span }) => span.start)));
  const end = Math.min(month?.end ?? Infinity, Math.max(...origins.map(({ span }) => span.end)));
  const fetched = origins.flatMap(origin => origin.provenance.fetchedAt ?? []).sort();
  return {
    ...provenance,
    range: [...new Set(origins.map(origin => origin.provenance.range))].join('; '),
    start: formatInstant(start),
    end: formatInstant(end),
    fetchedAt: fetched.at(-1),
    rows,
    rowsOfResult: rows === rowsOfAll ? undefined : rowsOfAll,
    hours: rows === rowsOfAll && origins.length === 1 ? provenance.hours : undefined,
    datasets: rows === rowsOfAll && origins.length === 1 ? provenance.datasets : undefined,
    coverage: coverageWithin(origins, { start, end }, stepOf(provenance.interval)),
  };
}

/** Combines the coverage of the results: an interval is present if any result has it, and not requested if none covers it. */
function coverageWithin(
  origins: readonly Origin[],
  { start, end }: Span,
  stepMs: number | undefined,
): ExportProvenance['coverage'] {
  const known = origins.flatMap(({ span, coverage }) => (coverage ? [{ span, coverage }] : []));
  const [first] = known;
  if (!first || stepMs === undefined || known.length < origins.length) return undefined;
  if (first.coverage.edges) return known.length === 1 ? daysWithin(first.coverage, { start, end }) : undefined;
  const from = first.span.start + Math.ceil((start - first.span.start) / stepMs) * stepMs;
  const states = new Uint8Array(Math.max(0, Math.ceil((end - from) / stepMs))).fill(stepState.notAsked);
  for (const { span, coverage } of known)
    states.forEach((state, step) => {
      const other = coverage.states[Math.floor((from + step * stepMs - span.start) / stepMs)];
      if (other === stepState.present || (other !== undefined && state === stepState.notAsked)) states[step] = other;
    });
  return countsOf({ states }, { start: from, end }, stepMs);
}

/** Returns the coverage of a time zone's days within one of its months. */
function daysWithin(
  { states, edges = new Float64Array() }: Coverage,
  { start, end }: Span,
): ExportProvenance['coverage'] {
  const from = edges.findIndex(edge => edge >= start);
  const to = edges.findLastIndex(edge => edge <= end);
  const own = { states: states.subarray(from, to), edges: edges.subarray(from, to + 1) };
  return to > from ? countsOf(own, { start, end }, 0) : undefined;
}

/** Returns the content of `<file>.meta.json`. */
export function sidecarText(provenance: ExportProvenance): string {
  return `${JSON.stringify(provenance, undefined, 2)}\n`;
}

/** Whether the text was written by `formatSidecar`. */
export function isSidecarText(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && 'source' in parsed && parsed.source === product;
  } catch {
    return false;
  }
}

/** Formats a heading for a table: whether it is Sample Data, the connection and the instants. */
export function provenanceTitle({ data, connection, service, start, end }: ExportProvenance): string {
  return [...(data ? [data] : []), connection ?? service ?? product, `${start} to ${end}`].join(' · ');
}

/** Formats the provenance as lines of "name: value", for comments and worksheets. */
export function provenanceLines(provenance: ExportProvenance): string[] {
  return provenanceFacts(provenance).map(([name, value]) => `${name}: ${value}`);
}

/** Returns the provenance as pairs of texts, in order. Omits the view, which is for programs. */
export function provenanceFacts({
  coverage,
  params,
  derived = {},
  datasets = {},
  ...facts
}: ExportProvenance): [name: string, value: string][] {
  const { missingStretches, moreMissingStretches, ...counts }: Partial<NonNullable<typeof coverage>> = coverage ?? {};
  const missing = missingStretches && firstOf({ missingStretches, moreMissingStretches });
  const all = {
    ...facts,
    view: undefined,
    ...withPrefix('derived ', derived),
    ...withPrefix('param ', params),
    ...withPrefix('steps ', counts),
    ...withPrefix('steps of ', datasets),
    ...(missing && { missing }),
  };
  return Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

function withPrefix<T>(prefix: string, record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [prefix + name, value]));
}

function countsOf(steps: StepStates, span: Span, stepMs: number): NonNullable<ExportProvenance['coverage']> {
  const { states } = steps;
  return { expected: states.length, ...countStates(states), ...missingIn(steps, span, stepMs) };
}

type StepStates = Pick<Coverage, 'states' | 'edges'>;

/** Describes the time zone of the days and how many of their hours are present. */
function daysOf(
  { interval, days }: Provenance,
  coverage: Coverage | undefined,
): Pick<ExportProvenance, 'days' | 'hours'> {
  if (!days) return interval === '1d' ? { days: 'days of UTC, as the service makes them' } : {};
  const { present, expected } = coverage?.hours?.counts ?? {};
  return {
    days: `days of ${days.label}, made from hours: an hour counts for the day in which it begins, and only where it has a value`,
    ...(present !== undefined && { hours: `${present} of ${expected}` }),
  };
}

type Missing = Pick<NonNullable<ExportProvenance['coverage']>, 'missingStretches' | 'moreMissingStretches'>;

/** Lists the first ranges without rows as "start/end", and the number of further ones. */
function missingIn({ states, edges }: StepStates, { start }: Span, stepMs: number): Missing {
  const steps = intervalsOf(states, stepState.missing, { start: 0, end: states.length }, 1, intervalsForPrograms);
  const listed = steps.map(interval => interval.map(step => stepStart({ edges }, start, stepMs, step)));
  const more = countIntervals(states, stepState.missing) - listed.length;
  return {
    missingStretches: listed.map(([from = NaN, to = NaN]) => spanOf({ start: from, end: to })),
    ...(more > 0 && { moreMissingStretches: more }),
  };
}

/** Formats the first ranges, and the number of further ones. */
function firstOf({ missingStretches, moreMissingStretches = 0 }: Missing): string {
  const more = missingStretches.length + moreMissingStretches - shownIntervals;
  return missingStretches.slice(0, shownIntervals).join(' ') + (more > 0 ? ` and ${more} more` : '');
}

function sampleOf(provenance: Pick<Provenance, 'sample' | 'meta'>): Pick<ExportProvenance, 'data'> {
  const text = dataText(provenance);
  if (text === undefined) return {};
  return { data: sandboxData(provenance.meta) === 'synthetic' ? `${text} (synthetic)` : text };
}

/** Formats the other range with its coverage, which explains its empty cells. */
function comparedText({ name, coverage, ...span }: ComparedSpan): string {
  if (!coverage) return `${name} ${spanOf(span)}`;
  return `${name} ${spanOf(span)}, ${stepsText(coverage, span)}`;
}

function stepsText(coverage: Coverage, span: Span): string {
  const { present, expected } = coverage;
  const missing = firstOf(missingIn(coverage, span, (span.end - span.start) / expected));
  return `${present} of ${expected} steps${missing ? `, missing ${missing}` : ''}`;
}

function spanOf({ start, end }: Span): string {
  return `${formatInstant(start)}/${formatInstant(end)}`;
}

import { stepStart, stepState, type Coverage, type Provenance, type Result } from '../../shared/result.ts';
import type { ExportOptions, ExportProvenance, ExportTable } from '../../shared/exportOptions.ts';
import { datasetById, stepOf } from '../query/catalogue.ts';
import { countStates, countIntervals, coverageOf, intervalsOf, type StepFacts } from '../frame/coverage.ts';
import { formatInstant } from '../time/instant.ts';
import type { Span } from '../range/resolveRange.ts';
import { isSandboxSource, type SeriesKey } from '../query/seriesKey.ts';
import { isSampleData, sampleDataMark, sandboxData } from '../query/serviceMeta.ts';
import type { Frame } from '../../shared/frame.ts';

/** Missing stretches that a line of text names, and those a list for programs does: a million steps may have half a million. */
const stretchesShown = 20;
const stretchesListed = 100;

const product = 'Grid Data Inspector';

/** What a result does not say of itself. */
export interface ExportOrigin {
  /** The connection's address; it holds no key. */
  readonly baseUrl?: string | undefined;
  /** The other range of a comparison, where its columns are among those written. */
  readonly against?: (Span & { readonly name: string; readonly coverage: Coverage | undefined }) | undefined;
}

/** Whence the rows of a table came that is (a part of) a result. */
export function exportProvenance(
  { frame, coverage, provenance }: Result,
  table: ExportTable,
  options: Pick<ExportOptions, 'times' | 'zone'>,
  { baseUrl, against }: ExportOrigin = {},
): ExportProvenance {
  const { connection, dataset, range, start, end, interval, params, fetchedAt } = provenance;
  const path = datasetById(dataset)?.path;
  const rows = table.rows?.length ?? table.frame.rowCount;
  const rowsOfResult = frame?.rowCount ?? rows;
  return {
    source: product,
    connection,
    ...sampleOf(provenance),
    ...(baseUrl && path !== undefined && { endpoint: baseUrl + path }),
    dataset,
    range,
    ...(against && { comparedWith: comparedText(against) }),
    start: formatInstant(start),
    end: formatInstant(end),
    interval,
    ...daysOf(provenance, coverage),
    params,
    zone: zoneText(options),
    ...(fetchedAt !== undefined && { fetchedAt: formatInstant(fetchedAt) }),
    rows,
    ...(rows !== rowsOfResult && { rowsOfResult }),
    ...(coverage && { coverage: countsOf(coverage, provenance, (end - start) / coverage.expected) }),
  };
}

/** Whence rows came, with what is known of each step: of it, what a month's file says is worked out. */
export interface Origin {
  readonly provenance: ExportProvenance;
  readonly span: Span;
  readonly coverage: Coverage | undefined;
}

/** Of the hours of a span that the archive kept. `now` and `askedAt` as in `coverageOf`; UTC milliseconds. */
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
 * Of a file with some of the rows that one or several answers to the same series brought, `month` being the stretch of time it
 * is for. `rows` of `rowsOfAll` are in it. Undefined where nothing is known.
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
    coverage: coverageWithin(origins, { start, end }, stepOf(provenance.interval)),
  };
}

/** A step is there if any of the answers has it; one that none was asked for counts as not asked for. */
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

/** Of days of a zone, whose months are those of the same zone. */
function daysWithin(
  { states, edges = new Float64Array() }: Coverage,
  { start, end }: Span,
): ExportProvenance['coverage'] {
  const from = edges.findIndex(edge => edge >= start);
  const to = edges.findLastIndex(edge => edge <= end);
  const own = { states: states.subarray(from, to), edges: edges.subarray(from, to + 1) };
  return to > from ? countsOf(own, { start, end }, 0) : undefined;
}

/** The text of `<file>.meta.json`. */
export function sidecarText(provenance: ExportProvenance): string {
  return `${JSON.stringify(provenance, undefined, 2)}\n`;
}

/** Whether a text is a `sidecarText`. */
export function isSidecarText(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && 'source' in parsed && parsed.source === product;
  } catch {
    return false;
  }
}

/** What stands above a table where it is read or printed: whether it is Sample Data, the connection and the instants. */
export function provenanceTitle({ data, connection, service, start, end }: ExportProvenance): string {
  return [...(data ? [data] : []), connection ?? service ?? product, `${start} to ${end}`].join(' · ');
}

/** The same as lines of "what: value", for comments and sheets. */
export function provenanceLines(provenance: ExportProvenance): string[] {
  return provenanceFacts(provenance).map(([what, value]) => `${what}: ${value}`);
}

/** The same as pairs of text, in order. */
export function provenanceFacts({ coverage, params, ...facts }: ExportProvenance): [what: string, value: string][] {
  const all = Object.entries({ ...facts, ...withPrefix('param ', params) });
  const pairs = all.filter(([, value]) => value !== undefined);
  if (!coverage) return pairs.map(([what, value]) => [what, String(value)]);
  const { missingStretches, moreMissingStretches, ...counts } = coverage;
  const stretches = firstOf({ missingStretches, moreMissingStretches });
  const counted = [...pairs, ...Object.entries(withPrefix('steps ', counts))];
  if (stretches) counted.push(['missing', stretches]);
  return counted.map(([what, value]) => [what, String(value)]);
}

function withPrefix<T>(prefix: string, record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [prefix + name, value]));
}

function zoneText({ times, zone }: Pick<ExportOptions, 'times' | 'zone'>): string {
  return { utc: 'UTC', zone: zone.label, received: 'as received' }[times];
}

function countsOf(steps: StepStates, span: Span, stepMs: number): NonNullable<ExportProvenance['coverage']> {
  const { states } = steps;
  return {
    expected: states.length,
    ...countStates(states),
    ...missingIn(steps, span, stepMs),
  };
}

type StepStates = Pick<Coverage, 'states' | 'edges'>;

/** Whose days the rows are. */
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

/** "start/end" of the first stretches without rows, and how many more there are. */
function missingIn({ states, edges }: StepStates, { start }: Span, stepMs: number): Missing {
  const steps = intervalsOf(states, stepState.missing, { start: 0, end: states.length }, 1, stretchesListed);
  const listed = steps.map(stretch => stretch.map(step => stepStart({ edges }, start, stepMs, step)));
  const more = countIntervals(states, stepState.missing) - listed.length;
  return {
    missingStretches: listed.map(([from = NaN, to = NaN]) => spanOf({ start: from, end: to })),
    ...(more > 0 && { moreMissingStretches: more }),
  };
}

/** The first stretches, and how many more there are: people read them. */
function firstOf({ missingStretches, moreMissingStretches = 0 }: Missing): string {
  const more = missingStretches.length + moreMissingStretches - stretchesShown;
  return missingStretches.slice(0, stretchesShown).join(' ') + (more > 0 ? ` and ${more} more` : '');
}

function sampleOf(provenance: Pick<Provenance, 'sample' | 'meta'>): Pick<ExportProvenance, 'data'> {
  if (!isSampleData(provenance)) return {};
  const kind = sandboxData(provenance.meta);
  return { data: kind === undefined ? sampleDataMark : `${sampleDataMark} (${kind})` };
}

/** The other range with what is there of it: its empty cells need a reason, too. */
function comparedText({ name, coverage, ...span }: NonNullable<ExportOrigin['against']>): string {
  if (!coverage) return `${name} ${spanOf(span)}`;
  const { present, expected } = coverage;
  const missing = firstOf(missingIn(coverage, span, (span.end - span.start) / expected));
  const words = missing ? `, missing ${missing}` : '';
  return `${name} ${spanOf(span)}, ${present} of ${expected} steps${words}`;
}

function spanOf({ start, end }: Span): string {
  return `${formatInstant(start)}/${formatInstant(end)}`;
}

import { stepState, type Coverage, type Provenance, type Result } from '../../shared/result.ts';
import type { ExportOptions, ExportProvenance, ExportTable } from '../../shared/exportOptions.ts';
import { datasetById, stepOf } from '../catalogue.ts';
import { coverageOf, stretchesOf, type StepFacts } from '../coverage.ts';
import { formatInstant } from '../instant.ts';
import type { Span } from '../range/resolveRange.ts';
import type { SeriesKey } from '../seriesKey.ts';
import { sandboxData } from '../serviceMeta.ts';
import type { Frame } from '../../shared/frame.ts';

const stretchesShown = 20;

const product = 'Grid Data Inspector';

/** What a result does not say of itself. */
export interface ExportOrigin {
  /** The connection's address; it holds no key. */
  readonly baseUrl?: string | undefined;
  /** The other range of a comparison, where its columns are among those written. */
  readonly against?: (Span & { readonly name: string }) | undefined;
}

/** Whence the rows of a table came that is (a part of) a result. */
export function exportProvenance(
  { frame, coverage, provenance }: Result,
  table: ExportTable,
  options: Pick<ExportOptions, 'format' | 'times' | 'zone'>,
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
    ...(against && { comparedWith: `${against.name} ${spanOf(against)}` }),
    start: formatInstant(start),
    end: formatInstant(end),
    interval,
    params,
    zone: zoneText(options),
    ...(fetchedAt !== undefined && { fetchedAt: formatInstant(fetchedAt) }),
    rows,
    ...(rows !== rowsOfResult && { rowsOfResult }),
    ...(coverage && { coverage: countsOf(coverage, provenance) }),
  };
}

/** Whence the hours of a span came that the archive kept. `now` and `askedAt` as in `coverageOf`; UTC milliseconds. */
export function archiveProvenance(
  { source, dataset, interval, params }: SeriesKey,
  span: Span,
  { frame, ...facts }: StepFacts & { readonly frame: Frame },
): ExportProvenance {
  const coverage = coverageOf(frame, span, stepOf(interval), facts);
  const fetchedAt = facts.askedAt?.reduce((latest, asked) => Math.max(latest, asked), 0) ?? 0;
  return {
    source: product,
    service: source,
    ...sampleOf({ meta: facts.meta ?? {} }),
    dataset,
    range: spanOf(span),
    start: formatInstant(span.start),
    end: formatInstant(span.end),
    interval,
    params,
    zone: 'UTC',
    ...(fetchedAt > 0 && { fetchedAt: formatInstant(fetchedAt) }),
    rows: frame.rowCount,
    ...(coverage && { coverage: countsOf(coverage, span) }),
  };
}

/** Of two answers to the same series whose rows are put together: what is true of both. */
export function joinedProvenance(one: ExportProvenance, other: ExportProvenance, rows: number): ExportProvenance {
  const newest = [one.fetchedAt, other.fetchedAt]
    .filter(at => at !== undefined)
    .sort()
    .at(-1);
  return {
    ...one,
    range: one.range === other.range ? one.range : `${one.range}; ${other.range}`,
    start: one.start < other.start ? one.start : other.start,
    end: one.end > other.end ? one.end : other.end,
    ...(newest !== undefined && { fetchedAt: newest }),
    rows,
    rowsOfResult: undefined,
    coverage: undefined,
  };
}

/** Of a file that holds some of the rows. */
export function partProvenance(whole: ExportProvenance, rows: number): ExportProvenance {
  return rows === whole.rows ? whole : { ...whole, rows, rowsOfResult: whole.rowsOfResult ?? whole.rows };
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

/** The same as lines of "what: value", for comments and sheets. */
export function provenanceLines(provenance: ExportProvenance): string[] {
  return provenanceFacts(provenance).map(([what, value]) => `${what}: ${value}`);
}

/** The same as pairs of text, in order. Only the first stretches of missing hours: a comment is read by people. */
export function provenanceFacts({ coverage, params, ...facts }: ExportProvenance): [what: string, value: string][] {
  const all = Object.entries({ ...facts, ...withPrefix('param ', params) });
  const pairs = all.filter(([, value]) => value !== undefined);
  if (!coverage) return pairs.map(([what, value]) => [what, String(value)]);
  const { missingStretches, ...counts } = coverage;
  const shown = missingStretches.slice(0, stretchesShown);
  const more = missingStretches.length - shown.length;
  const stretches = shown.join(' ') + (more > 0 ? ` and ${more} more` : '');
  const counted = [...pairs, ...Object.entries(withPrefix('steps ', counts))];
  if (stretches) counted.push(['missing', stretches]);
  return counted.map(([what, value]) => [what, String(value)]);
}

function withPrefix<T>(prefix: string, record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [prefix + name, value]));
}

function zoneText({ format, times, zone }: Pick<ExportOptions, 'format' | 'times' | 'zone'>): string {
  if (format === 'parquet' || format === 'arrow') return 'UTC';
  if (format === 'xlsx' || times === 'zone') return zone.label;
  return times === 'utc' ? 'UTC' : 'as received';
}

function countsOf(coverage: Coverage, span: Span): NonNullable<ExportProvenance['coverage']> {
  const { expected, present, missing, notPublished, failed, notAsked, late, states } = coverage;
  const stepMs = (span.end - span.start) / expected;
  const missingStretches = stretchesOf(states, stepState.missing, span, stepMs).map(([start, end]) =>
    spanOf({ start, end }),
  );
  return { expected, present, missing, notPublished, failed, notAsked, late, missingStretches };
}

function sampleOf({ meta }: Pick<Provenance, 'meta'>): Pick<ExportProvenance, 'data'> {
  const data = sandboxData(meta);
  return data === undefined ? {} : { data };
}

function spanOf({ start, end }: Span): string {
  return `${formatInstant(start)}/${formatInstant(end)}`;
}

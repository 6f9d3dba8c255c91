import { stepState, type Coverage, type Result } from '../../shared/result.ts';
import type { ExportOptions, ExportProvenance, ExportTable } from '../../shared/exportOptions.ts';
import { datasetById } from '../catalogue.ts';
import { formatInstant } from '../instant.ts';

const stretchesShown = 20;

/** Whence the rows of a table came that is (a part of) a result. `baseUrl` is the connection's address; it holds no key. */
export function exportProvenance(
  { frame, coverage, provenance }: Result,
  table: ExportTable,
  options: Pick<ExportOptions, 'format' | 'times' | 'zone'>,
  baseUrl?: string,
): ExportProvenance {
  const { connection, dataset, range, start, end, interval, params, fetchedAt } = provenance;
  const path = datasetById(dataset)?.path;
  const rows = table.rows?.length ?? table.frame.rowCount;
  const rowsOfResult = frame?.rowCount ?? rows;
  return {
    source: 'Grid Data Inspector',
    connection,
    ...(baseUrl && path !== undefined && { endpoint: baseUrl + path }),
    dataset,
    range,
    start: formatInstant(start),
    end: formatInstant(end),
    interval,
    params,
    zone: zoneText(options),
    ...(fetchedAt !== undefined && { fetchedAt: formatInstant(fetchedAt) }),
    rows,
    ...(rows !== rowsOfResult && { rowsOfResult }),
    ...(coverage && { coverage: coverageOf(coverage, start, end) }),
  };
}

/** The text of `<file>.meta.json`. */
export function sidecarText(provenance: ExportProvenance): string {
  return `${JSON.stringify(provenance, undefined, 2)}\n`;
}

/** The same as lines of "what: value", for comments and sheets. */
export function provenanceLines(provenance: ExportProvenance): string[] {
  return provenanceFacts(provenance).map(([what, value]) => `${what}: ${value}`);
}

/** The same as pairs of text, in order. Only the first stretches of missing hours: a comment is read by people. */
export function provenanceFacts({ coverage, params, ...facts }: ExportProvenance): [what: string, value: string][] {
  const pairs = Object.entries({ ...facts, ...withPrefix('param ', params) });
  if (!coverage) return pairs.map(([what, value]) => [what, String(value)]);
  const { missingStretches, ...counts } = coverage;
  const shown = missingStretches.slice(0, stretchesShown);
  const more = missingStretches.length - shown.length;
  const stretches = shown.join(' ') + (more > 0 ? ` and ${more} more` : '');
  const all = [...pairs, ...Object.entries(withPrefix('steps ', counts))];
  if (stretches) all.push(['missing', stretches]);
  return all.map(([what, value]) => [what, String(value)]);
}

function withPrefix<T>(prefix: string, record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [prefix + name, value]));
}

function zoneText({ format, times, zone }: Pick<ExportOptions, 'format' | 'times' | 'zone'>): string {
  if (format === 'parquet' || format === 'arrow') return 'UTC';
  if (format === 'xlsx' || times === 'zone') return zone.label;
  return times === 'utc' ? 'UTC' : 'as received';
}

function coverageOf(coverage: Coverage, start: number, end: number): NonNullable<ExportProvenance['coverage']> {
  const { expected, present, missing, notPublished, failed, notAsked, late, states } = coverage;
  const stepMs = (end - start) / expected;
  const missingStretches: string[] = [];
  for (let from = 0; from < states.length; from++) {
    if (states[from] !== stepState.missing) continue;
    let to = from + 1;
    while (to < states.length && states[to] === stepState.missing) to++;
    missingStretches.push(`${formatInstant(start + from * stepMs)}/${formatInstant(start + to * stepMs)}`);
    from = to;
  }
  return { expected, present, missing, notPublished, failed, notAsked, late, missingStretches };
}

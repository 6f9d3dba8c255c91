import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts';
import { cellState, type Column, type Frame } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { StepSpan } from '../../shared/resampling.ts';
import { stepState, type Coverage, type Provenance, type Result } from '../../shared/result.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { greatestLength, rowEdges } from '../bins/binEdges.ts';
import { dayIntervalOf, zoneOfDays } from '../bins/dayInterval.ts';
import { rowSteps } from '../bins/rowSteps.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { coverageIn } from '../frame/coverage.ts';
import { describeFields, fieldsOf } from '../frame/describeFields.ts';
import { datasetById, datasets, stepOf } from '../query/catalogue.ts';
import { replayMark, sampleDataMark } from '../query/serviceMeta.ts';
import type { Span } from '../range/resolveRange.ts';
import { parseInstant } from '../time/instant.ts';
import { sast, utc, zoneNamed } from '../time/zone.ts';
import { asBins, binsOfFile, withRowLengths } from './fileBins.ts';
import { asComparison } from './fileComparison.ts';
import type { FileProvenance, FileTable } from './fileTable.ts';
import { findRowLengths } from './rowLengths.ts';

/** Where the interval of a file's rows is known from; undefined if they have none. */
export type IntervalSource = 'provenance' | 'rows' | undefined;

/** The rows of a file in the form of a query result. */
export interface FileResult {
  readonly result: Result;
  readonly intervalFrom: IntervalSource;
  /** The number of rows whose time an earlier row already has. */
  readonly repeats: number;
}

/** Creates a result from the table of a file. `zones` are the zones to try for rows of days or months if the file does not name one. */
export function fileResult(
  { frame: received, problem, provenance, text, zone }: FileTable,
  name: string,
  zones: readonly DisplayZone[] = [],
): FileResult {
  // Computed rows, such as events, do not have the interval of the rows that they were computed from.
  const isComputed = (provenance?.resampled ?? provenance?.events ?? provenance?.scorecard) !== undefined;
  const instants = sortedInstants(received);
  const ofFile = zone?.timeZone === undefined ? undefined : zoneNamed(zone.timeZone);
  const bins = binsOfFile(instants, provenance, [...(ofFile ? [ofFile] : []), utc, sast, ...zones]);
  const isDays = bins?.size === 'day';
  const stated = isDays ? dayIntervalOf(bins) : isComputed ? undefined : provenance?.interval;
  const intervalFrom = provenance && stated !== undefined && stepOf(stated) !== undefined ? 'provenance' : undefined;
  const lengths = bins || intervalFrom || isComputed ? undefined : findRowLengths(instants);
  const found = bins || lengths ? stated : daysOfNobody(intervalOf(instants), instants[0]);
  const interval = intervalFrom ? (stated ?? '') : (found ?? '');
  const stepMs = lengths ? greatestLength(lengths) : stepOf(interval);
  const rows = { stepMs, bins, lengths };
  const span = spanOf(received, rows, isComputed ? undefined : provenance);
  const days = zoneOfDays(interval);
  const markColumn = received?.columns.find(({ name }) => name === sampleDataMark || name === replayMark);
  const mark = provenance?.data ?? markColumn?.name;
  const fetchedAt = provenance?.fetchedAt === undefined ? undefined : parseInstant(provenance.fetchedAt);
  const described: Provenance = {
    file: name,
    connection: provenance?.connection === undefined ? name : `${name} (${provenance.connection})`,
    ...(mark !== undefined && { sample: true as const }),
    dataset: provenance?.dataset ?? name.replace(/\.[^.]*$/, ''),
    datasetTitle: name,
    range: provenance?.range ?? name,
    ...span,
    interval,
    ...(provenance?.timeZone !== undefined && { timeZone: provenance.timeZone }),
    ...(days && { days }),
    params: {},
    fetchedAt,
    requestsSpent: 0,
    stepsKept: 0,
    nextPublication: span.end,
    rowsOutside: 0,
    incomplete: false,
    meta: mark?.startsWith(replayMark) ? replayMeta(mark) : {},
  };
  const known = received && withFields(received, described, provenance?.dataset);
  const ofLengths = known && lengths ? withRowLengths(known, lengths, spanOf(received, rows)) : known;
  const ofBins = ofLengths && bins ? asBins(ofLengths, bins, span) : ofLengths;
  const frame = ofBins && asComparison(ofBins, provenance?.comparedWith);
  const coverage = frame && fileCoverage(frame, span, rows, isComputed ? undefined : provenance);
  return {
    result: {
      frame,
      ...(problem && { problem }),
      bodies: received ? [] : [new TextEncoder().encode(text)],
      coverage,
      provenance: described,
    },
    intervalFrom: intervalFrom ?? (interval === '' ? undefined : 'rows'),
    // Computed rows may have equal times.
    repeats: isComputed ? 0 : instants.filter((ms, at) => ms === instants[at - 1]).length,
  };
}

/**
 * Adds the catalogue's fields to columns of the same name, and the same unit if the file has one. Names such as `value` have a meaning only in
 * their own dataset, so files without a dataset are matched with the names of system state, which are unique.
 */
function withFields(frame: Frame, described: Provenance, id = ''): Frame {
  const [systemState] = datasets;
  const dataset = datasetById(id) ?? systemState;
  const known = dataset ? describeFields(frame, fieldsOf(dataset, described)) : frame;
  const columns = frame.columns.map((column, place): Column => {
    const own = known.columns[place] ?? column;
    if (!column.field) return own;
    const isSame = !column.field.unit || column.field.unit.text === own.field?.unit?.text;
    return own.field && isSame ? own : column;
  });
  return { rowCount: frame.rowCount, columns };
}

/** The times of the rows in UTC milliseconds, ascending, without the rows that have none. */
function sortedInstants(frame: Frame | undefined): Float64Array {
  const time = frame && timeColumnOf(frame);
  if (!time) return new Float64Array();
  const instants = time.values.filter((_, row) => (time.gaps?.[row] ?? cellState.value) === cellState.value);
  // Most files are already sorted.
  return instants.some((ms, at) => ms < (instants[at - 1] ?? -Infinity)) ? instants.sort() : instants;
}

/** The most frequent distance between consecutive rows, such as "1h", if at least half of the distances are equal to it. */
function intervalOf(instants: Float64Array): string | undefined {
  const counts = new Map<number, number>();
  let all = 0;
  for (let at = 1; at < instants.length; at++) {
    const distance = (instants[at] ?? NaN) - (instants[at - 1] ?? NaN);
    if (!(distance > 0)) continue;
    all++;
    // Limits memory: irregular rows may have as many distances as rows.
    if (counts.size < 1_000 || counts.has(distance)) counts.set(distance, (counts.get(distance) ?? 0) + 1);
  }
  const [most = NaN, count = 0] = [...counts].reduce<readonly number[]>(
    (best, entry) => (entry[1] > (best[1] ?? 0) ? entry : best),
    [],
  );
  return count * 2 >= all ? intervalText(most) : undefined;
}

function intervalText(ms: number): string | undefined {
  const units = [
    ['d', dayMs],
    ['h', hourMs],
    ['m', minuteMs],
  ] as const;
  const unit = units.find(([, length]) => ms % length === 0);
  const text = unit && `${ms / unit[1]}${unit[0]}`;
  return text !== undefined && stepOf(text) !== undefined ? text : undefined;
}

/** Returns "24h" for days that do not begin at midnight UTC, since their zone is unknown. */
const daysOfNobody = (interval: string | undefined, first = 0): string | undefined =>
  interval === '1d' && first % dayMs !== 0 ? '24h' : interval;

/** The lengths of the rows in milliseconds; undefined if they are not known. */
type FileRows = Pick<StepSpan, 'bins' | 'lengths'> & { readonly stepMs: number | undefined };

/** The range that the provenance states, else that from the first row to the end of the last; empty if no row has a time. */
function spanOf(frame: Frame | undefined, rows: FileRows, provenance?: FileProvenance): Span {
  const [start, end] = [provenance?.start, provenance?.end].map(text => (text ? parseInstant(text) : undefined));
  if (start !== undefined && end !== undefined && start < end) return { start, end };
  let [first, last] = [Infinity, -Infinity];
  const time = frame && timeColumnOf(frame);
  time?.values.forEach((ms, row) => {
    if ((time.gaps?.[row] ?? cellState.value) !== cellState.value) return;
    first = Math.min(first, ms);
    last = Math.max(last, ms);
  });
  if (!(first <= last)) return { start: 0, end: 0 };
  const edges = rowEdges({ start: first, end: last + 1 }, rows);
  return { start: edges?.[0] ?? first, end: edges?.at(-1) ?? last + Math.max(rows.stepMs ?? 0, 1) };
}

/**
 * Computes the coverage of the range. Without provenance, each interval without a row is missing. An export lists the missing intervals, so any
 * other interval without a row was either not over when the data was fetched, or not exported.
 */
function fileCoverage(
  frame: Frame,
  span: Span,
  { stepMs, ...rows }: FileRows,
  provenance: FileProvenance | undefined,
): Coverage | undefined {
  const time = timeColumnOf(frame);
  const least = Math.min(stepMs ?? NaN, ...(rows.lengths ?? []).map(length => length.stepMs));
  const expected = (span.end - span.start) / least;
  if (stepMs === undefined || !time || !(expected >= 1 && expected <= 2 * tableLimits.rows)) return undefined;
  const { count, startOf, stepAt, hoursOf } = rowSteps({ ...span, stepMs, ...rows });
  const states = new Uint8Array(count).fill(stepState.missing);
  for (const ms of time.values) {
    const step = stepAt(ms);
    if (step >= 0 && step < count) states[step] = stepState.present;
  }
  const { missingStretches, moreMissingStretches = 0 } = provenance?.coverage ?? {};
  if (missingStretches && moreMissingStretches === 0) {
    const fetchedAt = (provenance?.fetchedAt && parseInstant(provenance.fetchedAt)) || Infinity;
    const stretches = missingStretches.map(stretch => stretch.split('/').map(text => parseInstant(text) ?? NaN));
    const isMissing = (ms: number): boolean => stretches.some(([from = NaN, to = NaN]) => ms >= from && ms < to);
    for (let step = 0; step < count; step++)
      if (states[step] !== stepState.present && !isMissing(startOf(step)))
        states[step] = startOf(step + 1) > fetchedAt ? stepState.notPublished : stepState.notAsked;
  }
  const made = coverageIn(states, new Uint8Array(count), { start: 0, end: count }, 1);
  return {
    ...made,
    missingStretches: made.missingStretches.map(([from, to]) => [startOf(from), startOf(to)]),
    ...(hoursOf && { edges: Float64Array.from({ length: count + 1 }, (_, step) => startOf(step)) }),
  };
}

/** Restores the metadata of replayed hours, as the sandbox sends it, from a mark such as `REPLAYED HOURS (2023.csv)`. */
function replayMeta(mark: string): Provenance['meta'] {
  const files = /\((.*)\)$/s.exec(mark)?.[1];
  return { source: 'replay', ...(files !== undefined && { replayed_from: files }) };
}

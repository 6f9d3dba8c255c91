import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts';
import { cellState, type Column, type Frame } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { ElapsedRange } from '../../shared/resampling.ts';
import { intervalState, type Coverage, type Provenance, type Result } from '../../shared/result.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { getMaxRowLength, getRowEdges } from '../bins/binEdges.ts';
import { formatDayInterval, parseDayZone } from '../bins/dayInterval.ts';
import { getRowIntervals } from '../bins/rowIntervals.ts';
import { findTimeColumn } from '../frame/clip.ts';
import { createCoverage } from '../frame/coverage.ts';
import { describeFields, getResponseFields } from '../frame/describeFields.ts';
import { findDataset, datasets, getIntervalMs } from '../query/catalogue.ts';
import { replayMark, sampleDataMark } from '../query/serviceMeta.ts';
import type { Span } from '../range/resolveRange.ts';
import { parseInstant } from '../time/instant.ts';
import { sast, utc, findZone } from '../time/zone.ts';
import { restoreBins, findFileBins, withRowLengths } from './fileBins.ts';
import { restoreComparison } from './fileComparison.ts';
import type { FileProvenance, FileTable } from './fileTable.ts';
import { findRowLengths } from './rowLengths.ts';

/** The source of the interval of a file's rows; undefined if the rows have no interval. */
export type IntervalSource = 'provenance' | 'rows' | undefined;

/** The rows of a file in the form of a query result. */
export interface FileResult {
  readonly result: Result;
  readonly intervalFrom: IntervalSource;
  /** The number of rows with the same time as an earlier row. */
  readonly duplicates: number;
}

/** Creates a result from the table of a file. `zones` are the zones to try for rows of days or months if the file does not name one. */
export function createFileResult(
  { frame: fileFrame, problem, provenance, text, zone }: FileTable,
  name: string,
  zones: readonly DisplayZone[] = [],
): FileResult {
  // Computed rows, such as events, do not have the interval of the rows that they were computed from.
  const isComputed = (provenance?.resampled ?? provenance?.events ?? provenance?.scorecard) !== undefined;
  const instants = listSortedInstants(fileFrame);
  const fileZone = zone?.timeZone === undefined ? undefined : findZone(zone.timeZone);
  const bins = findFileBins(instants, provenance, [...(fileZone ? [fileZone] : []), utc, sast, ...zones]);
  const isDays = bins?.size === 'day';
  const statedInterval = isDays ? formatDayInterval(bins) : isComputed ? undefined : provenance?.interval;
  const intervalFrom =
    provenance && statedInterval !== undefined && getIntervalMs(statedInterval) !== undefined
      ? 'provenance'
      : undefined;
  const lengths = bins || intervalFrom || isComputed ? undefined : findRowLengths(instants);
  const detectedInterval = bins || lengths ? statedInterval : resolveDayInterval(detectInterval(instants), instants[0]);
  const interval = intervalFrom ? (statedInterval ?? '') : (detectedInterval ?? '');
  const intervalMs = lengths ? getMaxRowLength(lengths) : getIntervalMs(interval);
  const rows = { intervalMs, bins, lengths };
  const span = computeRange(fileFrame, rows, isComputed ? undefined : provenance);
  const days = parseDayZone(interval);
  const markColumn = fileFrame?.columns.find(({ name }) => name === sampleDataMark || name === replayMark);
  const mark = provenance?.data ?? markColumn?.name;
  const fetchedAt = provenance?.fetchedAt === undefined ? undefined : parseInstant(provenance.fetchedAt);
  const resultProvenance: Provenance = {
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
    archivedIntervals: 0,
    nextPublication: span.end,
    rowsOutside: 0,
    incomplete: false,
    meta: mark?.startsWith(replayMark) ? parseReplayMark(mark) : {},
  };
  const describedFrame = fileFrame && withCatalogueFields(fileFrame, resultProvenance, provenance?.dataset);
  const frameWithLengths =
    describedFrame && lengths ? withRowLengths(describedFrame, lengths, computeRange(fileFrame, rows)) : describedFrame;
  const frameWithBins = frameWithLengths && bins ? restoreBins(frameWithLengths, bins, span) : frameWithLengths;
  const frame = frameWithBins && restoreComparison(frameWithBins, provenance?.comparedWith);
  const coverage = frame && computeFileCoverage(frame, span, rows, isComputed ? undefined : provenance);
  return {
    result: {
      frame,
      ...(problem && { problem }),
      bodies: fileFrame ? [] : [new TextEncoder().encode(text)],
      coverage,
      provenance: resultProvenance,
    },
    intervalFrom: intervalFrom ?? (interval === '' ? undefined : 'rows'),
    // Computed rows may have equal times.
    duplicates: isComputed ? 0 : instants.filter((ms, index) => ms === instants[index - 1]).length,
  };
}

/**
 * Adds the catalogue's fields to columns with the same name and, if the file has a unit, the same unit. Names such as `value` have a meaning only in
 * their own dataset, so files without a dataset are matched with the names of system state, which are unique.
 */
function withCatalogueFields(frame: Frame, described: Provenance, datasetId = ''): Frame {
  const [systemState] = datasets;
  const dataset = findDataset(datasetId) ?? systemState;
  const describedFrame = dataset ? describeFields(frame, getResponseFields(dataset, described)) : frame;
  const columns = frame.columns.map((column, index): Column => {
    const catalogueColumn = describedFrame.columns[index] ?? column;
    if (!column.field) return catalogueColumn;
    const isSame = !column.field.unit || column.field.unit.text === catalogueColumn.field?.unit?.text;
    return catalogueColumn.field && isSame ? catalogueColumn : column;
  });
  return { rowCount: frame.rowCount, columns };
}

/** Lists the times of the rows in UTC milliseconds, ascending, without the rows that have no time. */
function listSortedInstants(frame: Frame | undefined): Float64Array {
  const time = frame && findTimeColumn(frame);
  if (!time) return new Float64Array();
  const instants = time.values.filter((_, row) => (time.gaps?.[row] ?? cellState.value) === cellState.value);
  // Most files are already sorted.
  return instants.some((ms, index) => ms < (instants[index - 1] ?? -Infinity)) ? instants.sort() : instants;
}

/** Returns the most frequent distance between consecutive rows, such as "1h"; undefined if fewer than half of the distances are equal to it. */
function detectInterval(instants: Float64Array): string | undefined {
  const counts = new Map<number, number>();
  let distanceCount = 0;
  for (let index = 1; index < instants.length; index++) {
    const distance = (instants[index] ?? NaN) - (instants[index - 1] ?? NaN);
    if (!(distance > 0)) continue;
    distanceCount++;
    // Limits memory: irregular rows may have as many distances as rows.
    if (counts.size < 1_000 || counts.has(distance)) counts.set(distance, (counts.get(distance) ?? 0) + 1);
  }
  const [typicalDistance = NaN, count = 0] = [...counts].reduce<readonly number[]>(
    (best, entry) => (entry[1] > (best[1] ?? 0) ? entry : best),
    [],
  );
  return count * 2 >= distanceCount ? formatInterval(typicalDistance) : undefined;
}

function formatInterval(ms: number): string | undefined {
  const units = [
    ['d', dayMs],
    ['h', hourMs],
    ['m', minuteMs],
  ] as const;
  const unit = units.find(([, length]) => ms % length === 0);
  const text = unit && `${ms / unit[1]}${unit[0]}`;
  return text !== undefined && getIntervalMs(text) !== undefined ? text : undefined;
}

/** Returns "24h" for days that do not begin at midnight UTC, since their zone is unknown. */
const resolveDayInterval = (interval: string | undefined, firstInstant = 0): string | undefined =>
  interval === '1d' && firstInstant % dayMs !== 0 ? '24h' : interval;

/** The lengths of the rows in milliseconds; undefined if they are not known. */
type RowLengths = Pick<ElapsedRange, 'bins' | 'lengths'> & { readonly intervalMs: number | undefined };

/** Returns the range that the provenance states, or else the range from the first row to the end of the last; empty if no row has a time. */
function computeRange(frame: Frame | undefined, rows: RowLengths, provenance?: FileProvenance): Span {
  const [start, end] = [provenance?.start, provenance?.end].map(text => (text ? parseInstant(text) : undefined));
  if (start !== undefined && end !== undefined && start < end) return { start, end };
  let first = Infinity;
  let last = -Infinity;
  const time = frame && findTimeColumn(frame);
  time?.values.forEach((ms, row) => {
    if ((time.gaps?.[row] ?? cellState.value) !== cellState.value) return;
    first = Math.min(first, ms);
    last = Math.max(last, ms);
  });
  if (!(first <= last)) return { start: 0, end: 0 };
  const edges = getRowEdges({ start: first, end: last + 1 }, rows);
  return { start: edges?.[0] ?? first, end: edges?.at(-1) ?? last + Math.max(rows.intervalMs ?? 0, 1) };
}

/**
 * Computes the coverage of the range. Without provenance, each interval without a row is missing. An export lists the missing intervals, so any
 * other interval without a row was either not over when the data was fetched, or not exported.
 */
function computeFileCoverage(
  frame: Frame,
  span: Span,
  { intervalMs, ...rows }: RowLengths,
  provenance: FileProvenance | undefined,
): Coverage | undefined {
  const time = findTimeColumn(frame);
  const minRowMs = Math.min(intervalMs ?? NaN, ...(rows.lengths ?? []).map(length => length.intervalMs));
  const maxCount = (span.end - span.start) / minRowMs;
  if (intervalMs === undefined || !time || !(maxCount >= 1 && maxCount <= 2 * tableLimits.rows)) return undefined;
  const { count, getStart, findInterval, getHours } = getRowIntervals({ ...span, intervalMs, ...rows });
  const states = new Uint8Array(count).fill(intervalState.missing);
  for (const ms of time.values) {
    const interval = findInterval(ms);
    if (interval >= 0 && interval < count) states[interval] = intervalState.present;
  }
  const { missingRanges, moreMissingRanges = 0 } = provenance?.coverage ?? {};
  if (missingRanges && moreMissingRanges === 0) {
    const fetchedAt = (provenance?.fetchedAt && parseInstant(provenance.fetchedAt)) || Infinity;
    const listedRanges = missingRanges.map(rangeText => rangeText.split('/').map(text => parseInstant(text) ?? NaN));
    const isMissing = (ms: number): boolean => listedRanges.some(([from = NaN, to = NaN]) => ms >= from && ms < to);
    for (let interval = 0; interval < count; interval++)
      if (states[interval] !== intervalState.present && !isMissing(getStart(interval)))
        states[interval] = getStart(interval + 1) > fetchedAt ? intervalState.notPublished : intervalState.notRequested;
  }
  const coverage = createCoverage(states, new Uint8Array(count), { start: 0, end: count }, 1);
  return {
    ...coverage,
    missingRanges: coverage.missingRanges.map(([from, to]) => [getStart(from), getStart(to)]),
    ...(getHours && { edges: Float64Array.from({ length: count + 1 }, (_, interval) => getStart(interval)) }),
  };
}

/** Restores the metadata of replayed hours, as the sandbox sends it, from a mark such as `REPLAYED HOURS (2023.csv)`. */
function parseReplayMark(mark: string): Provenance['meta'] {
  const files = /\((.*)\)$/s.exec(mark)?.[1];
  return { source: 'replay', ...(files !== undefined && { replayed_from: files }) };
}

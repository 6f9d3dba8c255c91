import { aggregateDays } from '../../../src/core/bins/binFrame.ts';
import { computeBinEdges } from '../../../src/core/bins/binEdges.ts';
import { addKnownHours } from '../../../src/core/bins/knownHours.ts';
import { translateField } from '../../../src/core/bins/binSums.ts';
import { compareFrames } from '../../../src/core/compare/compareFrames.ts';
import { createFileResult } from '../../../src/core/dataFile/fileResult.ts';
import type { FileTable } from '../../../src/core/dataFile/fileTable.ts';
import type { Column, Frame } from '../../../src/shared/frame.ts';
import type { ViewState } from '../../../src/shared/protocol.ts';
import type { Coverage, Provenance } from '../../../src/shared/result.ts';
import { fillIn } from '../../l10n/fillIn.ts';
import { coverageOf, systemFrame, timeColumn } from './frames.ts';
import { takeRows } from '../../../src/core/frame/clip.ts';

type TableState = Extract<ViewState, { view: 'table' }>;
interface DisplayedState {
  readonly frame: Frame;
  readonly interval: TableState['interval'];
  readonly start: TableState['start'];
  readonly intervalMs: TableState['intervalMs'];
  readonly coverage: TableState['coverage'];
  readonly compared: TableState['compared'];
}

const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
const zone = { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' };
const intervalMs = 3_600_000;
const start = Date.UTC(2023, 2, 23, 23);

/** Pairs each numeric column with the compared one. */
export function pairsOf({ columns }: Frame): [string, string][] {
  return columns.slice(1).map(({ name }) => [name, `${name} · compared`]);
}

/** Resamples the present hours to days. */
function resampleToDays(from: number, count: number, hasHour: (hour: number) => boolean) {
  const hours = systemFrame(count);
  const allHours = { ...hours, columns: [timeColumn(count, from), ...hours.columns.slice(1)] };
  const presentRows = takeRows(allHours, Uint32Array.from([...Array(count).keys()].filter(hasHour)));
  const span = { start: from, end: from + count * intervalMs };
  const edges = computeBinEdges(span, 'day', zone.timeZone);
  return { span, edges, frame: aggregateDays(presentRows, { edges, intervalMs, zone }) };
}

/** The first two days have 24 hours; of the 23 of the third, three are left out. */
const currentDays = resampleToDays(start, 95, hour => hour < 50 || hour > 52);
const previousDays = resampleToDays(start - 96 * intervalMs, 96, () => true);

const coverage: Coverage = {
  ...coverageOf(new Uint8Array(4)),
  edges: currentDays.edges,
  hours: { present: Uint8Array.of(24, 24, 20, 24), expected: Uint8Array.of(24, 24, 23, 24) },
};

/** Creates the table state that the host sends. */
function createState(frame: Frame): DisplayedState {
  const columns = frame.columns.map(column =>
    column.field ? { ...column, field: translateField(column.field, fillIn) } : column,
  );
  const requestedUntil = { interval: '1d@Europe/Berlin', start, intervalMs: 86_400_000 };
  return { ...requestedUntil, frame: { ...frame, columns }, coverage, compared: [] };
}

/** Four days of Berlin around a clock change, of which the third has 20 of its 23 hours. */
export function zoneDays(): DisplayedState {
  return createState(currentDays.frame);
}

/** Four UTC days from a service: one with unknown hours, one with three missing, a complete one, and today after 14 hours. */
export function serviceDays(): DisplayedState {
  const first = Date.UTC(2026, 10, 20);
  const day = 24 * intervalMs;
  const frame = { rowCount: 4, columns: [timeColumn(4, first, day), ...systemFrame(4).columns.slice(1)] };
  const hours = {
    requestedAt: Float64Array.from({ length: 96 }, (_, hour) => (hour < 12 ? 0 : 1)),
    hasRow: Uint8Array.from({ length: 96 }, (_, hour) => (hour >= 24 && hour < 27 ? 0 : 1)),
    hasValue: new Map(),
  };
  const requestedUntil = new Float64Array(4).fill(first + 3 * day + 14 * intervalMs);
  const coverageWithoutHours = coverageOf(new Uint8Array(4));
  const provenance = { start: first, meta: {} } as Provenance;
  const result = addKnownHours(
    { frame, coverage: coverageWithoutHours, bodies: [], provenance },
    requestedUntil,
    hours,
  );
  return {
    ...createState(result.frame ?? frame),
    interval: '1d',
    start: first,
    coverage: result.coverage ?? coverageWithoutHours,
  };
}

/** Sixty SAST days from 1 January 2023 as in one of our exports: instants, numbers, and the name of the zone. */
export function daysInFile(): FileTable {
  const from = Date.parse('2023-01-01T00:00+02:00');
  const hours = systemFrame(60 * 24, 4);
  const allHours = { ...hours, columns: [timeColumn(hours.rowCount, from), ...hours.columns.slice(1)] };
  const presentRows = Uint32Array.from(
    allHours.columns[0]?.kind === 'time' ? [...allHours.columns[0].values.keys()] : [],
  ).filter(hour => hour % 50 !== 7);
  const edges = computeBinEdges({ start: from, end: from + 60 * 24 * intervalMs }, 'day', sast.timeZone);
  const days = aggregateDays(takeRows(allHours, presentRows), { edges, intervalMs, zone: sast });
  const { rowCount, columns } = days;
  const plain = columns.flatMap(({ name, path, ...cells }): Column[] => {
    if (cells.kind === 'time') return [{ kind: 'time', name, path, values: cells.values }];
    return cells.kind === 'number' ? [{ kind: 'number', name, path, values: cells.values }] : [];
  });
  const provenance = { source: 'Grid Data Inspector', dataset: 'systemState', resampled: 'days', bins: 'day@SAST' };
  const frame = { rowCount, columns: plain };
  return { frame, fileRowCount: rowCount, omitted: [], zone: { source: 'file' }, provenance, notes: [], text: '' };
}

/** The exported days as the panel of the file shows them, in UTC. */
export function fileDays(): DisplayedState {
  const { frame, coverage: fileCoverage, provenance } = createFileResult(daysInFile(), 'days.csv').result;
  if (!frame) throw new Error('The file has no table.');
  return { ...createState(frame), coverage: fileCoverage, start: provenance.start, interval: provenance.interval };
}

/** A day of hours and one of quarter-hours read from a file, one of each missing, as its panel shows them. */
export function fileLengths(): DisplayedState {
  const isHour = (row: number): boolean => row < 24;
  const presentRows = Uint32Array.from([...Array(120).keys()].filter(row => row !== 5 && row !== 50));
  const from = Date.UTC(2025, 8, 30);
  const values = Float64Array.from({ length: 120 }, (_, row) =>
    isHour(row) ? from + row * intervalMs : from + 24 * intervalMs + (row - 24) * (intervalMs / 4),
  );
  const mw = Float64Array.from({ length: 120 }, (_, row) => (isHour(row) ? 1_000 : 2_000));
  const columns = [
    { kind: 'time' as const, name: 'ts', path: ['ts'], values },
    { kind: 'number' as const, name: 'wind_mw', path: ['wind_mw'], values: mw },
  ];
  const frame = takeRows({ rowCount: 120, columns }, presentRows);
  const read = { fileRowCount: 118, omitted: [], zone: { source: 'file' }, provenance: undefined, notes: [], text: '' };
  const { result } = createFileResult({ frame, ...read } as FileTable, 'mixed.csv');
  const { start: begin, interval } = result.provenance;
  if (!result.frame) throw new Error('The file has no table.');
  return { ...createState(result.frame), coverage: result.coverage, start: begin, interval, intervalMs: undefined };
}

/** The four days compared with the four days before, which are complete. */
export function zoneDaysCompared(): DisplayedState {
  const frame = compareFrames(currentDays.frame, previousDays.frame, {
    align: 'position',
    intervalMs,
    timeZone: zone.timeZone,
    comparedWith: 'previous period',
    translate: fillIn,
    base: currentDays.span,
    other: previousDays.span,
    edges: { base: currentDays.edges, other: previousDays.edges },
  });
  return { ...createState(frame), compared: pairsOf(currentDays.frame) };
}

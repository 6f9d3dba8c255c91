import { t } from '@vscode/l10n';
import { listComparedTimes } from '../../core/compare/compareFrames.ts';
import { uniqueNames } from '../../core/export/exportTable.ts';
import { numbersAt, takeRows, findTimeColumn } from '../../core/frame/clip.ts';
import {
  cellState,
  type Column,
  type FieldInfo,
  type Frame,
  type NumberColumn,
  type TimeColumn,
} from '../../shared/frame.ts';
import { unitOf } from '../../shared/units.ts';
import { formatHour } from '../../core/bins/cycleNames.ts';
import type { TimeWindow } from './chartModel.ts';
import { findPointsInside } from './decimate.ts';
import { getFewHoursLabel } from './incompleteMessages.ts';
import { getLayerUnitKind } from './layers.ts';
import { roundNoise } from '../../core/frame/mixColumns.ts';
import { hoursOfDay, listVisibleLayers, type Layer, type Plot } from './plot.ts';
import { getRow, type Timeline } from './timeline.ts';

/**
 * Creates a frame with the numbers in a window of a plot. Each point has a row with its horizontal position and the value of each visible series.
 * If the points are rows of `frame`, their received values are copied exactly. A missing value is a gap.
 */
export function tabulatePlot(plot: Plot, frame: Frame, window: TimeWindow): Frame {
  const { timeline, axis, cells, fewHours } = plot;
  const points = listPoints(timeline, window);
  // A point corresponds to a row only if the horizontal axis is time.
  const rows = axis || cells ? undefined : timeline.rows ? points.map(point => timeline.rows?.[point] ?? 0) : points;
  const columns = rows ? createTimeColumns(plot, frame, rows) : [createPositionColumn(plot, frame, points)];
  if (plot.instants)
    columns.unshift({
      ...createTimeColumn(plot, frame, numbersAt(plot.instants, points)),
      field: { label: t('Time'), meaning: '' },
    });
  const layers = listVisibleLayers(plot);
  for (const layer of layers) {
    const { source } = layer;
    if (rows && frame.columns.includes(source) && unitOf(source.field).text === layer.unit)
      columns.push(...takeRows({ ...frame, columns: [source] }, rows).columns);
    else if (layer.kind === 'cells' && cells) columns.push(...createCellColumns(layer, cells.values, points));
    else columns.push(createNumberColumn(layer, numbersAt(layer.values, points)));
  }
  const areas = layers.filter(({ kind }) => kind === 'area');
  const [firstArea] = areas;
  if (firstArea && plot.totalLabel !== undefined) {
    const sums = sumParts(areas.map(({ values }) => numbersAt(values, points)));
    columns.push(
      createNumberColumn(
        { ...firstArea, column: 'total', label: plot.totalLabel, help: t('Sum of the areas shown') },
        sums,
      ),
    );
  }
  if (fewHours.points.length > 0) {
    const markedPoints = new Set(fewHours.points);
    const values = Uint8Array.from(points, point => Number(markedPoints.has(point)));
    const field = { label: getFewHoursLabel(), meaning: '', isDerived: true } as const;
    columns.push({ kind: 'boolean', name: 'few_hours', path: [], values, field });
  }
  const { fewHours: fewCells } = cells ?? {};
  if (fewCells?.includes(1)) {
    const getCellsAt = (point: number) => fewCells.subarray(point * hoursOfDay, (point + 1) * hoursOfDay);
    const values = Float64Array.from(points, point => getCellsAt(point).reduce((count, isFew) => count + isFew, 0));
    const field = { label: t('Cells with few hours'), meaning: '', isDerived: true } as const;
    columns.push({ kind: 'number', name: 'few_hours', path: [], values, field });
  }
  return { rowCount: points.length, columns: makeNamesUnique(columns) };
}

/** Lists the points of a window. Omits points without a row, which only break lines. */
function listPoints(timeline: Timeline, window: TimeWindow): Uint32Array {
  const { from, to } = findPointsInside(timeline.x, window);
  const points = new Uint32Array(to - from);
  let count = 0;
  for (let point = from; point < to; point++) if (getRow(timeline, point) !== undefined) points[count++] = point;
  return points.subarray(0, count);
}

function createTimeColumns({ isDaily }: Plot, frame: Frame, rows: Uint32Array): Column[] {
  const timeColumns = [findTimeColumn(frame), ...listComparedTimes(frame)].filter(column => column !== undefined);
  const { columns } = takeRows({ ...frame, columns: timeColumns }, rows);
  // The catalog labels the column as hours, but the rows may have any length.
  const label = isDaily ? t('Day') : t('Time');
  return columns.map((column, index) =>
    index > 0 || timeColumns[0]?.bins ? column : { ...column, field: { label, meaning: column.field?.meaning ?? '' } },
  );
}

function createTimeColumn({ bins }: Plot, frame: Frame, values: Float64Array): TimeColumn {
  const { name = 'ts' } = findTimeColumn(frame) ?? {};
  return { kind: 'time', name, path: [], values, ...(bins && { bins }) };
}

/** Creates a column with the positions of the points on a custom axis. */
function createPositionColumn(plot: Plot, frame: Frame, points: Uint32Array): Column {
  const { timeline, axis } = plot;
  const values = numbersAt(timeline.x, points);
  if (!axis) return { ...createTimeColumn(plot, frame, values), field: { label: t('Day'), meaning: '' } };
  if (axis.quantity) {
    const { name, field } = axis.quantity;
    return { kind: 'number', name, path: [], values, ...(field && { field }) };
  }
  const entries: string[] = [];
  for (const position of values) {
    entries.push(axis.format(position));
  }
  const codes = new Uint32Array(entries.length).map((_, row) => row);
  const field = { label: axis.titles[0] ?? '', meaning: '' };
  return { kind: 'text', name: 'time', path: [], texts: { codes, entries }, field };
}

/** Creates a column for each hour of the day, so that the table is arranged like the heatmap. */
function createCellColumns(layer: Layer, cells: Float64Array, points: Uint32Array): NumberColumn[] {
  return Array.from({ length: hoursOfDay }, (_, hour) => {
    const values = Float64Array.from(points, point => cells[point * hoursOfDay + hour] ?? NaN);
    const label = formatHour(hour);
    return createNumberColumn({ ...layer, column: `${layer.column} ${label}`, label }, values);
  });
}

/** Creates a column of computed numbers. It has no energy, because a point may not be an interval. */
function createNumberColumn({ column: name, label, help, unit, source }: Layer, values: Float64Array): NumberColumn {
  const kind = getLayerUnitKind({ unit, source });
  const field: FieldInfo = { label, unit: { kind, text: unit }, meaning: help, isDerived: true };
  const gaps = new Uint8Array(values.length);
  for (let row = 0; row < gaps.length; row++) gaps[row] = Number.isNaN(values[row]) ? cellState.null : cellState.value;
  return { kind: 'number', name, path: [], values, field, ...(gaps.includes(cellState.null) && { gaps }) };
}

/** Adds up the parts. A sum is NaN if any part is missing, because it would not be the total. */
function sumParts(parts: readonly Float64Array[]): Float64Array {
  const sums = new Float64Array(parts[0]?.length ?? 0);
  for (const part of parts) for (let row = 0; row < sums.length; row++) sums[row] = (sums[row] ?? 0) + (part[row] ?? 0);
  return sums.map(roundNoise);
}

/** Makes the column names unique, because two series may have the same name. */
function makeNamesUnique(columns: readonly Column[]): Column[] {
  const names = uniqueNames(columns.map(({ name }) => name));
  return columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }));
}

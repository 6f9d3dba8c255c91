import { t } from '@vscode/l10n';
import { cellState, type Column, type FieldInfo, type Frame } from '../../shared/frame.ts';
import { energy, hourCount, unitOf, type Unit } from '../../shared/units.ts';
import { shownMean, type ColumnReport } from './columnReport.ts';

/** The figures of each column as a row, as they are copied, exported and sorted. Instants are UTC milliseconds, energies in MWh. */
export function statisticsFrame(reports: readonly ColumnReport[]): Frame {
  const summaries = reports.map(({ statistics }) => statistics.summary);
  const figures = [
    numbers('mean', t('Mean'), reports.map(shownMean)),
    numbers(
      'min',
      t('Min'),
      summaries.map(one => one?.min.value),
    ),
    numbers(
      'max',
      t('Max'),
      summaries.map(one => one?.max.value),
    ),
    numbers(
      'energy_mwh',
      t('Energy'),
      reports.map(report => report.energy?.mwh),
      energy,
    ),
    numbers(
      'energy_hours',
      t('Hours of the energy'),
      reports.map(report => report.energy?.ofHours),
      hourCount,
    ),
    numbers(
      'values',
      t('Values'),
      reports.map(({ statistics }) => statistics.count),
    ),
    numbers(
      'null',
      t('Null'),
      reports.map(({ statistics }) => statistics.nulls),
    ),
    numbers(
      'absent',
      t('Absent'),
      reports.map(({ statistics }) => statistics.absent),
    ),
    numbers(
      'p5',
      t('p5'),
      summaries.map(one => one?.p5),
    ),
    numbers(
      'median',
      t('Median'),
      summaries.map(one => one?.median),
    ),
    numbers(
      'p95',
      t('p95'),
      summaries.map(one => one?.p95),
    ),
    numbers(
      'deviation',
      'σ (n − 1)',
      summaries.map(one => one?.deviation),
    ),
    numbers(
      'min_at',
      t('Time of the least'),
      summaries.map(one => one?.min.instant),
    ),
    numbers(
      'max_at',
      t('Time of the greatest'),
      summaries.map(one => one?.max.instant),
    ),
  ];
  const columns = figures.map(({ kind, ...column }): Column =>
    column.name.endsWith('_at') ? { kind: 'time', ...column } : { kind, ...column },
  );
  const names = [
    texts(
      'column',
      t('Column'),
      reports.map(({ label }) => label),
    ),
    texts(
      'field',
      t('Field'),
      reports.map(({ column }) => column.name),
    ),
    texts(
      'unit',
      t('Unit'),
      reports.map(({ column }) => unitOf(column.field).text),
    ),
  ];
  return { rowCount: reports.length, columns: [...names, ...columns] };
}

function numbers(name: string, label: string, cells: readonly (number | undefined)[], unit?: Unit) {
  const gaps = Uint8Array.from(cells, cell => (cell === undefined ? cellState.null : cellState.value));
  const field: FieldInfo = { label, meaning: '', ...(unit && { unit }) };
  return {
    kind: 'number',
    name,
    path: [name],
    field,
    values: Float64Array.from(cells, cell => cell ?? NaN),
    gaps,
  } as const;
}

function texts(name: string, label: string, entries: readonly string[]): Column {
  const codes = new Uint32Array(entries.length).map((_, row) => row);
  return { kind: 'text', name, path: [name], field: { label, meaning: '' }, texts: { codes, entries } };
}

import { gridStressFields, systemStateFields } from '../../../../src/shared/fields.ts';
import type { Frame, NumberColumn } from '../../../../src/shared/frame.ts';
import { buildPlot } from '../../../../src/presentation/chart/buildPlot.ts';
import type { ChartModel, ChartOptions } from '../../../../src/presentation/chart/chartModel.ts';
import type { Palette } from '../../../../src/presentation/chart/palette.ts';
import type { Plot } from '../../../../src/presentation/chart/plot.ts';
import type { Sink } from '../../../../src/presentation/chart/scene.ts';
import type { Unit } from '../../../../src/shared/units.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const start = Date.UTC(2026, 4, 1);
export const utc = { timeZone: 'UTC', label: 'UTC' };
export const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
export const berlin = { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' };

/** Creates a number column; null where the service sent null. Known names get their field. */
export function numbers(name: string, cells: readonly (number | null)[], unit?: Unit): NumberColumn {
  const values = Float64Array.from(cells, cell => cell ?? 7777);
  const gaps = cells.includes(null) ? Uint8Array.from(cells, cell => (cell === null ? 1 : 0)) : undefined;
  const knownField = systemStateFields.get(name) ?? gridStressFields.get(name);
  const field = unit === undefined ? knownField : { label: name, unit, meaning: name };
  return { kind: 'number', name, path: [name], values, ...(gaps && { gaps }), ...(field && { field }) };
}

/** Creates a unit that the product does not know. */
export const otherUnit = (text: string): Unit => ({ kind: 'none', text });

/** Creates a frame of columns over instants; hours from `start` if none are given. */
export function createFrame(columns: readonly NumberColumn[], instants?: readonly number[]): Frame {
  const rowCount = instants?.length ?? columns[0]?.values.length ?? 0;
  const values = Float64Array.from(instants ?? Array.from({ length: rowCount }, (_, row) => start + row * hourMs));
  return { rowCount, columns: [{ kind: 'time', name: 'ts', path: ['ts'], values }, ...columns] };
}

export function createPlot(frame: Frame, options: Partial<ChartOptions> = {}, model: Partial<ChartModel> = {}): Plot {
  const names = frame.columns.slice(1).map(({ name }) => name);
  const chartOptions = { mode: 'lines', columns: names, hidden: [], picked: {}, ...options } as const;
  const plot = buildPlot({ frame, locale: 'en', zone: utc, intervalMs: hourMs, ...model }, chartOptions);
  if (!plot) throw new Error('Nothing to draw.');
  return plot;
}

export const palette: Palette = {
  background: '#ffffff',
  foreground: '#111111',
  muted: '#555555',
  grid: '#dddddd',
  series: ['#0000aa', '#aa0000', '#00aa00', '#880088'],
  patterns: [0, 1, 0, 0],
  scale: ['#000000', '#777777', '#ffffff'],
  diverging: ['#0000ff', '#ffffff', '#ff8800'],
  bands: ['#00ff00', '#ffff00', '#ff8800', '#ff0000'],
  highContrast: false,
};

/** Records the commands of a path as text: "M1,2 L3,4 Z". */
export function createRecordingSink(): Sink & { readonly commands: string[] } {
  const commands: string[] = [];
  return {
    commands,
    moveTo: (x, y) => void commands.push(`M${x},${y}`),
    lineTo: (x, y) => void commands.push(`L${x},${y}`),
    closePath: () => void commands.push('Z'),
    rect: (x, y, width, height) =>
      void commands.push(`M${x},${y}`, `L${x + width},${y}`, `L${x + width},${y + height}`, `L${x},${y + height}`, 'Z'),
  };
}

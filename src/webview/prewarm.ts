import { html, render } from 'lit';
import { utc } from '../core/time/zone.ts';
import { hourMs } from '../shared/durations.ts';
import type { Frame } from '../shared/frame.ts';
import { gridColumnsOf } from '../presentation/columns/gridColumnsOf.ts';
import { DataGrid } from './grid/dataGrid.ts';
import { toolbar } from './result/toolbar.ts';
import { headerLine } from './views/headerLine.ts';

const [rowCount, columnCount] = [40, 10];
const nothing = (): void => undefined;

/**
 * Renders an invisible toolbar and table while the page waits for the first rows, and removes them before the next frame. This loads
 * fonts, creates formatters and templates and compiles code, which would otherwise take as long as showing the rows.
 * `isNeeded` is checked before each of the two; messages of the host are handled in between.
 */
export async function prewarm(locale: string, isNeeded: () => boolean): Promise<void> {
  for (const act of [showToolbar, showTable]) {
    await new Promise(resolve => setTimeout(resolve));
    if (!isNeeded()) return;
    const stage = document.createElement('div');
    stage.className = 'prewarm';
    stage.inert = true;
    stage.ariaHidden = 'true';
    document.body.append(stage);
    try {
      await act(stage, locale);
    } finally {
      stage.remove();
    }
  }
}

async function showToolbar(stage: HTMLElement): Promise<void> {
  const tools = { range: '', interval: '', actions: [{ action: 'refresh', label: '' }] } as const;
  const query = { tools, zone: utc, zones: [utc], tab: 'table', tabs: ['table'], resample: undefined } as const;
  const actions = { act: nothing, setTab: nothing, setZone: nothing, more: nothing, refused: {}, namesExport: false };
  render(html`${toolbar({ ...query, ...actions })} ${headerLine([{ text: '' }], nothing)}`, stage);
  // Custom elements render before the next frame.
  await Promise.resolve();
  stage.getBoundingClientRect();
}

function showTable(stage: HTMLElement, locale: string): Promise<void> {
  const events = { copy: nothing, settled: nothing, selectionChanged: nothing, arranged: nothing, announce: nothing };
  const grid = new DataGrid({ ...events, menu: nothing, cellMenu: nothing, sort: nothing }, '');
  stage.append(grid.element);
  grid.show({ columns: gridColumnsOf(sampleFrame(), locale, utc, hourMs), rowCount, hints: true });
  stage.getBoundingClientRect();
  return Promise.resolve();
}

function sampleFrame(): Frame {
  const rows = Float64Array.from({ length: rowCount }, (_, row) => row);
  const numbers = Array.from({ length: columnCount }, (_, column) => {
    const values = rows.map(row => row * 997.25 - column);
    return { kind: 'number', name: String(column), path: [String(column)], values } as const;
  });
  const time = { kind: 'time', name: 'ts', path: ['ts'], values: rows.map(row => row * hourMs) } as const;
  return { rowCount, columns: [time, ...numbers] };
}

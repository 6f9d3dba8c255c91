import { html, render } from 'lit';
import { utc } from '../core/time/zone.ts';
import { hourMs } from '../shared/durations.ts';
import type { Frame } from '../shared/frame.ts';
import { createGridColumns } from '../presentation/columns/createGridColumns.ts';
import { DataGrid } from './grid/dataGrid.ts';
import { toolbar } from './result/toolbar.ts';
import { headerLine } from './views/headerLine.ts';

const rowCount = 40;
const columnCount = 10;
const noop = (): void => undefined;

/**
 * Renders an invisible toolbar and table while the page waits for the first rows, and removes them before the next frame. This loads
 * fonts, creates formatters and templates and compiles code, which would otherwise take as long as showing the rows.
 * `isNeeded` is checked before each of the two; messages of the host are handled in between.
 */
export async function prewarmPage(locale: string, isNeeded: () => boolean): Promise<void> {
  for (const renderPart of [showToolbar, showTable]) {
    await new Promise(resolve => setTimeout(resolve));
    if (!isNeeded()) return;
    const container = document.createElement('div');
    container.className = 'prewarm';
    container.inert = true;
    container.ariaHidden = 'true';
    document.body.append(container);
    try {
      await renderPart(container, locale);
    } finally {
      container.remove();
    }
  }
}

async function showToolbar(container: HTMLElement): Promise<void> {
  const tools = { range: '', interval: '', actions: [{ action: 'refresh', label: '' }] } as const;
  const query = { tools, zone: utc, zones: [utc], tab: 'table', tabs: ['table'], resample: undefined } as const;
  const actions = {
    act: noop,
    setTab: noop,
    setZone: noop,
    openMoreActions: noop,
    disabledTabs: {},
    showsExportLabel: false,
  };
  render(html`${toolbar({ ...query, ...actions })} ${headerLine([{ text: '' }], noop)}`, container);
  // Custom elements render before the next frame.
  await Promise.resolve();
  container.getBoundingClientRect();
}

function showTable(container: HTMLElement, locale: string): Promise<void> {
  const events = { copy: noop, onSettled: noop, onSelectionChanged: noop, onColumnsArranged: noop, announce: noop };
  const grid = new DataGrid({ ...events, openColumnMenu: noop, openCellMenu: noop, sort: noop }, '');
  container.append(grid.element);
  grid.show({ columns: createGridColumns(createSampleFrame(), locale, utc, hourMs), rowCount, hints: true });
  container.getBoundingClientRect();
  return Promise.resolve();
}

function createSampleFrame(): Frame {
  const rows = Float64Array.from({ length: rowCount }, (_, row) => row);
  const numbers = Array.from({ length: columnCount }, (_, column) => {
    const values = rows.map(row => row * 997.25 - column);
    return { kind: 'number', name: String(column), path: [String(column)], values } as const;
  });
  const time = { kind: 'time', name: 'ts', path: ['ts'], values: rows.map(row => row * hourMs) } as const;
  return { rowCount, columns: [time, ...numbers] };
}

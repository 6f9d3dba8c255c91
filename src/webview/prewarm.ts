import { html, render } from 'lit';
import type { Frame } from '../shared/frame.ts';
import { gridDataOf } from './columns/gridDataOf.ts';
import { DataGrid } from './grid/dataGrid.ts';
import { toolbar } from './result/toolbar.ts';
import { headerLine } from './views/headerLine.ts';
import { utc } from '../core/time/zone.ts';

const hourMs = 3_600_000;
const [rowCount, columnCount] = [40, 10];
const nothing = (): void => undefined;

/**
 * Builds a toolbar and a table that nobody sees while a person waits for the first rows: fonts are loaded, formats and
 * templates made, and code is compiled by then, which would take as long as the rows themselves. `goesOn` is asked before each
 * of the two, between which a message of the host finds its turn. What is built is gone before the next frame.
 */
export async function prewarm(locale: string, goesOn: () => boolean): Promise<void> {
  for (const act of [showToolbar, showTable]) {
    await new Promise(resolve => setTimeout(resolve));
    if (!goesOn()) return;
    const stage = document.createElement('div');
    stage.className = 'rehearsal';
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
  const query = { tools, zone: utc, zones: [utc], tab: 'table' } as const;
  const does = { act: nothing, setTab: nothing, setZone: nothing, more: nothing };
  render(html`${toolbar({ ...query, ...does })} ${headerLine([{ text: '' }], nothing)}`, stage);
  // Elements draw themselves before the next frame.
  await Promise.resolve();
  stage.getBoundingClientRect();
}

function showTable(stage: HTMLElement, locale: string): Promise<void> {
  const grid = new DataGrid({ copy: nothing, settled: nothing, menu: nothing, sort: nothing }, '');
  stage.append(grid.element);
  grid.show(gridDataOf(sampleFrame(), locale, utc, hourMs, { hints: true }));
  stage.getBoundingClientRect();
  return Promise.resolve();
}

function sampleFrame(): Frame {
  const rows = Float64Array.from({ length: rowCount }, (_, row) => row);
  const name = (column: number): { readonly name: string; readonly path: readonly string[] } => {
    return { name: `${column}`, path: [`${column}`] };
  };
  const numbers = Array.from({ length: columnCount }, (_, column) => {
    return { kind: 'number' as const, ...name(column), values: rows.map(row => row * 997.25 - column) };
  });
  return {
    rowCount,
    columns: [{ kind: 'time', ...name(columnCount), values: rows.map(row => row * hourMs) }, ...numbers],
  };
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startWorkbench } from '../e2e/harness/start.ts';
import { until } from '../support/waiting.ts';
import { addConnection, runSystemState, tableOf } from '../e2e/support.ts';
import { sendJson, startCannedService } from '../support/cannedService.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { hour } from '../unit/service/gridWorld.ts';
import { MemoryTold, watched, WatchWorld } from '../unit/service/watch/watchWorld.ts';
import { Harness } from '../view/harness.ts';
import type { Bench, Figure } from './bench.ts';
import { heldBytes, hostBytes } from './hostBytes.ts';
import { hourMs, hoursBody } from './hoursBody.ts';
import { median } from './median.ts';
import { packExtension } from './packExtension.ts';
import { pageBytes } from './panelPage.ts';

const [rows, columns] = [87_600, 17];
const numberBytes = 8;
const panels = 20;

/** What is held in memory: by a panel, after panels that were closed, and after a day of hourly refresh. */
export const bench: Bench = async () => [
  // First, while this process is small.
  ...(await refreshFigures()),
  ...(await panelFigures()),
  ...(await closedFigures()),
];

/** A panel of ten years, beside its numbers alone; the page with all that its tabs have worked out. */
async function panelFigures(): Promise<Figure[]> {
  const host = await hostBytes(rows, Date.UTC(2015, 0, 1));
  const harness = new Harness();
  try {
    const page = await pageBytes(harness, 'tenYears');
    const all = await pageBytes(harness, 'tenYears', ['chart', 'statistics', 'table']);
    const million = await pageBytes(harness, 'million');
    const beside = (bytes: number): number => bytes / (rows * columns * numberBytes);
    return [
      { what: 'host, an answer of 87,600 × 17', value: host / rows / columns, unit: 'B/cell', atMost: 9 },
      { what: 'page, the same', value: page / rows / columns, unit: 'B/cell' },
      { what: 'page, 1,000,000 × 20', value: million / 20_000_000, unit: 'B/cell', atMost: 18 },
      { what: 'host and page, 87,600 × 17', value: beside(host + page), unit: '× its numbers', atMost: 3 },
      { what: '… once chart and statistics were seen', value: beside(host + all), unit: '× its numbers', atMost: 3 },
    ];
  } finally {
    await harness.stop();
  }
}

/** The extension host of a real VS Code after panels of ten years, each of other months, that were opened and closed in turn. */
async function closedFigures(): Promise<Figure[]> {
  await packExtension();
  const service = await startCannedService(({ query }, response) => {
    const [start, end] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')];
    sendJson(response, 200, hoursBody(Math.round((end - start) / hourMs), start));
  });
  const folder = temporaryFolder();
  const file = join(folder, 'memory.jsonl');
  // The companion of the day of use sets the clock, too.
  writeFileSync(join(folder, 'clock'), '0');
  const companions = [join(import.meta.dirname, '..', 'e2e', 'soak', 'companion')];
  const workbench = await startWorkbench({ companions, env: { GRID_DATA_SOAK: folder } });
  const openAndClose = async (month: number): Promise<void> => {
    const range = `2014-${String(month).padStart(2, '0')}..2023-12`;
    await runSystemState(workbench, range);
    await tableOf(workbench, `System state · ${range} · hourly`);
    await workbench.closeEditors();
  };
  try {
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Bench');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await workbench.closeEditors();
    // The first panels load what all share.
    for (let month = 1; month <= 3; month++) await openAndClose(month);
    const before = await heldNow(file);
    for (let panel = 0; panel < panels; panel++) await openAndClose((panel % 12) + 1);
    const after = await heldNow(file);
    return [
      { what: 'extension host, three panels of ten years closed', value: before / 1_048_576, unit: 'MB' },
      { what: `… ${panels} more`, value: after / 1_048_576, unit: 'MB' },
      { what: '… against before', value: after / before, unit: '×', atMost: 1.05 },
    ];
  } finally {
    await workbench.dispose();
    await service.close();
  }
}

/** The least of the next readings, each after a collection: what has just been let go of may still be held by the first. */
async function heldNow(file: string): Promise<number> {
  const readings = (): readonly { readonly held: number }[] =>
    (existsSync(file) ? readFileSync(file, 'utf8') : '')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as { held: number });
  const known = readings().length;
  const next = await until(
    'readings of the memory',
    () => readings().slice(known),
    ({ length }) => length >= 3,
  );
  return Math.min(...next.map(({ held }) => held));
}

/**
 * Hourly refresh of 30 days of two datasets in two windows, in virtual time: what is held more after a day, in answers. The median of several
 * days, since what is compiled comes and goes.
 */
async function refreshFigures(): Promise<Figure[]> {
  const world = new WatchWorld('2026-01-01T00:10:00Z');
  const names = Array.from({ length: columns - 1 }, (_, index) => `column_${index}_mw`);
  world.row = ms => Object.fromEntries(names.map((name, index) => [name, (ms / hour) * (index + 1)]));
  const range = { range: 'last 30 days', interval: '1h', params: {}, timeZone: 'UTC' };
  const queries = ['gridStress', 'systemState'].map(dataset => watched(dataset, { query: { dataset, ...range } }));
  const windows = ['one', 'other'].map(name => world.open(name, new MemoryTold()));
  for (const { watcher } of windows) watcher.watch(queries);
  const growths: number[] = [];
  let before = NaN;
  for (let days = 0; days <= 9; days++) {
    await world.pass(24 * hour);
    const { length: refreshes } = world.refreshed;
    if (refreshes < 2 * 2 * 23 || world.errors.length > 0)
      throw new Error(`${refreshes} refreshes, ${world.errors.join()}`);
    await world.forget();
    const held = await heldBytes();
    if (days > 0) growths.push(held - before);
    before = held;
  }
  for (const { watcher } of windows) watcher.dispose();
  const answers = median(growths) / (30 * 24 * columns * numberBytes);
  return [{ what: 'held more after a day of hourly refresh of 30 days', value: answers, unit: 'answers', atMost: 1 }];
}

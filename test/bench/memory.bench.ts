import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startWorkbench } from '../e2e/harness/start.ts';
import { until } from '../support/until.ts';
import { addConnection, runSystemState, waitForTable } from '../e2e/support.ts';
import { sendJson, startCannedService } from '../support/cannedService.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { hour } from '../unit/service/gridWorld.ts';
import { MemoryAlertHistories, watched, WatchWorld } from '../unit/service/watch/watchWorld.ts';
import { Harness } from '../view/harness.ts';
import type { Bench, Figure } from './bench.ts';
import { measureUsedBytes, measureResponseBytes } from './hostBytes.ts';
import { hourMs, createHoursBody } from './hoursBody.ts';
import { median } from './median.ts';
import { packExtension } from './packExtension.ts';
import { measurePageBytes } from './panelPage.ts';

const rows = 87_600;
const columns = 17;
const numberBytes = 8;
const panelCount = 20;

/** Measures memory: of a panel, after panels were closed, and after a day of hourly refresh. */
export const bench: Bench = async () => [
  // This runs first, while this process is small.
  ...(await measureHourlyRefresh()),
  ...(await measurePanel()),
  ...(await measureClosedPanels()),
];

/** Measures a panel of ten years compared with the size of its numbers, and the page after all its tabs were opened. */
async function measurePanel(): Promise<Figure[]> {
  const host = await measureResponseBytes(rows, Date.UTC(2015, 0, 1));
  const harness = new Harness();
  try {
    const page = await measurePageBytes(harness, 'tenYears');
    const pageWithTabs = await measurePageBytes(harness, 'tenYears', ['chart', 'statistics', 'table']);
    const million = await measurePageBytes(harness, 'million');
    const ratioToNumbers = (bytes: number): number => bytes / (rows * columns * numberBytes);
    return [
      { label: 'host, a response of 87,600 × 17', value: host / rows / columns, unit: 'B/cell', atMost: 9 },
      { label: 'page, the same response', value: page / rows / columns, unit: 'B/cell' },
      { label: 'page, 1,000,000 × 20', value: million / 20_000_000, unit: 'B/cell', atMost: 18 },
      { label: 'host and page, 87,600 × 17', value: ratioToNumbers(host + page), unit: '× its numbers', atMost: 3 },
      {
        label: '… after chart and statistics were shown',
        value: ratioToNumbers(host + pageWithTabs),
        unit: '× its numbers',
        atMost: 3,
      },
    ];
  } finally {
    await harness.stop();
  }
}

/** Measures the extension host of a real VS Code after panels of ten years were opened and closed one after the other. */
async function measureClosedPanels(): Promise<Figure[]> {
  await packExtension();
  const service = await startCannedService(({ query }, response) => {
    const start = Date.parse(query.get('start') ?? '');
    const end = Date.parse(query.get('end') ?? '');
    sendJson(response, 200, createHoursBody(Math.round((end - start) / hourMs), start));
  });
  const folder = createTemporaryFolder();
  const file = join(folder, 'memory.jsonl');
  // This companion, which the day-of-use test shares, also reads the clock file.
  writeFileSync(join(folder, 'clock'), '0');
  const companions = [join(import.meta.dirname, '..', 'e2e', 'soak', 'companion')];
  const workbench = await startWorkbench({ companions, env: { GRID_DATA_SOAK: folder } });
  const openAndClose = async (month: number): Promise<void> => {
    const range = `2014-${String(month).padStart(2, '0')}..2023-12`;
    await runSystemState(workbench, range);
    await waitForTable(workbench, `System state · ${range} · hourly`);
    await workbench.closeEditors();
  };
  try {
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Bench');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await workbench.closeEditors();
    // The first panels load the shared code.
    for (let month = 1; month <= 3; month++) await openAndClose(month);
    const bytesBefore = await readUsedBytes(file);
    for (let panel = 0; panel < panelCount; panel++) await openAndClose((panel % 12) + 1);
    const bytesAfter = await readUsedBytes(file);
    return [
      { label: 'extension host, three panels of ten years closed', value: bytesBefore / 1_048_576, unit: 'MB' },
      { label: `… bytesAfter ${panelCount} more`, value: bytesAfter / 1_048_576, unit: 'MB' },
      { label: '… relative to before', value: bytesAfter / bytesBefore, unit: '×', atMost: 1.05 },
    ];
  } finally {
    await workbench.dispose();
    await service.close();
  }
}

/** Returns the minimum of the next three readings, each after a garbage collection: released objects may still count in the first. */
async function readUsedBytes(file: string): Promise<number> {
  const readings = (): readonly { readonly held: number }[] =>
    (existsSync(file) ? readFileSync(file, 'utf8') : '')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as { held: number });
  const previousCount = readings().length;
  const next = await until(
    'readings of the memory',
    () => readings().slice(previousCount),
    ({ length }) => length >= 3,
  );
  return Math.min(...next.map(({ held }) => held));
}

/**
 * Measures the memory growth of a day of hourly refresh, as a multiple of a response: 30 days of two datasets in two windows, in virtual
 * time. Takes the median of several days, since compiled code comes and goes.
 */
async function measureHourlyRefresh(): Promise<Figure[]> {
  const world = new WatchWorld('2026-01-01T00:10:00Z');
  const names = Array.from({ length: columns - 1 }, (_, index) => `column_${index}_mw`);
  world.row = ms => Object.fromEntries(names.map((name, index) => [name, (ms / hour) * (index + 1)]));
  const range = { range: 'last 30 days', interval: '1h', params: {}, timeZone: 'UTC' };
  const queries = ['gridStress', 'systemState'].map(dataset => watched(dataset, { query: { dataset, ...range } }));
  const windows = ['one', 'other'].map(name => world.open(name, new MemoryAlertHistories()));
  for (const { watcher } of windows) watcher.watch(queries);
  const growths: number[] = [];
  let bytesBefore = NaN;
  for (let days = 0; days <= 9; days++) {
    await world.pass(24 * hour);
    const { length: refreshes } = world.refreshed;
    if (refreshes < 2 * 2 * 23 || world.errors.length > 0)
      throw new Error(`${refreshes} refreshes, ${world.errors.join()}`);
    await world.forget();
    const held = await measureUsedBytes();
    if (days > 0) growths.push(held - bytesBefore);
    bytesBefore = held;
  }
  for (const { watcher } of windows) watcher.dispose();
  const retainedResponses = median(growths) / (30 * 24 * columns * numberBytes);
  return [
    {
      label: 'memory added by a day of hourly refresh of 30 days',
      value: retainedResponses,
      unit: 'responses',
      atMost: 1,
    },
  ];
}

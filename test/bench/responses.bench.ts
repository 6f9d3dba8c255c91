import { createTableToWrite } from '../../src/core/export/exportTable.ts';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { GridError } from '../../src/core/errors.ts';
import { findTimeColumn } from '../../src/core/frame/clip.ts';
import { addMissingRows } from '../../src/core/frame/frames.ts';
import { resolveQuery } from '../../src/core/query/query.ts';
import { systemClock } from '../../src/host/systemPorts.ts';
import { Connections } from '../../src/service/connections/connections.ts';
import { exportChunks } from '../../src/service/export/exporter.ts';
import { createFingerprint } from '../../src/service/limiter/sharedLimiter.ts';
import { ConnectionEndpoints } from '../../src/service/connections/connectionEndpoints.ts';
import { QueryEngine } from '../../src/service/query/queryEngine.ts';
import { readResponse } from '../../src/service/client/readResponse.ts';
import { redactKey } from '../../src/service/connections/redact.ts';
import { ResponseStore } from '../../src/service/client/responseStore.ts';
import type { TransportOptions } from '../../src/service/client/apiClient.ts';
import type { Column, Frame } from '../../src/shared/frame.ts';
import { intervalState, type Result } from '../../src/shared/result.ts';
import { hostileResponses, type HostileResponse } from '../hostile/responses.ts';
import { createDiskWindow } from '../support/diskWindow.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { FakeSecrets, FakeState } from '../unit/service/storeFakes.ts';
import { systemFrame } from '../view/page/frames.ts';
import type { Bench, Figure } from './bench.ts';
import { hourMs, createHoursBody } from './hoursBody.ts';
import { median } from './median.ts';
import { measureFixedLoop, measureLongestBlock, getThreadCpuMs } from './threadTime.ts';

const runsEach = 3;

/** Tables with a time column and number columns; the last two have the maximum size. */
const tableSizes = [
  { name: 'ten years of hours', rowCount: 87_600, columns: 17, interval: '1h', intervalMs: hourMs },
  { name: 'four million cells', rowCount: 235_000, columns: 17, interval: '1h', intervalMs: hourMs },
  { name: 'a million minutes', rowCount: 1_000_000, columns: 4, interval: '1m', intervalMs: 60_000 },
] as const;
const start = Date.UTC(1995, 0, 1);
/** The number of distinct texts in a column of the largest table, which four responses can contain. */
const distinctTexts = 250_000;

type Measure = (label: string, work: () => Promise<unknown>) => Promise<void>;

/**
 * Measures the longest block of this thread while a response is read, as a ratio to a loop of fixed length; up to 1 is not
 * noticeable. Takes the minimum of several runs. Times are CPU times of this thread, so other programs do not count.
 */
export const bench: Bench = async () => {
  const loops: number[] = [];
  const figures: Figure[] = [];
  const measure: Measure = async (label, work) => {
    const delays: number[] = [];
    for (let run = 0; run < runsEach; run++) {
      loops.push(measureFixedLoop());
      delays.push(await measureLongestBlock(work));
    }
    const ratio = Math.min(...delays) / median(loops);
    figures.push({ label, value: ratio, unit: '×', atMost: 1 });
  };
  for (const response of hostileResponses) await measureHostileResponse(response, measure);
  for (const table of tableSizes) await measureQueryRuns(table, measure);
  await measureJoinedTable(measure);
  return [{ label: 'fixed loop', value: median(loops), unit: 'ms' }, ...figures, ...compareWithJsonParse()];
};

/** Compares reading a response with JSON.parse of the same text, which cannot be avoided. */
function compareWithJsonParse(): Figure[] {
  const hours = createHoursBody(tableSizes[0].rowCount, start);
  const wide = `[{${Array.from({ length: 1_000_000 }, (_, index) => `"c${index}":12345678901234567890`).join(',')}}]`;
  const ratio = (text: string, work: () => unknown): number =>
    measureMinimum(work) / measureMinimum(() => JSON.parse(text));
  return [
    {
      label: 'removing the key from ten years of hours, relative to JSON.parse',
      value: ratio(hours, () => redactKey(hours, 'sb_test_not_a_real_key_4Tj6Yh')),
      unit: '×',
      atMost: 0.5,
    },
    {
      label: 'a million columns of numbers beyond double precision, relative to JSON.parse',
      value: ratio(wide, () => readResponse([Buffer.from(wide)], 'not-a-real-key')),
      unit: '×',
      atMost: 2.5,
    },
  ];
}

function measureMinimum(work: () => unknown): number {
  const times = Array.from({ length: runsEach }, () => {
    const began = getThreadCpuMs();
    work();
    return getThreadCpuMs() - began;
  });
  return Math.min(...times);
}

/** Creates a window with its stores in a temporary folder, and the service that it queries. */
function createBenchWindow(createBody: (from: string, to: string) => Uint8Array): {
  readonly run: (range: string, interval: string, refresh: 'always' | 'never') => Promise<Result>;
  readonly responses: ResponseStore;
  readonly dispose: () => void;
} {
  const folder = createTemporaryFolder();
  const adapter: TransportOptions['adapter'] = async config => {
    const { start: from = '', end: to = '' } = Object.fromEntries(config.params as URLSearchParams);
    return Promise.resolve({ data: createBody(from, to), status: 200, statusText: 'OK', headers: {}, config });
  };
  // Each run is a second later, since rows fetched within the same second are not requested again.
  let runCount = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + 1_000 * runCount };
  const logger = { info: () => undefined, warn: console.warn, error: console.error };
  const windowOptions = {
    folder,
    name: 'bench',
    clock,
    logger,
    fingerprint: createFingerprint(),
    transportOptions: { adapter },
  };
  const { deps, limiter, client, readers } = createDiskWindow(windowOptions);
  const connections = new Connections({ state: new FakeState(), secrets: new FakeSecrets(), newId: () => 'bench' });
  const sandbox = { isRunning: false, ensureRunning: async () => Promise.reject(new Error('there is no sandbox')) };
  const serviceClock = { now: clock.now };
  const endpoints = new ConnectionEndpoints({ connections, client, limiter, sandbox, log: logger, serviceClock });
  const engine = new QueryEngine({ ...deps, endpoints });
  const added = connections.add({
    name: 'Bench',
    service: 'other',
    baseUrl: 'https://bench.invalid',
    key: 'not-a-real-key',
    state: 'works',
  });
  return {
    run: async (range, interval, refresh) => {
      runCount++;
      const connection = await added;
      await connections.setLimits(connection.id, { normalized_data: { requests: 1_000, seconds: 60 } });
      const resolved = resolveQuery(
        { dataset: 'systemState', range, interval, params: {}, timeZone: 'UTC' },
        clock.now(),
      );
      if (!resolved.ok) throw new Error(resolved.problem);
      const current = connections.findById(connection.id) ?? connection;
      const result = await engine.run(resolved.value, current, { refresh, preview: true }).result;
      await engine.waitForWrites();
      return result;
    },
    responses: new ResponseStore({ folder: join(folder, 'responses'), newId: randomUUID, logger, clock }),
    dispose: () => readers.dispose(),
  };
}

/** Measures a panel's work on a response: requesting it, merging it into the archive, storing its text and posting the table to the page. */
async function measureHostileResponse({ name, body, expected }: HostileResponse, measure: Measure): Promise<void> {
  const bytes = Buffer.from(body());
  const { run, responses, dispose } = createBenchWindow(() => bytes);
  await measure(`${name}, ${(bytes.length / 1e6).toFixed(1)} MB`, async () => {
    try {
      const { frame, bodies } = await run('2023-01', '1h', 'always');
      const response = responses.store(bodies);
      // VS Code serializes messages like this, and transfers arrays separately.
      JSON.stringify(frame, (_, value: unknown) => (ArrayBuffer.isView(value) ? value.byteLength : value));
      await response.readText(1_000);
      await response.dispose();
    } catch (error) {
      if (expected !== 'damaged' || !(error instanceof GridError)) throw error;
    }
  });
  dispose();
}

/** Measures whole runs of a query: from the service with a merge into the archive, and from the archive only. */
async function measureQueryRuns(
  { name, rowCount, interval, intervalMs, columns }: (typeof tableSizes)[number],
  measure: Measure,
): Promise<void> {
  const bodies = new Map<string, Uint8Array>();
  // The bodies are created in a first run, which is not measured.
  const createBody = (from: string, to: string): Uint8Array => {
    const first = Date.parse(from);
    const end = Date.parse(to);
    const body = Buffer.from(createHoursBody((end - first) / intervalMs, first, { intervalMs, columns }));
    bodies.set(from, body);
    return body;
  };
  const window = createBenchWindow((from, to) => bodies.get(from) ?? createBody(from, to));
  const range = `${new Date(start).toISOString()}..${new Date(start + rowCount * intervalMs).toISOString()}`;
  const run = async (refresh: 'always' | 'never'): Promise<void> => {
    const { frame } = await window.run(range, interval, refresh);
    if (frame?.rowCount !== rowCount) throw new Error(`${frame?.rowCount} rows`);
  };
  await run('always');
  await measure(`${name} from the service and into the archive`, async () => run('always'));
  await measure('… from the archive', async () => run('never'));
  window.dispose();
}

/** Measures work on the largest table that can result from joining several responses. */
async function measureJoinedTable(measure: Measure): Promise<void> {
  const rowCount = 1_000_000;
  const frame = withTextColumns(systemFrame(rowCount, 16));
  // With intervals of half the length, every other interval has no row.
  const states = new Uint8Array(2 * rowCount).fill(intervalState.missing);
  const firstTime = findTimeColumn(frame)?.values[0] ?? NaN;
  await measure('a million rows of 16 columns with a row for each missing interval', () => {
    const { frame: filledFrame } = addMissingRows(frame, { states }, firstTime, hourMs / 2);
    if (filledFrame.rowCount !== 2 * rowCount) throw new Error(`${filledFrame.rowCount} rows`);
    return Promise.resolve();
  });
  for (const format of ['csv', 'parquet', 'arrow'] as const)
    await measure(`… exported as ${format}`, async () => {
      const zone = { timeZone: 'Africa/Johannesburg', label: 'SAST' };
      const exportOptions = { dialect: 'standard', times: 'zone', zone, heading: 'units', provenance: 'none' } as const;
      for await (const chunk of exportChunks(createTableToWrite({ frame }), { format, ...exportOptions }))
        if (chunk.length === 0) throw new Error('empty');
    });
}

/** Returns the frame with text in its last four columns. */
function withTextColumns({ rowCount, columns }: Frame): Frame {
  const texts = columns.slice(-4).map(({ name, path }): Column => {
    const entries = Array.from({ length: distinctTexts }, (_, row) => `${name}, hour ${row}`);
    const codes = Uint32Array.from({ length: rowCount }, (_, row) => row % distinctTexts);
    return { kind: 'text', name, path, texts: { codes, entries } };
  });
  return { rowCount, columns: [...columns.slice(0, -4), ...texts] };
}

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
import { hostileAnswers, type HostileAnswer } from '../hostile/answers.ts';
import { diskWindow } from '../support/diskWindow.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { FakeSecrets, FakeState } from '../unit/service/storeFakes.ts';
import { systemFrame } from '../view/page/frames.ts';
import type { Bench, Figure } from './bench.ts';
import { hourMs, hoursBody } from './hoursBody.ts';
import { median } from './median.ts';
import { fixedLoop, longestDelay, threadMs } from './threadTime.ts';

const runs = 3;

/** Tables of which the last two are as large as any is made: rows of a time and numbers. */
const tables = [
  { name: 'ten years of hours', rowCount: 87_600, columns: 17, interval: '1h', stepMs: hourMs },
  { name: 'four million cells', rowCount: 235_000, columns: 17, interval: '1h', stepMs: hourMs },
  { name: 'a million minutes', rowCount: 1_000_000, columns: 4, interval: '1m', stepMs: 60_000 },
] as const;
const start = Date.UTC(1995, 0, 1);
/** In a column of the largest table: four answers may bring as many. */
const differentTexts = 250_000;

type Measure = (what: string, work: () => Promise<unknown>) => Promise<void>;

/**
 * The longest time in which this thread could do nothing else while an answer was read, of the least disturbed of several runs,
 * beside a loop of a fixed length in the same run: 1 is what a person does not notice. It is this thread's time on a processor: what
 * other programs take of it is not counted.
 */
export const bench: Bench = async () => {
  const loops: number[] = [];
  const figures: Figure[] = [];
  const measure: Measure = async (what, work) => {
    const delays: number[] = [];
    for (let run = 0; run < runs; run++) {
      loops.push(fixedLoop());
      delays.push(await longestDelay(work));
    }
    const ratio = Math.min(...delays) / median(loops);
    figures.push({ what, value: ratio, unit: '×', atMost: 1 });
  };
  for (const answer of hostileAnswers) await hostileRun(answer, measure);
  for (const table of tables) await wholePath(table, measure);
  await joinedTable(measure);
  return [{ what: 'the fixed loop', value: median(loops), unit: 'ms' }, ...figures, ...besideParse()];
};

/** What reading takes beside the work that nobody can spare: JSON.parse of the same text. */
function besideParse(): Figure[] {
  const hours = hoursBody(tables[0].rowCount, start);
  const wide = `[{${Array.from({ length: 1_000_000 }, (_, at) => `"c${at}":12345678901234567890`).join(',')}}]`;
  const ratio = (text: string, work: () => unknown): number => leastMs(work) / leastMs(() => JSON.parse(text));
  return [
    {
      what: 'taking the key out of ten years of hours, beside JSON.parse',
      value: ratio(hours, () => redactKey(hours, 'sb_test_not_a_real_key_4Tj6Yh')),
      unit: '×',
      atMost: 0.5,
    },
    {
      what: 'a million columns of numbers that no double holds, beside JSON.parse',
      value: ratio(wide, () => readResponse([Buffer.from(wide)], 'not-a-real-key')),
      unit: '×',
      atMost: 2.5,
    },
  ];
}

function leastMs(work: () => unknown): number {
  const times = Array.from({ length: runs }, () => {
    const began = threadMs();
    work();
    return threadMs() - began;
  });
  return Math.min(...times);
}

/** A window with its stores in a folder of its own, and the service that it asks. */
function benchWindow(answer: (from: string, to: string) => Uint8Array): {
  readonly run: (range: string, interval: string, refresh: 'always' | 'never') => Promise<Result>;
  readonly responses: ResponseStore;
  readonly end: () => void;
} {
  const folder = temporaryFolder();
  const adapter: TransportOptions['adapter'] = async config => {
    const { start: from = '', end: to = '' } = Object.fromEntries(config.params as URLSearchParams);
    return Promise.resolve({ data: answer(from, to), status: 200, statusText: 'OK', headers: {}, config });
  };
  // What was asked for in this second is not asked for again.
  let runsBefore = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + 1_000 * runsBefore };
  const logger = { info: () => undefined, warn: console.warn, error: console.error };
  const of = { folder, name: 'bench', clock, logger, fingerprint: createFingerprint(), transportOptions: { adapter } };
  const { deps, limiter, client, readers } = diskWindow(of);
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
      runsBefore++;
      const connection = await added;
      await connections.setLimits(connection.id, { normalized_data: { requests: 1_000, seconds: 60 } });
      const resolved = resolveQuery(
        { dataset: 'systemState', range, interval, params: {}, timeZone: 'UTC' },
        clock.now(),
      );
      if (!resolved.ok) throw new Error(resolved.problem);
      const known = connections.findById(connection.id) ?? connection;
      const result = await engine.run(resolved.value, known, { refresh, preview: true }).result;
      await engine.waitForWrites();
      return result;
    },
    responses: new ResponseStore({ folder: join(folder, 'responses'), newId: randomUUID, logger, clock }),
    end: () => readers.dispose(),
  };
}

/** What a panel does with an answer: asks, merges it into the archive where it is by then, keeps its text, and posts its table to the page. */
async function hostileRun({ name, body, shown }: HostileAnswer, measure: Measure): Promise<void> {
  const bytes = Buffer.from(body());
  const { run, responses, end } = benchWindow(() => bytes);
  await measure(`${name}, ${(bytes.length / 1e6).toFixed(1)} MB`, async () => {
    try {
      const { frame, bodies } = await run('2023-01', '1h', 'always');
      const response = responses.store(bodies);
      // As VS Code does it, which sends arrays beside the text.
      JSON.stringify(frame, (_, value: unknown) => (ArrayBuffer.isView(value) ? value.byteLength : value));
      await response.readText(1_000);
      await response.dispose();
    } catch (error) {
      if (shown !== 'damaged' || !(error instanceof GridError)) throw error;
    }
  });
  end();
}

/** Whole runs of a query: from the service, merged with what the archive has, and from there alone. */
async function wholePath(
  { name, rowCount, interval, stepMs, columns }: (typeof tables)[number],
  measure: Measure,
): Promise<void> {
  const bodies = new Map<string, Uint8Array>();
  // Made in a first run, which is not measured.
  const bodyOf = (from: string, to: string): Uint8Array => {
    const [first, end] = [Date.parse(from), Date.parse(to)];
    const body = Buffer.from(hoursBody((end - first) / stepMs, first, { stepMs, columns }));
    bodies.set(from, body);
    return body;
  };
  const window = benchWindow((from, to) => bodies.get(from) ?? bodyOf(from, to));
  const range = `${new Date(start).toISOString()}..${new Date(start + rowCount * stepMs).toISOString()}`;
  const run = async (refresh: 'always' | 'never'): Promise<void> => {
    const { frame } = await window.run(range, interval, refresh);
    if (frame?.rowCount !== rowCount) throw new Error(`${frame?.rowCount} rows`);
  };
  await run('always');
  await measure(`${name} from the service and into the archive`, async () => run('always'));
  await measure('… from the archive', async () => run('never'));
  window.end();
}

/** What becomes of the largest table that is made of the rows of several answers. */
async function joinedTable(measure: Measure): Promise<void> {
  const rowCount = 1_000_000;
  const frame = withTexts(systemFrame(rowCount, 16));
  // Every other step of half the length has no row.
  const states = new Uint8Array(2 * rowCount).fill(intervalState.missing);
  const first = findTimeColumn(frame)?.values[0] ?? NaN;
  await measure('a million rows of 16 columns with a row for each missing step', () => {
    const { frame: all } = addMissingRows(frame, { states }, first, hourMs / 2);
    if (all.rowCount !== 2 * rowCount) throw new Error(`${all.rowCount} rows`);
    return Promise.resolve();
  });
  for (const format of ['csv', 'parquet', 'arrow'] as const)
    await measure(`… exported as ${format}`, async () => {
      const zone = { timeZone: 'Africa/Johannesburg', label: 'SAST' };
      const looks = { dialect: 'standard', times: 'zone', zone, heading: 'units', provenance: 'none' } as const;
      for await (const chunk of exportChunks(createTableToWrite({ frame }), { format, ...looks }))
        if (chunk.length === 0) throw new Error('empty');
    });
}

/** The frame with texts in its last four columns. */
function withTexts({ rowCount, columns }: Frame): Frame {
  const texts = columns.slice(-4).map(({ name, path }): Column => {
    const entries = Array.from({ length: differentTexts }, (_, row) => `${name}, hour ${row}`);
    const codes = Uint32Array.from({ length: rowCount }, (_, row) => row % differentTexts);
    return { kind: 'text', name, path, texts: { codes, entries } };
  });
  return { rowCount, columns: [...columns.slice(0, -4), ...texts] };
}

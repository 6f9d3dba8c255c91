import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withMissingRowsSteps } from '../../src/core/missingRows.ts';
import { resolveQuery } from '../../src/core/query.ts';
import { systemClock } from '../../src/host/systemPorts.ts';
import { AnswerReader } from '../../src/service/answerReader.ts';
import { exportChunks } from '../../src/service/export/exporter.ts';
import { keyFingerprint } from '../../src/service/limiter/fingerprint.ts';
import { pausedSteps } from '../../src/service/pausedSteps.ts';
import { readAnswer } from '../../src/service/readAnswer.ts';
import { redactKey } from '../../src/service/redact.ts';
import type { TransportOptions } from '../../src/service/transport.ts';
import type { Column, Frame } from '../../src/shared/frame.ts';
import { stepState } from '../../src/shared/result.ts';
import { hostileAnswers } from '../hostile/answers.ts';
import { diskWindow } from '../support/diskWindow.ts';
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
const exportedTable = tables[1].name;
const start = Date.UTC(1995, 0, 1);

type Measure = (what: string, bytes: number, work: () => Promise<unknown>) => Promise<void>;

/**
 * The longest time in which this thread could do nothing else while an answer was read, of the least disturbed of several runs,
 * beside a loop of a fixed length in the same run: 1 is what a person does not notice. It is this thread's time on a processor: what
 * other programs take of it is not counted.
 */
export const bench: Bench = async () => {
  const reader = new AnswerReader();
  const loops: number[] = [];
  const figures: Figure[] = [];
  const measure: Measure = async (what, bytes, work) => {
    const delays: number[] = [];
    for (let run = 0; run < runs; run++) {
      loops.push(fixedLoop());
      delays.push(await longestDelay(work));
    }
    const ratio = Math.min(...delays) / median(loops);
    figures.push({ what: `${what}, ${(bytes / 1e6).toFixed(1)} MB`, value: ratio, unit: '×', atMost: 1 });
  };
  for (const { name, body } of hostileAnswers) {
    const bytes = Buffer.from(body());
    await measure(name, bytes.length, async () => reader.read([bytes], 'not-a-real-key'));
  }
  await reader.dispose();
  for (const table of tables) await wholePath(table, measure);
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
      ...{ unit: '×', atMost: 0.5 },
    },
    {
      what: 'a million columns of numbers that no double holds, beside JSON.parse',
      value: ratio(wide, () => readAnswer([Buffer.from(wide)], 'not-a-real-key')),
      ...{ unit: '×', atMost: 2.5 },
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

/** Whole runs of a query: from the service, merged with what the archive has, and from there alone; then what becomes of the answer. */
async function wholePath(
  { name, rowCount, interval, stepMs, columns }: (typeof tables)[number],
  measure: Measure,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'grid-data-bench-'));
  const bodies = new Map<string, Uint8Array>();
  let bytes = 0;
  // Made in a first run, which is not measured.
  const bodyOf = (from: string, to: string): Uint8Array => {
    const [first, end] = [Date.parse(from), Date.parse(to)];
    const body = Buffer.from(hoursBody((end - first) / stepMs, first, { stepMs, columns }));
    bodies.set(from, body);
    bytes += body.length;
    return body;
  };
  const adapter: TransportOptions['adapter'] = async config => {
    const { start: from, end: to } = Object.fromEntries(config.params as URLSearchParams) as Record<string, string>;
    const data = bodies.get(from ?? '') ?? bodyOf(from ?? '', to ?? '');
    return Promise.resolve({ data, status: 200, statusText: 'OK', headers: {}, config });
  };
  const logger = { info: () => undefined, warn: console.warn, error: console.error };
  const window = { folder, name: 'bench', clock: systemClock, logger, fingerprint: keyFingerprint() };
  const { runner } = diskWindow({ ...window, transportOptions: { adapter } });
  const range = `${new Date(start).toISOString()}..${new Date(start + rowCount * stepMs).toISOString()}`;
  const resolved = resolveQuery({ dataset: 'systemState', range, interval, params: {} }, Date.now(), 'UTC');
  if (!resolved.ok) throw new Error(resolved.problem);
  const limits = { normalized_data: { requests: 1_000, seconds: 60 } };
  const endpoint = { name: 'Bench', baseUrl: 'https://bench.invalid', key: 'not-a-real-key', source: 'bench', limits };
  const run = async (refresh: 'always' | 'never'): Promise<Frame> => {
    const options = { refresh, onProgress: () => undefined, onHead: () => undefined };
    const { frame } = await runner.run(resolved.value, endpoint, options);
    if (frame?.rowCount !== rowCount) throw new Error(`${frame?.rowCount} rows`);
    await runner.settled();
    return frame;
  };
  const frame = await run('always');
  await measure(`${name} from the service and into the archive`, bytes, async () => run('always'));
  await measure('… from the archive', bytes, async () => run('never'));
  rmSync(folder, { recursive: true });
  // Every other step of half the length has no row.
  const states = new Uint8Array(2 * rowCount).fill(stepState.missing);
  await measure('… with a row for each missing step', bytes, async () =>
    pausedSteps(withMissingRowsSteps(frame, { states }, start, stepMs / 2)),
  );
  if (name === exportedTable) await exports(withTexts(frame), bytes, measure);
}

async function exports(frame: Frame, bytes: number, measure: Measure): Promise<void> {
  for (const format of ['csv', 'parquet', 'arrow'] as const)
    await measure(`… four of its columns as texts, exported as ${format}`, bytes, async () => {
      const zone = { timeZone: 'Africa/Johannesburg', label: 'SAST' };
      const options = {
        format,
        dialect: 'standard',
        times: 'zone',
        zone,
        heading: 'units',
        provenance: 'none',
      } as const;
      for await (const chunk of exportChunks({ frame }, options)) if (chunk.length === 0) throw new Error('empty');
    });
}

/** The frame with another text in each cell of its last four columns. */
function withTexts({ rowCount, columns }: Frame): Frame {
  const texts = columns.slice(-4).map(({ name, path }): Column => {
    const entries = Array.from({ length: rowCount }, (_, row) => `${name}, hour ${row}`);
    return { kind: 'text', name, path, texts: { codes: Uint32Array.from(entries.keys()), entries } };
  });
  return { rowCount, columns: [...columns.slice(0, -4), ...texts] };
}

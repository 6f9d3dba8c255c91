import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ReaderJob } from '../../../../src/service/reader/readerJobs.ts';
import { ReaderProcesses, type ReaderLimits } from '../../../../src/service/reader/readerProcess.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { until } from '../../../support/until.ts';

const reader = join(import.meta.dirname, '../../../../src/service/reader');
const job: ReaderJob = { kind: 'response', bodies: [Buffer.from('[{"a":1}]')], key: '' };
/** A body of 20 MB, for which JSON.parse needs hundreds of megabytes. */
const objects: ReaderJob = {
  kind: 'response',
  bodies: [Buffer.from(`[{"a":[${'{},'.repeat(7_000_000)}{}]}]`)],
  key: '',
};

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Creates readers that run `code` for each job, and append their process id to a file. */
function readersThat(code: string, limits: Partial<ReaderLimits> = {}) {
  const folder = createTemporaryFolder();
  const file = join(folder, 'reader.mjs');
  const ids = join(folder, 'ids');
  const createImportUrl = (name: string): string => JSON.stringify(pathToFileURL(join(reader, name)).href);
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs';
    import { MessageParser, writeMessage } from ${createImportUrl('messageStream.ts')};
    appendFileSync(${JSON.stringify(ids)}, process.pid + '\\n');
    const reply = message => writeMessage(process.stdout, message);
    const parser = new MessageParser(async job => { ${code} });
    process.stdin.on('data', chunk => parser.push(chunk)).on('end', () => process.exit());`,
  );
  const readProcessIds = (): number[] =>
    existsSync(ids) ? readFileSync(ids, 'utf8').split('\n').filter(Boolean).map(Number) : [];
  return { readers: new ReaderProcesses(limits, file), pids: readProcessIds };
}

const echo = `reply({ kind: 'error', message: 'x' });`;

describe('ReaderProcesses', () => {
  it('renders an SVG document with its text as a PNG', async () => {
    const readers = new ReaderProcesses();
    const measureSize = async (text: string): Promise<number> => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100" font-family="Arial"><text x="5" y="60" font-size="40">${text}</text></svg>`;
      const reply = await readers.run({ kind: 'picture', svg });
      assert.ok(reply.kind === 'picture');
      const png = Buffer.from(reply.png);
      assert.deepEqual([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)], ['PNG', 300, 100]);
      return png.length;
    };
    const none = await measureSize('');
    const wind = await measureSize('Wind, MW');
    const sum = await measureSize('Σ');
    assert.ok(wind > 2 * none && sum > none, `${none}, ${wind}, ${sum} bytes`);
    readers.dispose();
  });

  it('runs consecutive jobs in one process, and concurrent jobs in several', async () => {
    const { readers, pids } = readersThat(echo);
    for (let time = 0; time < 3; time++) assert.deepEqual(await readers.run(job), { kind: 'error', message: 'x' });
    assert.equal(pids().length, 1);
    await Promise.all([readers.run(job), readers.run(job)]);
    assert.equal(pids().length, 2);
    readers.dispose();
    await until('the process ended', () => !pids().some(isRunning));
  });

  it('starts one process in advance, which the job then uses', async () => {
    const { readers, pids } = readersThat(echo);
    readers.prepare();
    readers.prepare();
    await until('the process runs', () => pids().length === 1);
    await readers.run(job);
    assert.equal(pids().length, 1);
    readers.prepare();
    readers.dispose();
    await until('the process ended', () => !pids().some(isRunning));
  });

  it('ends the process when the caller aborts', async () => {
    const { readers, pids } = readersThat(`for (;;);`);
    const stop = new AbortController();
    const running = readers.run(job, { signal: stop.signal });
    await until('the process runs', () => pids().length === 1);
    stop.abort(new Error('enough'));
    await assert.rejects(running, { message: 'enough' });
    await until('the process ended', () => !pids().some(isRunning));
    await assert.rejects(readers.run(job, { signal: stop.signal }), { message: 'enough' });
  });

  it('ends a process that takes too long', async () => {
    const { readers, pids } = readersThat(`for (;;);`, { seconds: 1 });
    await assert.rejects(readers.run(job), { reason: 'time' });
    await until('the process ended', () => !pids().some(isRunning));
  });

  it('ends a process that reports too much memory, and one that does not report', async () => {
    const { readers } = readersThat(`process.stderr.write('rss 99999999999\\n'); for (;;);`);
    await assert.rejects(readers.run(job), { reason: 'memory' });
    const { readers: silent } = readersThat(`for (;;);`, { maxSilentSeconds: 1 });
    await assert.rejects(silent.run(job), { reason: 'memory' });
  });

  it('survives a reader that exceeds its heap, or its memory', async () => {
    const heap = new ReaderProcesses({ heapMb: 100 });
    await assert.rejects(heap.run(objects), { reason: 'memory' });
    const resident = new ReaderProcesses({ residentMb: 200 });
    await assert.rejects(resident.run(objects), { reason: 'memory' });
    assert.equal((await resident.run(job)).kind, 'response');
    resident.dispose();
  });

  it('starts another process when the idle one has ended', async () => {
    const { readers, pids } = readersThat(`await ${echo} setImmediate(() => process.exit());`);
    for (let time = 1; time <= 3; time++) {
      assert.equal((await readers.run(job)).kind, 'error');
      await until('the process ended', () => !pids().some(isRunning));
    }
    assert.equal(pids().length, 3);
  });

  it('ends an idle process after a while', async () => {
    const { readers, pids } = readersThat(echo, { idleSeconds: 0 });
    await readers.run(job);
    await until('the process ended', () => !pids().some(isRunning));
    await readers.run(job);
    assert.equal(pids().length, 2);
  });

  it('gives no job to an idle process that is being ended', async () => {
    const { readers, pids } = readersThat(echo, { idleSeconds: 0 });
    await readers.run(job);
    const afterIdling = new Promise(resolve => setTimeout(resolve, 1));
    // Both timers fire in succession, before the end of the process can be reported.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    await afterIdling;
    assert.equal((await readers.run(job)).kind, 'error');
    assert.equal(pids().length, 2);
  });

  it('rejects when no process can be started', async () => {
    const { execPath } = process;
    process.execPath = join(createTemporaryFolder(), 'nothing');
    try {
      await assert.rejects(new ReaderProcesses().run(job), { reason: 'start' });
    } finally {
      process.execPath = execPath;
    }
  });

  it('neither keeps its parent running nor outlives it', () => {
    const parent = `
      import { ReaderProcesses } from ${JSON.stringify(pathToFileURL(join(reader, 'readerProcess.ts')).href)};
      const readers = new ReaderProcesses();
      const read = await readers.run({ kind: 'response', bodies: [Buffer.from('[{"a":1}]')], key: '' });
      console.log(read.kind);`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', parent], { encoding: 'utf8' });
    assert.deepEqual([stdout, status], ['response\n', 0]);
  });
});

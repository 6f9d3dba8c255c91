import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import { ExactNumber } from '../../../../src/core/json/json.ts';
import { AnswerReader } from '../../../../src/service/client/answerReader.ts';
import { decodeBody, readAnswer } from '../../../../src/service/client/readAnswer.ts';
import { turnsWithin } from './turnsWithin.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

const rows = Array.from({ length: 4_000 }, (_, row) => ({
  ts: formatInstant(row * 3_600_000),
  mw: row % 7 === 0 ? null : row / 7,
  by: 'a',
  tags: row % 2 === 0 ? [row] : undefined,
}));
/** Long enough for a thread. */
const long = Buffer.from(JSON.stringify({ meta: { note: 'x' }, next: '?page=2', data: rows }));

describe('AnswerReader', () => {
  let reader = new AnswerReader();
  beforeEach(() => (reader = new AnswerReader()));
  afterEach(async () => reader.dispose());

  /** A reader whose thread runs this code on each message. */
  const running = (code: string): AnswerReader => {
    const file = join(temporaryFolder(), 'thread.cjs');
    writeFileSync(file, `const { parentPort } = require('node:worker_threads'); ${code}`);
    return new AnswerReader(file);
  };

  it('decodes a long response in a worker thread like on the main one, repeatedly and in parallel', async () => {
    const expected = readAnswer([long], '');
    assert.ok(expected.ok && expected.decoded.frame?.rowCount === rows.length && expected.next === '?page=2');
    const failing = running(
      `parentPort.on('message', () => parentPort.postMessage({ kind: 'error', error: new TypeError('read there') }));`,
    );
    for (const time of ['first', 'second']) {
      const failed = [failing.read([long], ''), failing.read([long], '')];
      await Promise.all(failed.map(async read => assert.rejects(read, { message: 'read there' }, time)));
      assert.deepEqual(await Promise.all([reader.read([long], ''), reader.read([long], '')]), [expected, expected]);
    }
  });

  it('decodes a short response in a worker thread when it stands for very many cells', async () => {
    const failing = running(
      `parentPort.on('message', () => parentPort.postMessage({ kind: 'error', error: new TypeError('read there') }));`,
    );
    const sparse = (rows: number): Buffer =>
      Buffer.from(`[{${Array.from({ length: 500 }, (_, at) => `"c${at}":1`).join(',')}}${',{}'.repeat(rows - 1)}]`);
    await assert.rejects(failing.read([sparse(201)], ''), { message: 'read there' });
    assert.deepEqual(await failing.read([sparse(200)], ''), readAnswer([sparse(200)], ''));
    assert.deepEqual(await reader.read([sparse(201)], ''), readAnswer([sparse(201)], ''));
  });

  it('decodes on the main thread only what it can search for an escaped key in a frame or two', async () => {
    const failing = running(
      `parentPort.on('message', () => parentPort.postMessage({ kind: 'error', error: new TypeError('read there') }));`,
    );
    const escaped = (length: number): Buffer => Buffer.from(JSON.stringify([{ said: '\\'.repeat(length) }]));
    await assert.rejects(failing.read([escaped(2 ** 14)], ''), { message: 'read there' });
    assert.deepEqual(await failing.read([escaped(2 ** 13)], ''), readAnswer([escaped(2 ** 13)], ''));
  });

  it('copies a long response to its thread in pieces, and stops when aborted', async () => {
    const body = new Uint8Array(40 * 2 ** 20).fill(32);
    const stop = new AbortController();
    const reading = reader.read([body], '', stop.signal);
    const rejected = assert.rejects(reading, { message: 'enough' });
    await setImmediate();
    stop.abort(new Error('enough'));
    const turns = await turnsWithin(rejected);
    assert.ok(turns < 5, `${turns}`);
    assert.equal(body.byteLength, 40 * 2 ** 20);
  });

  it('decodes the pages of a response as one table', async () => {
    const read = await reader.read([long, Buffer.from('[{"mw":"high","more":1}]')], '');
    assert.ok(read.ok);
    assert.equal(read.decoded.frame?.rowCount, rows.length + 1);
    assert.equal(read.decoded.frame.columns.find(({ name }) => name === 'mw')?.kind, 'nested');
  });

  it('keeps exact numbers of the envelope unchanged', async () => {
    const body = Buffer.from(`{"count":12345678901234567890,"data":[${'{"a":1},'.repeat(20_000)}{"a":2}]}`);
    const read = await reader.read([body], '');
    assert.deepEqual(read.ok && read.decoded.meta, { count: new ExactNumber('12345678901234567890') });
  });

  it('skips exact numbers when no table has room for them', () => {
    const wide = `[{${Array.from({ length: 2_001 }, (_, at) => `"c${at}":12345678901234567890`).join(',')}}]`;
    const body = decodeBody(Buffer.from(wide), '');
    assert.deepEqual(body.ok && [body.problem, body.value], ['tooManyColumns', JSON.parse(wide)]);
  });

  it('removes the key from its result', async () => {
    const key = 'sb_test_not_a_real_key';
    const read = await reader.read([Buffer.from(`[{"said":"${key}"},${'{"a":1},'.repeat(20_000)}{"a":2}]`)], key);
    assert.ok(read.ok && read.cleaned);
    assert.ok(!Buffer.from(read.cleaned).includes(key));
    assert.ok(!JSON.stringify(read.decoded).includes(key));
  });

  it('explains what is wrong with a damaged long response', async () => {
    const read = await reader.read([long.subarray(0, -1)], '');
    assert.ok(!read.ok && read.why.startsWith('the response is not JSON'));
  });

  it('ends the thread when the caller aborts', async () => {
    const stop = new AbortController();
    const busy = running(`parentPort.on('message', () => { for (;;); });`);
    const reading = busy.read([long], '', stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(reading, { message: 'enough' });
  });

  it("returns a response that exhausts the thread's memory as text", async () => {
    const full = `const error = Object.assign(new Error('full'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });`;
    const read = await running(`${full} parentPort.on('message', () => { throw error; });`).read([long], '');
    assert.equal(read.ok && read.decoded.problem, 'tooLarge');
  });

  it('decodes on the main thread when no worker thread starts', async () => {
    const expected = readAnswer([long], '');
    assert.deepEqual(await new AnswerReader(join(temporaryFolder(), 'missing.mjs')).read([long], ''), expected);
    assert.deepEqual(await running(`parentPort.close();`).read([long], ''), expected);
  });

  it('starts another thread when the idle one has ended or failed', async () => {
    const reply = { kind: 'read', answer: readAnswer([Buffer.from('{}')], ''), meta: '{}' };
    for (const end of [`process.exit()`, `throw new Error('gone')`]) {
      const ending = running(
        `parentPort.on('message', () => { parentPort.postMessage(${JSON.stringify(reply)}); setImmediate(() => { ${end}; }); });`,
      );
      const started = once(process, 'worker') as Promise<[Worker]>;
      assert.ok((await ending.read([long], '')).ok);
      const [worker] = await started;
      if (worker.threadId !== -1) await new Promise(resolve => worker.once('exit', resolve));
      assert.ok((await ending.read([long], '')).ok);
      await ending.dispose();
    }
  });

  it('uses another thread when the previous one ended with its response', async () => {
    const reply = { kind: 'read', answer: readAnswer([Buffer.from('{}')], ''), meta: '{}' };
    const code = `parentPort.on('message', () => { parentPort.postMessage(${JSON.stringify(reply)}); process.exit(); });`;
    /** Of each try, when its answer came: -1 is that of a thread that has ended. */
    const threadIds: number[] = [];
    // The answer and the end come in one go to a process that was busy meanwhile; how long that must be depends on the machine.
    for (let busyMs = 100; !threadIds.includes(-1); busyMs *= 2) {
      assert.ok(busyMs < 20_000, 'the thread never ended with its response');
      const ending = running(code);
      const started = once(process, 'worker') as Promise<[Worker]>;
      const first = ending.read([long], '');
      const [worker] = await started;
      worker.once('message', () => queueMicrotask(() => threadIds.push(worker.threadId)));
      await setImmediate();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs);
      assert.ok((await first).ok);
      assert.ok((await ending.read([long], '')).ok);
      await ending.dispose();
    }
  });

  it('rethrows an error of its thread', async () => {
    const failing = running(
      `parentPort.on('message', () => parentPort.postMessage({ kind: 'error', error: new TypeError('no such thing') }));`,
    );
    await assert.rejects(failing.read([long], ''), { message: 'no such thing' });
  });
});

import assert from 'node:assert/strict';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import { ExactNumber } from '../../../../src/core/json/json.ts';
import { ResponseReader } from '../../../../src/service/client/responseReader.ts';
import { decodeResponseBody, readResponse } from '../../../../src/service/client/readResponse.ts';
import type { ReaderJob, ReaderReply } from '../../../../src/service/reader/readerJobs.ts';
import {
  ReaderEndedError,
  ReaderProcesses,
  type ReaderEndReason,
} from '../../../../src/service/reader/readerProcess.ts';

const rows = Array.from({ length: 4_000 }, (_, row) => ({
  ts: formatInstant(row * 3_600_000),
  mw: row % 7 === 0 ? null : row / 7,
  by: `text ${row}`,
  tags: row % 2 === 0 ? [row] : undefined,
}));
/** A body that is long enough for the reader process. */
const longBody = Buffer.from(JSON.stringify({ meta: { note: 'x'.repeat(200_000) }, next: '?page=2', data: rows }));

/** Counts jobs without running them. */
class CountingReaders extends ReaderProcesses {
  readonly jobs: ReaderJob[] = [];
  prepared = 0;
  readonly #outcome: ReaderEndReason | ReaderReply;

  constructor(outcome: ReaderEndReason | ReaderReply = { kind: 'error', message: 'read there' }) {
    super();
    this.#outcome = outcome;
  }

  override prepare(): void {
    this.prepared++;
  }

  override async run(job: ReaderJob): Promise<ReaderReply> {
    this.jobs.push(job);
    if (typeof this.#outcome === 'string') throw new ReaderEndedError(this.#outcome);
    return Promise.resolve(this.#outcome);
  }
}

describe('ResponseReader', () => {
  const readers = new ReaderProcesses();
  const reader = new ResponseReader(readers);
  after(() => readers.dispose());

  it('starts the reader in advance for more than a month of hours', () => {
    const rowsPrepared = [24, 744, 745, 8_760].filter(count => {
      const counting = new CountingReaders();
      new ResponseReader(counting).prepare(count);
      return counting.prepared > 0;
    });
    assert.deepEqual(rowsPrepared, [745, 8_760]);
  });

  it('returns the same from the reader as from this process, repeatedly and in parallel', async () => {
    const expected = readResponse([longBody], '');
    assert.ok(expected.ok && expected.decoded.frame?.rowCount === rows.length && expected.next === '?page=2');
    for (let time = 0; time < 2; time++)
      assert.deepEqual(await Promise.all([reader.read([longBody], ''), reader.read([longBody], '')]), [
        expected,
        expected,
      ]);
  });

  for (const [description, small, large] of [
    ['bytes', `[{"a":"${'x'.repeat(260_000)}"}]`, `[{"a":"${'x'.repeat(262_144)}"}]`],
    ['values', `[${'1,'.repeat(19_990)}1]`, `[${'1,'.repeat(20_000)}1]`],
    ['levels', `{"data":[{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}]}`, '['.repeat(20_001)],
    ['escapes', JSON.stringify([{ said: '\\'.repeat(9_000) }]), JSON.stringify([{ said: '\\'.repeat(10_001) }])],
    ['escapes of URLs', `[{"a":"${'%41'.repeat(19_990)}"}]`, `[{"a":"${'%41'.repeat(20_001)}"}]`],
    ...['\x7f', '\u00ad', '\u200b', '\u{e0001}'].map(hidden => [
      `characters such as ${JSON.stringify(encodeURI(hidden))}`,
      `[{"a":"${hidden.repeat(19_990)}"}]`,
      `[{"a":"${hidden.repeat(20_001)}"}]`,
    ]),
    [
      'cells',
      `[{${Array.from({ length: 500 }, (_, index) => `"c${index}":1`).join(',')}}${',{}'.repeat(199)}]`,
      `[{${Array.from({ length: 500 }, (_, index) => `"c${index}":1`).join(',')}}${',{}'.repeat(200)}]`,
    ],
  ] as const)
    it(`reads few ${description} in this process, and many in the reader`, async () => {
      const counting = new CountingReaders();
      const responseReader = new ResponseReader(counting);
      assert.deepEqual(await responseReader.read([Buffer.from(small)], ''), readResponse([Buffer.from(small)], ''));
      assert.equal(counting.jobs.length, 0);
      await assert.rejects(responseReader.read([Buffer.from(large)], ''), { message: 'read there' });
      assert.equal(counting.jobs.length, 1);
    });

  it('explains why a response has no table when its reader was ended', async () => {
    for (const [end, problem] of [
      ['memory', 'tooLarge'],
      ['time', 'tooSlow'],
    ] as const) {
      const response = await new ResponseReader(new CountingReaders(end)).read([longBody], '');
      assert.equal(response.ok && response.decoded.problem, problem);
    }
    await assert.rejects(new ResponseReader(new CountingReaders('start')).read([longBody], ''), { reason: 'noReader' });
  });

  it('rejects when the caller aborts', async () => {
    const stop = new AbortController();
    const reading = reader.read([longBody], '', stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(reading, { message: 'enough' });
    assert.ok((await reader.read([longBody], '')).ok);
  });

  it('decodes the pages of a response as one table', async () => {
    const response = await reader.read([longBody, Buffer.from('[{"mw":"high","more":1}]')], '');
    assert.ok(response.ok);
    assert.equal(response.decoded.frame?.rowCount, rows.length + 1);
    assert.equal(response.decoded.frame.columns.find(({ name }) => name === 'mw')?.kind, 'nested');
  });

  it('keeps exact numbers of the envelope unchanged', async () => {
    const body = Buffer.from(`{"count":12345678901234567890,"data":[${'{"a":1},'.repeat(40_000)}{"a":2}]}`);
    const response = await reader.read([body], '');
    assert.deepEqual(response.ok && response.decoded.meta, { count: new ExactNumber('12345678901234567890') });
  });

  it('skips exact numbers when the table has no room for them', () => {
    const wide = `[{${Array.from({ length: 2_001 }, (_, index) => `"c${index}":12345678901234567890`).join(',')}}]`;
    const body = decodeResponseBody(Buffer.from(wide), '');
    assert.deepEqual(body.ok && [body.problem, body.value], ['tooManyColumns', JSON.parse(wide)]);
  });

  it('removes the key from its result', async () => {
    const key = 'sb_test_not_a_real_key';
    const response = await reader.read([Buffer.from(`[{"said":"${key}"},${'{"a":1},'.repeat(40_000)}{"a":2}]`)], key);
    assert.ok(response.ok && response.cleaned);
    assert.ok(!Buffer.from(response.cleaned).includes(key));
    assert.ok(!JSON.stringify(response.decoded).includes(key));
  });

  it('explains why a long response is damaged', async () => {
    const response = await reader.read([longBody.subarray(0, -1)], '');
    assert.ok(!response.ok && response.why.startsWith('the response is not JSON'));
  });
});

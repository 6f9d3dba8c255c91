import assert from 'node:assert/strict';
import { runSteps } from '../../../../src/core/time/steps.ts';
import { firstRecordsSteps } from '../../../../src/service/client/apiClient.ts';
import { testKey } from './clientSetUp.ts';

const rows = (count: number, note: (row: number) => string = () => 'é') =>
  Array.from({ length: count }, (_, row) => ({ row, note: note(row) }));
const firstRecords = (bytes: Uint8Array, key: string) => runSteps(firstRecordsSteps(bytes, key));
const bytesOf = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

describe('the first records of a body', () => {
  it('returns 200 records of a long body, with or without an envelope', () => {
    const long = rows(5000);
    assert.deepEqual(firstRecords(bytesOf({ meta: {}, data: long }), testKey), long.slice(0, 200));
    assert.deepEqual(firstRecords(bytesOf(`\ufeff ${JSON.stringify(long)}\r\n`), testKey), long.slice(0, 200));
  });

  it('returns no first records of a short body', () => {
    assert.equal(firstRecords(bytesOf(rows(1000)), testKey), undefined);
  });

  it('returns no first records of a truncated body', () => {
    const bytes = bytesOf({ data: rows(5000) });
    assert.equal(firstRecords(bytes.subarray(0, -10), testKey), undefined);
    assert.equal(firstRecords(new Uint8Array(), testKey), undefined);
  });

  it('returns first records when the cut splits a character', () => {
    for (const pad of ['', 'x', 'xx', 'xxx']) {
      const long = rows(50_000, () => `${pad}𝄞`);
      assert.equal(firstRecords(bytesOf(long), testKey)?.length, 200);
    }
  });

  it('returns no first records when they are not valid text', () => {
    const bytes = bytesOf(rows(5000));
    bytes[100] = 0xff;
    assert.equal(firstRecords(bytes, testKey), undefined);
  });

  it('returns no first records when they contain the key, but ignores it further on', () => {
    const withKeyIn = (place: number) => rows(5000, row => (row === place ? `seen ${testKey}` : ''));
    for (const place of [0, 199]) assert.equal(firstRecords(bytesOf(withKeyIn(place)), testKey), undefined);
    assert.equal(firstRecords(bytesOf(withKeyIn(4000)), testKey)?.length, 200);
  });
});

import assert from 'node:assert/strict';
import { runSteps } from '../../../src/core/steps.ts';
import { firstRecordsSteps } from '../../../src/service/firstRecords.ts';
import { testKey } from './clientSetUp.ts';

const rows = (count: number, note: (row: number) => string = () => 'é') =>
  Array.from({ length: count }, (_, row) => ({ row, note: note(row) }));
const firstRecords = (bytes: Uint8Array, key: string) => runSteps(firstRecordsSteps(bytes, key));
const bytesOf = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

describe('the first records of a body', () => {
  it('are 200 of a long one, bare or enveloped', () => {
    const long = rows(5000);
    assert.deepEqual(firstRecords(bytesOf({ meta: {}, data: long }), testKey), long.slice(0, 200));
    assert.deepEqual(firstRecords(bytesOf(`\ufeff ${JSON.stringify(long)}\r\n`), testKey), long.slice(0, 200));
  });

  it('are none of a short one, which is there as soon', () => {
    assert.equal(firstRecords(bytesOf(rows(1000)), testKey), undefined);
  });

  it('are none of one that is cut off', () => {
    const bytes = bytesOf({ data: rows(5000) });
    assert.equal(firstRecords(bytes.subarray(0, -10), testKey), undefined);
    assert.equal(firstRecords(new Uint8Array(), testKey), undefined);
  });

  it('are read across a character that the cut goes through', () => {
    for (const pad of ['', 'x', 'xx', 'xxx']) {
      const long = rows(50_000, () => `${pad}𝄞`);
      assert.equal(firstRecords(bytesOf(long), testKey)?.length, 200);
    }
  });

  it('are none where bytes among them are no text', () => {
    const bytes = bytesOf(rows(5000));
    bytes[100] = 0xff;
    assert.equal(firstRecords(bytes, testKey), undefined);
  });

  it('are looked through in steps, one and more for each layer of escapes', () => {
    const long = rows(5000, () => '\\'.repeat(64));
    let steps = 0;
    for (const all = firstRecordsSteps(bytesOf(long), testKey); !all.next().done;) steps++;
    assert.ok(steps > 12, `${steps}`);
    assert.deepEqual(firstRecords(bytesOf(long), testKey), long.slice(0, 200));
  });

  it('are looked through in a step for so many escapes, however many there are', () => {
    const stepsOf = (length: number): number => {
      const steps = firstRecordsSteps(bytesOf(rows(5000, () => '\\'.repeat(length))), testKey);
      let count = 0;
      while (!steps.next().done) count++;
      return count;
    };
    assert.ok(stepsOf(512) > stepsOf(64) + 20, `${stepsOf(512)}, ${stepsOf(64)}`);
  });

  it('are none where the key stands among them, and not minded by one further on', () => {
    const withKeyIn = (place: number) => rows(5000, row => (row === place ? `seen ${testKey}` : ''));
    for (const place of [0, 199]) assert.equal(firstRecords(bytesOf(withKeyIn(place)), testKey), undefined);
    assert.equal(firstRecords(bytesOf(withKeyIn(4000)), testKey)?.length, 200);
  });
});

import assert from 'node:assert/strict';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import { rowsOf } from '../../../../src/core/frame/rows.ts';
import type { ArchivedAnswer } from '../../../../src/service/archive/archive.ts';
import { HeldAnswers } from '../../../../src/service/query/runGroup.ts';
import { hour, MemoryArchive } from '../gridWorld.ts';

const series = { source: 'world', dataset: 'systemState', interval: '1h', params: {} };
const start = Date.parse('2026-11-20T00:00Z');
const span = { start, end: start + 3 * hour };

function answer(askedAt: number, values: readonly (readonly [hour: number, mw: number])[]): ArchivedAnswer {
  const records = values.map(([at, mw]) => ({ ts: formatInstant(start + at * hour), mw }));
  return { frame: frameOf(records), askedAt, meta: {} };
}

describe('responses in memory beside a full disk', () => {
  let disk: MemoryArchive;
  let archive: ReturnType<HeldAnswers['over']>;
  beforeEach(async () => {
    disk = new MemoryArchive();
    archive = new HeldAnswers().over(disk);
    disk.full = true;
    await archive.merge(
      series,
      hour,
      span,
      answer(1, [
        [0, 1],
        [1, 1],
      ]),
    );
  });

  const values = async (): Promise<unknown[]> =>
    [...rowsOf((await archive.read(series, hour, span)).frame)].map(({ mw }) => mw);

  it('reads unwritten responses as if archived', async () => {
    assert.deepEqual(await values(), [1, 1]);
  });

  it('prefers what the archive has stored since for the same hours', async () => {
    disk.full = false;
    await archive.merge(
      series,
      hour,
      { start: start + hour, end: span.end },
      answer(2, [
        [1, 2],
        [2, 2],
      ]),
    );
    assert.deepEqual(await values(), [1, 2, 2]);
  });

  it('keeps unwritten responses beside one with missing pages', async () => {
    disk.full = false;
    const [from, to] = [start + 2 * hour, start + 3 * hour];
    await archive.merge(series, hour, { start: from, end: to }, { ...answer(2, [[2, 2]]), completeUntil: from });
    assert.deepEqual(await values(), [1, 1, 2]);
  });
});

import assert from 'node:assert/strict';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import type { ArchivedResponse } from '../../../../src/service/archive/archive.ts';
import { UnarchivedResponses } from '../../../../src/service/query/runGroup.ts';
import { hour, MemoryArchive } from '../gridWorld.ts';

const series = { source: 'world', dataset: 'systemState', interval: '1h', params: {} };
const start = Date.parse('2026-11-20T00:00Z');
const span = { start, end: start + 3 * hour };

function createResponse(
  requestedAt: number,
  readValues: readonly (readonly [hour: number, mw: number])[],
): ArchivedResponse {
  const records = readValues.map(([index, mw]) => ({ ts: formatInstant(start + index * hour), mw }));
  return { frame: recordsToFrame(records), requestedAt, meta: {} };
}

describe('responses in memory while the disk is full', () => {
  let disk: MemoryArchive;
  let archive: ReturnType<UnarchivedResponses['wrapArchive']>;
  beforeEach(async () => {
    disk = new MemoryArchive();
    archive = new UnarchivedResponses().wrapArchive(disk);
    disk.full = true;
    await archive.merge(
      series,
      hour,
      span,
      createResponse(1, [
        [0, 1],
        [1, 1],
      ]),
    );
  });

  const values = async (): Promise<unknown[]> =>
    [...generateRecords((await archive.read(series, hour, span)).frame)].map(({ mw }) => mw);

  it('reads unwritten responses as if archived', async () => {
    assert.deepEqual(await values(), [1, 1]);
  });

  it('prefers newer archived rows of the same hours', async () => {
    disk.full = false;
    await archive.merge(
      series,
      hour,
      { start: start + hour, end: span.end },
      createResponse(2, [
        [1, 2],
        [2, 2],
      ]),
    );
    assert.deepEqual(await values(), [1, 2, 2]);
  });

  it('merges unwritten responses with one that lacks pages', async () => {
    disk.full = false;
    const from = start + 2 * hour;
    const to = start + 3 * hour;
    await archive.merge(
      series,
      hour,
      { start: from, end: to },
      { ...createResponse(2, [[2, 2]]), completeUntil: from },
    );
    assert.deepEqual(await values(), [1, 1, 2]);
  });
});

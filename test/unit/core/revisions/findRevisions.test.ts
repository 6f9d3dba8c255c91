import assert from 'node:assert/strict';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import { joinRevisions, findRevisions } from '../../../../src/core/revisions/findRevisions.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import type { Revisions } from '../../../../src/shared/result.ts';

const hour = 3_600_000;

function createHours(from: number, to: number, times: number): Frame {
  const createRow = (ms: number): Record<string, unknown> => ({ ts: formatInstant(ms), wind_mw: times });
  return recordsToFrame(
    Array.from({ length: (to - from) * times }, (_, index) => createRow((from + Math.floor(index / times)) * hour)),
  );
}

/** Finds the revisions of hours that were received twice. */
function findDoubled(from: number, to: number): Revisions {
  const requested = { start: from * hour, end: to * hour };
  const requestedAt = new Float64Array(to - from).fill(requested.end + hour);
  const facts = { start: requested.start, intervalMs: hour, requestedAt: requestedAt };
  const revisions = findRevisions(
    createHours(from, to, 1),
    createHours(from, to, 2),
    { requested, replaced: requested },
    facts,
  );
  assert.ok(revisions);
  return revisions;
}

/** Returns the instants that seem withdrawn because they have rows before and none after. */
function findWithdrawn({ before, after }: Revisions): string[] {
  const laterInstants = new Set(Array.from(generateRecords(after), row => String(row['ts'])));
  return Array.from(generateRecords(before), row => String(row['ts'])).filter(ts => !laterInstants.has(ts));
}

describe('the rows stored for a revision', () => {
  it('includes all rows of an hour or none, so that no duplicate seems withdrawn', () => {
    const revisions = findDoubled(0, 700);
    assert.deepEqual([revisions.revised, revisions.withdrawn], [700, 0]);
    assert.deepEqual(findWithdrawn(revisions), []);
  });

  it('stores the rows of several revisions together, up to a limit', () => {
    const joined = [findDoubled(0, 700), findDoubled(700, 1400), findDoubled(1400, 2100)].reduce(
      (joinedSoFar, nextRevisions) => joinRevisions(joinedSoFar, nextRevisions),
    );
    assert.equal(joined.revised, 2100);
    assert.deepEqual(findWithdrawn(joined), []);
    assert.equal(joined.before.rowCount, 1400);
  });
});

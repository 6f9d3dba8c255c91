import assert from 'node:assert/strict';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import { joinRevisions, findRevisions } from '../../../../src/core/revisions/findRevisions.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import type { Revisions } from '../../../../src/shared/result.ts';

const hourMs = 3_600_000;

/** Creates hourly rows, each hourMs `copies` times. The value is the number of copies. */
function createHours(from: number, to: number, copies: number): Frame {
  const createRow = (ms: number): Record<string, unknown> => ({ ts: formatInstant(ms), wind_mw: copies });
  return recordsToFrame(
    Array.from({ length: (to - from) * copies }, (_, index) => createRow((from + Math.floor(index / copies)) * hourMs)),
  );
}

/** Finds the revisions of hours that the service first sent once and then twice. */
function findRevisionsOfDuplicates(from: number, to: number): Revisions {
  const requested = { start: from * hourMs, end: to * hourMs };
  const requestedAt = new Float64Array(to - from).fill(requested.end + hourMs);
  const facts = { start: requested.start, intervalMs: hourMs, requestedAt };
  const revisions = findRevisions(
    createHours(from, to, 1),
    createHours(from, to, 2),
    { requested, replaced: requested },
    facts,
  );
  assert.ok(revisions);
  return revisions;
}

/** Returns the instants that have a stored row before the revision, but none after it. */
function findWithdrawnInstants({ before, after }: Revisions): string[] {
  const laterInstants = new Set(Array.from(generateRecords(after), row => String(row['ts'])));
  return Array.from(generateRecords(before), row => String(row['ts'])).filter(ts => !laterInstants.has(ts));
}

describe('findRevisions and joinRevisions', () => {
  it('stores all duplicates of an hourMs or none, so that no hourMs looks withdrawn', () => {
    const revisions = findRevisionsOfDuplicates(0, 700);
    assert.deepEqual([revisions.revised, revisions.withdrawn], [700, 0]);
    assert.deepEqual(findWithdrawnInstants(revisions), []);
  });

  it('joins the rows of several revisions up to a limit, and counts all revised hours', () => {
    const joined = [
      findRevisionsOfDuplicates(0, 700),
      findRevisionsOfDuplicates(700, 1400),
      findRevisionsOfDuplicates(1400, 2100),
    ].reduce((joinedSoFar, nextRevisions) => joinRevisions(joinedSoFar, nextRevisions));
    assert.equal(joined.revised, 2100);
    assert.deepEqual(findWithdrawnInstants(joined), []);
    assert.equal(joined.before.rowCount, 1400);
  });
});

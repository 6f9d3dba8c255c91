import assert from 'node:assert/strict';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import { joinRevisions, findRevisions } from '../../../../src/core/revisions/findRevisions.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import type { Revisions } from '../../../../src/shared/result.ts';

const hour = 3_600_000;

function hoursOf(from: number, to: number, times: number): Frame {
  const row = (ms: number): Record<string, unknown> => ({ ts: formatInstant(ms), wind_mw: times });
  return frameOf(Array.from({ length: (to - from) * times }, (_, at) => row((from + Math.floor(at / times)) * hour)));
}

/** Finds the revisions of hours that were received twice. */
function doubled(from: number, to: number): Revisions {
  const asked = { start: from * hour, end: to * hour };
  const askedAt = new Float64Array(to - from).fill(asked.end + hour);
  const facts = { start: asked.start, intervalMs: hour, askedAt };
  const found = findRevisions(hoursOf(from, to, 1), hoursOf(from, to, 2), { asked, replaced: asked }, facts);
  assert.ok(found);
  return found;
}

/** Returns the instants that look withdrawn: with rows before and none after. */
function seemWithdrawn({ before, after }: Revisions): string[] {
  const later = new Set(Array.from(generateRecords(after), row => String(row['ts'])));
  return Array.from(generateRecords(before), row => String(row['ts'])).filter(ts => !later.has(ts));
}

describe('rows stored of a revision', () => {
  it('stores all rows of an hour or none, so that no duplicate seems withdrawn', () => {
    const found = doubled(0, 700);
    assert.deepEqual([found.revised, found.withdrawn], [700, 0]);
    assert.deepEqual(seemWithdrawn(found), []);
  });

  it('keeps the rows of several revisions together, and limits them', () => {
    const joined = [doubled(0, 700), doubled(700, 1400), doubled(1400, 2100)].reduce((one, other) =>
      joinRevisions(one, other),
    );
    assert.equal(joined.revised, 2100);
    assert.deepEqual(seemWithdrawn(joined), []);
    assert.equal(joined.before.rowCount, 1400);
  });
});

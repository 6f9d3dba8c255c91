import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import { listComparedSpans } from '../../../../src/core/events/findUnusual.ts';
import { resolveQuery, type ResolvedQuery } from '../../../../src/core/query/query.ts';
import { addHistory } from '../../../../src/service/query/history.ts';
import type { RunRequest } from '../../../../src/service/query/queryEngine.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { connection } from '../../../support/connection.ts';
import { FakeEngine } from '../../../support/fakeEngine.ts';
import { createFrame, numberColumn, timeColumn } from '../../core/filter/columns.ts';

const now = Date.parse('2026-11-28T12:00Z');
const getNow = (): number => now;

function createQuery(interval = '1h'): ResolvedQuery {
  const request = { dataset: 'systemState', range: 'last week', interval, params: { a: 'b' }, timeZone: 'UTC' };
  const resolved = resolveQuery(request, now);
  return resolved.ok ? resolved.value : assert.fail(resolved.problem);
}

function createResult(start: number, notRequested = 0, end = start + 168 * 3_600_000): Result {
  const frame = createFrame(timeColumn('ts', [start]), numberColumn('wind_mw', [1]));
  return { frame, bodies: [], coverage: { notRequested }, provenance: { start, end } } as unknown as Result;
}

async function readHistory(createResponse: (request: RunRequest, position: number) => Result, query = createQuery()) {
  const requests: RunRequest[] = [];
  const engine = new FakeEngine(async (_, request) => Promise.resolve(createResponse(request, requests.push(request))));
  const fullResult = await addHistory(
    createResult(query.start),
    'unusual',
    { query, connection },
    { engine, nowAt: getNow },
  );
  return { requests, history: fullResult.history };
}

describe('addHistory', () => {
  it('reads only the archive, for previous weeks and the same weeks of earlier years', async () => {
    const query = createQuery();
    const { requests, history } = await readHistory(({ query: { start } }) => createResult(start));
    const { earlier, recent } = listComparedSpans(query);
    const spans = [...earlier, recent];
    assert.deepEqual(
      requests.map(({ query: { start, end } }) => ({ start, end })),
      spans,
    );
    assert.ok(requests.every(({ options }) => options.refresh === 'never' && options.isRecorded === undefined));
    assert.ok(requests.every(({ query: { interval, params } }) => interval === '1h' && params['a'] === 'b'));
    const [time] = history?.frame.columns ?? [];
    assert.deepEqual(
      time?.kind === 'time' && [...time.values],
      spans.map(({ start }) => start),
    );
    assert.equal(history?.missingRange, undefined);
  });

  it('reports previous weeks that were never requested completely, but not earlier years', async () => {
    const findMissing = async (isIncomplete: (position: number) => boolean) =>
      (await readHistory(({ query: { start } }, position) => createResult(start, isIncomplete(position) ? 5 : 0)))
        .history?.missingRange;
    assert.equal(await findMissing(position => position === 11), '2026-09-14T00:00Z..2026-11-16T00:00Z');
    assert.equal(await findMissing(position => position < 11), undefined);
  });

  it('returns the readable rows if a part fails', async () => {
    const { requests, history } = await readHistory(({ query: { start } }, position) => {
      if (position > 1) throw new GridError('noKey');
      return createResult(start);
    });
    assert.deepEqual([requests.length, history?.frame.rowCount], [11, 1]);
  });

  it("uses the days of the result's zone, and reads nothing if the search needs no history", async () => {
    const days = await readHistory(({ query: { start } }) => createResult(start), createQuery('1d@SAST'));
    assert.ok(days.requests.length > 0 && days.requests.every(({ query }) => query.days?.interval === '1d@SAST'));
    const engine = new FakeEngine(async () => Promise.reject(new Error('unexpected read')));
    const query = createQuery();
    const plain = createResult(query.start);
    for (const kind of ['peak', undefined] as const)
      assert.equal(await addHistory(plain, kind, { query, connection }, { engine, nowAt: getNow }), plain);
    const empty = { ...plain, frame: createFrame() };
    assert.equal(await addHistory(empty, 'unusual', { query, connection }, { engine, nowAt: getNow }), empty);
  });
});

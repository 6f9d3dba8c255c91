import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import { listComparedSpans } from '../../../../src/core/events/findUnusual.ts';
import { resolveQuery, type ResolvedQuery } from '../../../../src/core/query/query.ts';
import { addHistory } from '../../../../src/service/query/history.ts';
import type { RunRequest } from '../../../../src/service/query/queryEngine.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { connection } from '../../../support/connection.ts';
import { FakeEngine } from '../../../support/fakeEngine.ts';
import { frameOf, numberColumn, timeColumn } from '../../core/filter/columns.ts';

const now = Date.parse('2026-11-28T12:00Z');
const nowAt = (): number => now;

function asked(interval = '1h'): ResolvedQuery {
  const question = { dataset: 'systemState', range: 'last week', interval, params: { a: 'b' }, timeZone: 'UTC' };
  const resolved = resolveQuery(question, now);
  return resolved.ok ? resolved.value : assert.fail(resolved.problem);
}

function answer(at: number, notAsked = 0, end = at + 168 * 3_600_000): Result {
  const frame = frameOf(timeColumn('ts', [at]), numberColumn('wind_mw', [1]));
  return { frame, bodies: [], coverage: { notAsked }, provenance: { start: at, end } } as unknown as Result;
}

async function read(answers: (request: RunRequest, at: number) => Result, query = asked()) {
  const requests: RunRequest[] = [];
  const engine = new FakeEngine(async (_, request) => Promise.resolve(answers(request, requests.push(request))));
  const whole = await addHistory(answer(query.start), 'unusual', { query, connection }, { engine, nowAt });
  return { requests, history: whole.history };
}

describe('the history of a result', () => {
  it('is read from the archive alone, for previous weeks and the same weeks of earlier years', async () => {
    const query = asked();
    const { requests, history } = await read(({ query: { start } }) => answer(start));
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

  it('says which weeks before were never requested in whole, and nothing of earlier years', async () => {
    const lacking = async (which: (at: number) => boolean) =>
      (await read(({ query: { start } }, at) => answer(start, which(at) ? 5 : 0))).history?.missingRange;
    assert.equal(await lacking(at => at === 11), '2026-09-14T00:00Z..2026-11-16T00:00Z');
    assert.equal(await lacking(at => at < 11), undefined);
  });

  it('has what can be read where a part fails', async () => {
    const { requests, history } = await read(({ query: { start } }, at) => {
      if (at > 1) throw new GridError('noKey');
      return answer(start);
    });
    assert.deepEqual([requests.length, history?.frame.rowCount], [11, 1]);
  });

  it('is of days of a zone where the rows are, and not read where nothing compares with it', async () => {
    const days = await read(({ query: { start } }) => answer(start), asked('1d@SAST'));
    assert.ok(days.requests.length > 0 && days.requests.every(({ query }) => query.days?.interval === '1d@SAST'));
    const engine = new FakeEngine(async () => Promise.reject(new Error('nothing is read')));
    const query = asked();
    const plain = answer(query.start);
    for (const kind of ['peak', undefined] as const)
      assert.equal(await addHistory(plain, kind, { query, connection }, { engine, nowAt }), plain);
    const empty = { ...plain, frame: frameOf() };
    assert.equal(await addHistory(empty, 'unusual', { query, connection }, { engine, nowAt }), empty);
  });
});

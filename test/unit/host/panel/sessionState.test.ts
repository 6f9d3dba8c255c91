import assert from 'node:assert/strict';
import { connection } from '../../../support/connection.ts';
import { newSession, query } from './newSession.ts';
import { GridError } from '../../../../src/core/errors.ts';
import { reduce, type SessionEvent, type SessionState } from '../../../../src/host/panel/sessionState.ts';
import type { Result, Revisions } from '../../../../src/shared/result.ts';

const price = { requests: 9, now: 3, waitMs: 60_000 };
const failure = new GridError('serverError', { status: 503 });
const canceled = new GridError('cancelled');

function rows(rowCount: number): Result {
  return { frame: { rowCount, columns: [] }, bodies: [new Uint8Array(1)], provenance: {} } as unknown as Result;
}

function after(state: SessionState, ...events: readonly SessionEvent[]): SessionState {
  return events.reduce((one, event) => reduce(one, event, 0), state);
}

const begun: SessionEvent = { type: 'begun', refresh: 'ifStale' };
const retry: SessionEvent = { type: 'moreRequests', price, failed: failure, answer: () => undefined };
const come = (rowCount: number): SessionEvent => {
  return { type: 'progress', progress: { done: 1, total: 3 }, soFar: rows(rowCount) };
};

describe('the state of a session', () => {
  it('counts the refusals of a run, from its beginning', () => {
    const refused = after(
      newSession,
      begun,
      { type: 'throttled' },
      { type: 'waiting', ms: 1_000 },
      { type: 'throttled' },
    );
    assert.equal(refused.running?.refusals, 2);
    assert.equal(after(refused, begun).running?.refusals, 0);
  });

  it('keeps the result without its text, and ends the run', () => {
    const { result, running, outcome, lastError } = after(newSession, begun, { type: 'done', result: rows(24) });
    assert.deepEqual([result?.bodies, running, outcome, lastError], [[], undefined, { type: 'answered' }, undefined]);
    const odd = { ...rows(0), frame: undefined };
    assert.deepEqual(
      after(newSession, begun, { type: 'done', result: odd }).result?.bodies,
      odd.bodies,
      'the text is the answer',
    );
  });

  it('keeps the previous result if a refresh fails, and the received rows of one that is canceled', () => {
    const answered = after(newSession, begun, { type: 'done', result: rows(24) });
    const failed = after(answered, begun, come(12), { type: 'failed', error: failure });
    assert.deepEqual([failed.result?.frame?.rowCount, failed.lastError], [24, failure]);
    const half = after(newSession, begun, come(12), { type: 'failed', error: canceled });
    assert.deepEqual(
      [half.result?.frame?.rowCount, half.outcome, half.lastError],
      [12, { type: 'failed', error: canceled, hasPart: true }, undefined],
    );
  });

  it('reports why a request failed if its retry is declined, but not if it is accepted', () => {
    const declined = after(
      newSession,
      begun,
      retry,
      { type: 'answered', isAccepted: false },
      { type: 'failed', error: canceled },
    );
    assert.equal(declined.lastError, failure);
    const agreed = after(
      newSession,
      begun,
      retry,
      { type: 'answered', isAccepted: true },
      { type: 'failed', error: canceled },
    );
    assert.equal(agreed.lastError, undefined);
  });

  it('updates a long table only every two seconds, and a short one with each part', () => {
    const shownAfter = (rowCount: number, now: number): number | undefined => {
      const first = reduce(after(newSession, begun), come(rowCount), 0);
      const second = reduce(first, come(rowCount + 1), now);
      assert.equal(second.running?.rows?.result.frame?.rowCount, rowCount + 1);
      return second.running.rows.shown.frame?.rowCount;
    };
    assert.deepEqual(
      [shownAfter(9_000, 1), shownAfter(10_000, 1_999), shownAfter(10_000, 2_000)],
      [9_001, 10_000, 10_001],
    );
  });

  it('adds the earlier rows to the result, and shows it again', () => {
    const answered = after(newSession, begun, { type: 'done', result: rows(24) });
    const history = { frame: { rowCount: 7, columns: [] } };
    const compared = after(answered, { type: 'history', history });
    assert.deepEqual([compared.result?.frame?.rowCount, compared.result?.history], [24, history]);
    assert.notEqual(compared.outcome, answered.outcome, 'what the view shows is another');
    assert.equal(after(newSession, { type: 'history', history }).result, undefined);
  });

  it('drops the result when the query changes, and keeps it when only the comparison changes', () => {
    const answered = after(newSession, begun, { type: 'done', result: rows(24) });
    const question = { query, connection, comparison: { kind: 'range', range: '2022' } as const };
    assert.ok(after(answered, { type: 'changed', question }).result);
    const other = { query: { ...query, range: 'yesterday' }, connection };
    assert.equal(after(answered, { type: 'changed', question: other }).result, undefined);
  });

  it('shows the earlier query and its result again when another one is canceled before rows came', () => {
    const answered = after({ ...newSession, saved: 'own/a' }, begun, { type: 'done', result: rows(24) });
    const other: SessionEvent = { type: 'changed', question: { query: { ...query, range: 'yesterday' }, connection } };
    const third: SessionEvent = { type: 'changed', question: { query: { ...query, range: 'today' }, connection } };
    const cancel: SessionEvent = { type: 'failed', error: canceled };
    for (const changes of [[other], [other, begun, third]]) {
      const left = after(answered, ...changes, { type: 'saved', saved: undefined }, begun, cancel);
      assert.deepEqual(
        [left.question, left.result, left.saved, left.lastError, left.running],
        [answered.question, answered.result, 'own/a', undefined, undefined],
      );
    }
    const half = after(answered, other, begun, come(12), cancel);
    assert.deepEqual([half.question.query.range, half.result?.frame?.rowCount], ['yesterday', 12]);
    const failed = after(answered, other, begun, { type: 'failed', error: failure });
    assert.deepEqual([failed.question.query.range, failed.result], ['yesterday', undefined]);
    const later = after(answered, other, begun, { type: 'done', result: rows(2) }, begun, cancel);
    assert.deepEqual([later.question.query.range, later.result?.frame?.rowCount], ['yesterday', 2]);
  });

  it('keeps revisions through later runs until they were seen or newer ones came', () => {
    const revisionsOf = (since: number) => ({ revised: 1, withdrawn: 0, since }) as Revisions;
    const done = (since?: number): SessionEvent => {
      return { type: 'done', result: { ...rows(24), ...(since !== undefined && { revisions: revisionsOf(since) }) } };
    };
    const sinceAfter = (...events: readonly SessionEvent[]) => after(newSession, ...events).result?.revisions?.since;
    const seen: SessionEvent = { type: 'revisionsSeen' };
    assert.equal(sinceAfter(done(1), begun, done(), begun, done()), 1);
    assert.equal(sinceAfter(done(1), done(), done(2), done()), 2);
    assert.equal(sinceAfter(done(1), seen), 1, 'on screen until the next run');
    assert.equal(sinceAfter(done(1), seen, done()), undefined);
    assert.equal(sinceAfter(done(1), seen, done(1), done()), 1, 'revisions after those that were seen');
  });

  it('retries a run from the archive with requests', () => {
    assert.equal(after(newSession, { type: 'begun', refresh: 'never' }).lastRefresh, 'ifStale');
    assert.equal(after(newSession, { type: 'begun', refresh: 'always' }).lastRefresh, 'always');
  });

  it('ignores events of a run that has ended', () => {
    assert.equal(after(newSession, come(5), retry), newSession);
  });
});

import assert from 'node:assert/strict';
import { connection } from '../../../support/connection.ts';
import { newSession, query } from './newSession.ts';
import { GridError } from '../../../../src/core/errors.ts';
import { reduceSession, type SessionEvent, type SessionState } from '../../../../src/host/panel/sessionState.ts';
import type { Result, Revisions } from '../../../../src/shared/result.ts';

const price = { requests: 9, now: 3, waitMs: 60_000 };
const failure = new GridError('serverError', { status: 503 });
const canceled = new GridError('cancelled');

function rows(rowCount: number): Result {
  return { frame: { rowCount, columns: [] }, bodies: [new Uint8Array(1)], provenance: {} } as unknown as Result;
}

function reduceAll(state: SessionState, ...events: readonly SessionEvent[]): SessionState {
  return events.reduce((current, event) => reduceSession(current, event, 0), state);
}

const beginEvent: SessionEvent = { type: 'begun', refresh: 'ifStale' };
const retryEvent: SessionEvent = { type: 'moreRequests', price, failed: failure, reply: () => undefined };
const progressEvent = (rowCount: number): SessionEvent => {
  return { type: 'progress', progress: { done: 1, total: 3 }, partialResult: rows(rowCount) };
};

describe('the state of a session', () => {
  it('counts the 429 responses of a run from its start', () => {
    const throttled = reduceAll(
      newSession,
      beginEvent,
      { type: 'throttled' },
      { type: 'waiting', ms: 1_000 },
      { type: 'throttled' },
    );
    assert.equal(throttled.running?.refusals, 2);
    assert.equal(reduceAll(throttled, beginEvent).running?.refusals, 0);
  });

  it('keeps the result without its text, and ends the run', () => {
    const { result, running, outcome, lastError } = reduceAll(newSession, beginEvent, {
      type: 'done',
      result: rows(24),
    });
    assert.deepEqual([result?.bodies, running, outcome, lastError], [[], undefined, { type: 'succeeded' }, undefined]);
    const withoutFrame = { ...rows(0), frame: undefined };
    assert.deepEqual(
      reduceAll(newSession, beginEvent, { type: 'done', result: withoutFrame }).result?.bodies,
      withoutFrame.bodies,
      'the text is the result',
    );
  });

  it('keeps the previous result if a refresh fails, and the received rows if a run is canceled', () => {
    const finished = reduceAll(newSession, beginEvent, { type: 'done', result: rows(24) });
    const failed = reduceAll(finished, beginEvent, progressEvent(12), { type: 'failed', error: failure });
    assert.deepEqual([failed.result?.frame?.rowCount, failed.lastError], [24, failure]);
    const partial = reduceAll(newSession, beginEvent, progressEvent(12), { type: 'failed', error: canceled });
    assert.deepEqual(
      [partial.result?.frame?.rowCount, partial.outcome, partial.lastError],
      [12, { type: 'failed', error: canceled, hasPartialResult: true }, undefined],
    );
  });

  it('reports why a request failed if the user declines a retry, but not if the user accepts it', () => {
    const declined = reduceAll(
      newSession,
      beginEvent,
      retryEvent,
      { type: 'replied', isAccepted: false },
      { type: 'failed', error: canceled },
    );
    assert.equal(declined.lastError, failure);
    const accepted = reduceAll(
      newSession,
      beginEvent,
      retryEvent,
      { type: 'replied', isAccepted: true },
      { type: 'failed', error: canceled },
    );
    assert.equal(accepted.lastError, undefined);
  });

  it('updates a long table at most every two seconds, and a short table with each part', () => {
    const countDisplayedRows = (rowCount: number, now: number): number | undefined => {
      const first = reduceSession(reduceAll(newSession, beginEvent), progressEvent(rowCount), 0);
      const second = reduceSession(first, progressEvent(rowCount + 1), now);
      assert.equal(second.running?.rows?.result.frame?.rowCount, rowCount + 1);
      return second.running.rows.displayed.frame?.rowCount;
    };
    assert.deepEqual(
      [countDisplayedRows(9_000, 1), countDisplayedRows(10_000, 1_999), countDisplayedRows(10_000, 2_000)],
      [9_001, 10_000, 10_001],
    );
  });

  it('adds the earlier rows to the result, and shows it again', () => {
    const finished = reduceAll(newSession, beginEvent, { type: 'done', result: rows(24) });
    const history = { frame: { rowCount: 7, columns: [] } };
    const compared = reduceAll(finished, { type: 'history', history });
    assert.deepEqual([compared.result?.frame?.rowCount, compared.result?.history], [24, history]);
    assert.notEqual(compared.outcome, finished.outcome, 'the view shows another outcome');
    assert.equal(reduceAll(newSession, { type: 'history', history }).result, undefined);
  });

  it('drops the result when the query changes, and keeps it when only the comparison changes', () => {
    const finished = reduceAll(newSession, beginEvent, { type: 'done', result: rows(24) });
    const request = { query, connection, comparison: { kind: 'range', range: '2022' } as const };
    assert.ok(reduceAll(finished, { type: 'changed', request }).result);
    const changedRequest = { query: { ...query, range: 'yesterday' }, connection };
    assert.equal(reduceAll(finished, { type: 'changed', request: changedRequest }).result, undefined);
  });

  it('restores the previous query and its result when a new query is canceled before it received rows', () => {
    const finished = reduceAll({ ...newSession, saved: 'own/a' }, beginEvent, { type: 'done', result: rows(24) });
    const second: SessionEvent = { type: 'changed', request: { query: { ...query, range: 'yesterday' }, connection } };
    const third: SessionEvent = { type: 'changed', request: { query: { ...query, range: 'today' }, connection } };
    const cancel: SessionEvent = { type: 'failed', error: canceled };
    for (const changes of [[second], [second, beginEvent, third]]) {
      const restored = reduceAll(finished, ...changes, { type: 'saved', saved: undefined }, beginEvent, cancel);
      assert.deepEqual(
        [restored.request, restored.result, restored.saved, restored.lastError, restored.running],
        [finished.request, finished.result, 'own/a', undefined, undefined],
      );
    }
    const partial = reduceAll(finished, second, beginEvent, progressEvent(12), cancel);
    assert.deepEqual([partial.request.query.range, partial.result?.frame?.rowCount], ['yesterday', 12]);
    const failed = reduceAll(finished, second, beginEvent, { type: 'failed', error: failure });
    assert.deepEqual([failed.request.query.range, failed.result], ['yesterday', undefined]);
    const later = reduceAll(finished, second, beginEvent, { type: 'done', result: rows(2) }, beginEvent, cancel);
    assert.deepEqual([later.request.query.range, later.result?.frame?.rowCount], ['yesterday', 2]);
  });

  it('keeps revisions through later runs until the user has seen them or newer ones arrive', () => {
    const createRevisions = (since: number) => ({ revised: 1, withdrawn: 0, since }) as Revisions;
    const done = (since?: number): SessionEvent => {
      return {
        type: 'done',
        result: { ...rows(24), ...(since !== undefined && { revisions: createRevisions(since) }) },
      };
    };
    const sinceAfter = (...events: readonly SessionEvent[]) =>
      reduceAll(newSession, ...events).result?.revisions?.since;
    const seen: SessionEvent = { type: 'revisionsSeen' };
    assert.equal(sinceAfter(done(1), beginEvent, done(), beginEvent, done()), 1);
    assert.equal(sinceAfter(done(1), done(), done(2), done()), 2);
    assert.equal(sinceAfter(done(1), seen), 1, 'revisions stay on screen until the next run');
    assert.equal(sinceAfter(done(1), seen, done()), undefined);
    assert.equal(sinceAfter(done(1), seen, done(1), done()), 1, 'revisions after those that were seen');
  });

  it('retries a run from the archive with requests', () => {
    assert.equal(reduceAll(newSession, { type: 'begun', refresh: 'never' }).lastRefresh, 'ifStale');
    assert.equal(reduceAll(newSession, { type: 'begun', refresh: 'always' }).lastRefresh, 'always');
  });

  it('ignores events of a run that has ended', () => {
    assert.equal(reduceAll(newSession, progressEvent(5), retryEvent), newSession);
  });
});

import assert from 'node:assert/strict';
import { connection } from '../../../support/connection.ts';
import { newSession, query } from './newSession.ts';
import { GridError } from '../../../../src/core/errors.ts';
import { reduceSession, type SessionEvent, type SessionState } from '../../../../src/host/panel/sessionState.ts';
import type { Result, Revisions } from '../../../../src/shared/result.ts';

const price = { requests: 9, now: 3, waitMs: 60_000 };
const failure = new GridError('serverError', { status: 503 });
const canceled = new GridError('cancelled');

function createResult(rowCount: number): Result {
  return { frame: { rowCount, columns: [] }, bodies: [new Uint8Array(1)], provenance: {} } as unknown as Result;
}

function reduceAll(state: SessionState, ...events: readonly SessionEvent[]): SessionState {
  return events.reduce((current, event) => reduceSession(current, event, 0), state);
}

const beginEvent: SessionEvent = { type: 'runStarted', refresh: 'ifStale' };
const retryEvent: SessionEvent = { type: 'moreRequests', price, failed: failure, reply: () => undefined };
const createProgressEvent = (rowCount: number): SessionEvent => {
  return { type: 'progress', progress: { done: 1, total: 3 }, partialResult: createResult(rowCount) };
};

describe('reduceSession', () => {
  it('counts the 429 responses of each run', () => {
    const throttled = reduceAll(
      newSession,
      beginEvent,
      { type: 'throttled' },
      { type: 'waiting', ms: 1_000 },
      { type: 'throttled' },
    );
    assert.equal(throttled.running?.throttledCount, 2);
    assert.equal(reduceAll(throttled, beginEvent).running?.throttledCount, 0);
  });

  it('ends the run and discards the text of a result that has a table', () => {
    const { result, running, outcome, lastError } = reduceAll(newSession, beginEvent, {
      type: 'done',
      result: createResult(24),
    });
    assert.deepEqual([result?.bodies, running, outcome, lastError], [[], undefined, { type: 'succeeded' }, undefined]);
    const withoutFrame = { ...createResult(0), frame: undefined };
    assert.deepEqual(
      reduceAll(newSession, beginEvent, { type: 'done', result: withoutFrame }).result?.bodies,
      withoutFrame.bodies,
      'a result without a table keeps its text',
    );
  });

  it('retains the previous result if a refresh fails, and the received rows if a run is canceled', () => {
    const finished = reduceAll(newSession, beginEvent, { type: 'done', result: createResult(24) });
    const failed = reduceAll(finished, beginEvent, createProgressEvent(12), { type: 'failed', error: failure });
    assert.deepEqual([failed.result?.frame?.rowCount, failed.lastError], [24, failure]);
    const partial = reduceAll(newSession, beginEvent, createProgressEvent(12), { type: 'failed', error: canceled });
    assert.deepEqual(
      [partial.result?.frame?.rowCount, partial.outcome, partial.lastError],
      [12, { type: 'failed', error: canceled, hasPartialResult: true }, undefined],
    );
  });

  it('sets the last error if the user declines a retry, but not if the user accepts it and then cancels', () => {
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

  it('displays new rows of a long table at most every two seconds, and those of a short table immediately', () => {
    const countDisplayedRows = (rowCount: number, now: number): number | undefined => {
      const first = reduceSession(reduceAll(newSession, beginEvent), createProgressEvent(rowCount), 0);
      const second = reduceSession(first, createProgressEvent(rowCount + 1), now);
      assert.equal(second.running?.rows?.result.frame?.rowCount, rowCount + 1);
      return second.running.rows.displayed.frame?.rowCount;
    };
    assert.deepEqual(
      [countDisplayedRows(9_000, 1), countDisplayedRows(10_000, 1_999), countDisplayedRows(10_000, 2_000)],
      [9_001, 10_000, 10_001],
    );
  });

  it('adds the history to the result, and updates the view', () => {
    const finished = reduceAll(newSession, beginEvent, { type: 'done', result: createResult(24) });
    const history = { frame: { rowCount: 7, columns: [] } };
    const compared = reduceAll(finished, { type: 'history', history });
    assert.deepEqual([compared.result?.frame?.rowCount, compared.result?.history], [24, history]);
    assert.notEqual(compared.outcome, finished.outcome, 'a new outcome object updates the view');
    assert.equal(reduceAll(newSession, { type: 'history', history }).result, undefined);
  });

  it('discards the result if the query changes, but not if only the comparison changes', () => {
    const finished = reduceAll(newSession, beginEvent, { type: 'done', result: createResult(24) });
    const request = { query, connection, comparison: { kind: 'range', range: '2022' } as const };
    assert.ok(reduceAll(finished, { type: 'requestChanged', request }).result);
    const changedRequest = { query: { ...query, range: 'yesterday' }, connection };
    assert.equal(reduceAll(finished, { type: 'requestChanged', request: changedRequest }).result, undefined);
  });

  it('restores the previous query and result if a new query is canceled before it receives rows', () => {
    const finished = reduceAll({ ...newSession, savedId: 'own/a' }, beginEvent, {
      type: 'done',
      result: createResult(24),
    });
    const second: SessionEvent = {
      type: 'requestChanged',
      request: { query: { ...query, range: 'yesterday' }, connection },
    };
    const third: SessionEvent = {
      type: 'requestChanged',
      request: { query: { ...query, range: 'today' }, connection },
    };
    const cancel: SessionEvent = { type: 'failed', error: canceled };
    for (const changes of [[second], [second, beginEvent, third]]) {
      const restored = reduceAll(finished, ...changes, { type: 'saved', savedId: undefined }, beginEvent, cancel);
      assert.deepEqual(
        [restored.request, restored.result, restored.savedId, restored.lastError, restored.running],
        [finished.request, finished.result, 'own/a', undefined, undefined],
      );
    }
    const partial = reduceAll(finished, second, beginEvent, createProgressEvent(12), cancel);
    assert.deepEqual([partial.request.query.range, partial.result?.frame?.rowCount], ['yesterday', 12]);
    const failed = reduceAll(finished, second, beginEvent, { type: 'failed', error: failure });
    assert.deepEqual([failed.request.query.range, failed.result], ['yesterday', undefined]);
    const later = reduceAll(
      finished,
      second,
      beginEvent,
      { type: 'done', result: createResult(2) },
      beginEvent,
      cancel,
    );
    assert.deepEqual([later.request.query.range, later.result?.frame?.rowCount], ['yesterday', 2]);
  });

  it('retains revisions over later runs until the user sees them or newer revisions arrive', () => {
    const createRevisions = (since: number) => ({ revised: 1, withdrawn: 0, since }) as Revisions;
    const createDoneEvent = (since?: number): SessionEvent => {
      return {
        type: 'done',
        result: { ...createResult(24), ...(since !== undefined && { revisions: createRevisions(since) }) },
      };
    };
    const readSince = (...events: readonly SessionEvent[]) => reduceAll(newSession, ...events).result?.revisions?.since;
    const seenEvent: SessionEvent = { type: 'revisionsSeen' };
    assert.equal(readSince(createDoneEvent(1), beginEvent, createDoneEvent(), beginEvent, createDoneEvent()), 1);
    assert.equal(readSince(createDoneEvent(1), createDoneEvent(), createDoneEvent(2), createDoneEvent()), 2);
    assert.equal(readSince(createDoneEvent(1), seenEvent), 1, 'revisions are shown until the next run');
    assert.equal(readSince(createDoneEvent(1), seenEvent, createDoneEvent()), undefined);
    assert.equal(
      readSince(createDoneEvent(1), seenEvent, createDoneEvent(1), createDoneEvent()),
      1,
      'these revisions are newer than those that the user has seen',
    );
  });

  it('retries a run without requests as a run that may send requests', () => {
    assert.equal(reduceAll(newSession, { type: 'runStarted', refresh: 'never' }).lastRefresh, 'ifStale');
    assert.equal(reduceAll(newSession, { type: 'runStarted', refresh: 'always' }).lastRefresh, 'always');
  });

  it('ignores events of a run that has ended', () => {
    assert.equal(reduceAll(newSession, createProgressEvent(5), retryEvent), newSession);
  });
});

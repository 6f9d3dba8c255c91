import assert from 'node:assert/strict';
import { connection } from '../support/connection.ts';
import { GridError } from '../../src/core/errors.ts';
import { QuerySession, type SessionDeps } from '../../src/host/panel/querySession.ts';
import type { ViewState } from '../../src/shared/protocol.ts';
import { FakeEngine } from '../support/fakeEngine.ts';

const query = { dataset: 'systemState', range: 'yesterday', interval: '1h', params: {}, timeZone: 'UTC' };
const failure = new GridError('serverError', { status: 503, detail: 'Maintenance', requestsSpent: 1 });

describe('the prompt before a failed request is retried', () => {
  let states: ViewState[];
  let session: QuerySession;

  /** Creates a session whose request fails twice with a 503. The first retry waits for Retry-After; the next one would wait for 48 seconds. */
  beforeEach(() => {
    states = [];
    const engine = new FakeEngine(async ({ emit, confirm, signal }) => {
      for (const ms of [12_000, 0]) emit({ type: 'waiting', ms, failed: failure });
      await confirm({ type: 'moreRequests', price: { requests: 1, now: 0, waitMs: 48_000 }, failed: failure });
      throw signal.aborted ? new GridError('cancelled', { requestsSpent: 1 }) : failure;
    });
    const panel = {
      show: (state: ViewState) => void states.push(state),
      onDidDispose: () => undefined,
      persistState: () => undefined,
    };
    const deps = {
      engine,
      clock: { now: () => 0 },
      nowAt: () => 0,
      connectionById: () => connection,
      openPanel: () => panel,
      names: { connection: () => undefined, saved: () => undefined },
      runAction: () => undefined,
      logError: (error: unknown) => assert.fail(String(error)),
    };
    session = new QuerySession(deps as unknown as SessionDeps, { query, connection });
  });

  const lastState = (): Extract<ViewState, { view: 'empty' | 'error' }> => {
    const state = states.at(-1);
    assert.ok(state?.view === 'empty' || state?.view === 'error', JSON.stringify(state));
    return state;
  };
  const waitForPrompt = async (): Promise<void> => {
    while (states.at(-1)?.view === 'loading') await new Promise(setImmediate);
  };

  it('shows the status and message of the service before a retry', async () => {
    const running = session.run();
    await waitForPrompt();
    const { sentence, actions } = lastState();
    assert.equal(
      sentence,
      "The service returned 503. Trying again needs 1 request and takes about 48 s. The service says: 'Maintenance'",
    );
    assert.deepEqual(
      actions.map(({ label }) => label),
      ['Try Again', 'Cancel'],
    );
    session.confirmPlan(false);
    await running;
  });

  it('shows the status, and the time until the retry, while it waits as long as the service asks for', async () => {
    const running = session.run();
    await waitForPrompt();
    session.cancel();
    await running;
    assert.deepEqual(
      states.slice(0, 3).map(state => state.view === 'loading' && state.detail),
      ['Querying Grid…', 'The service returned 503. Trying again in 12 s…', 'The service returned 503. Trying again…'],
    );
  });

  it('keeps the failure on screen when the retry is canceled', async () => {
    const running = session.run();
    await waitForPrompt();
    session.cancel();
    await running;
    assert.equal(lastState().view, 'error');
    assert.match(lastState().sentence, /^The service failed \(503\).*'Maintenance'$/);
    assert.equal(session.lastError, failure);
  });

  it('replaces the retry prompt when the next run starts', async () => {
    const running = session.run();
    await waitForPrompt();
    const nextRun = session.run();
    await waitForPrompt();
    session.confirmPlan(true);
    session.cancel();
    await Promise.all([running, nextRun]);
    assert.match(lastState().sentence, /Query canceled\./);
  });
});

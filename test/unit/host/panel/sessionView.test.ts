import assert from 'node:assert/strict';
import '../../../support/fakeVscode.ts';
import { newSession, query } from './newSession.ts';
import { resolveQuery } from '../../../../src/core/query/query.ts';
import type { SessionEvent } from '../../../../src/host/panel/sessionState.ts';
import type { ResultPanel } from '../../../../src/host/panel/resultPanel.ts';
import type { ViewState } from '../../../../src/shared/protocol.ts';

const { SessionView } = await import('../../../../src/host/panel/sessionView.ts');
const { reduceSession } = await import('../../../../src/host/panel/sessionState.ts');

/** Returns the state that a panel shows after the events. */
function viewAfter(...events: readonly SessionEvent[]): ViewState {
  const shownStates: ViewState[] = [];
  const panel = {
    show: (state: ViewState) => void shownStates.push(state),
    showNames: () => undefined,
    persistState: () => undefined,
  } as unknown as ResultPanel;
  const names = { connection: () => undefined, saved: () => undefined };
  const clock = { now: () => 0 };
  const openPanel = ({ state }: { readonly state: ViewState }): ResultPanel => (shownStates.push(state), panel);
  const view = new SessionView({ openPanel, names, clock, nowAt: () => 0 }, newSession, {} as never);
  let state = newSession;
  for (const event of events) {
    state = reduceSession(state, event, 0);
    view.show(state);
  }
  return shownStates.at(-1) as ViewState;
}

describe('SessionView', () => {
  it('offers Set Limits after the second 429 response of a query, with the reason', () => {
    const resolved = resolveQuery(query, 0);
    assert.ok(resolved.ok);
    const events: SessionEvent[] = [
      { type: 'runStarted', refresh: 'ifStale' },
      { type: 'requesting', query: resolved.value, comparedWith: undefined },
    ];
    const loadingStates = [1, 2].map(() => {
      events.push({ type: 'throttled' }, { type: 'waiting', ms: 12_000 });
      const state = viewAfter(...events);
      assert.ok(state.view === 'loading');
      return [state.detail, state.actions.map(({ action }) => action)];
    });
    assert.deepEqual(loadingStates, [
      ['Waiting 12 s for the system state budget…', ['cancel']],
      [
        'The service refused 2 requests (429); the limits may be too high. Waiting 12 s for the system state budget…',
        ['setLimits', 'cancel'],
      ],
    ]);
  });
});

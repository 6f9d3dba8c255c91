import assert from 'node:assert/strict';
import { followClock, type KeyState } from '../../../../src/service/limiter/keyState.ts';

/** A state with every instant that there is, each at that of the clock but for its own offset. */
function stateAt(now: number): KeyState {
  return {
    version: 1,
    rejected: true,
    rejectedAt: now - 1,
    scopes: {
      read: {
        slots: [{ id: 'a', window: 'w', turn: 7, sentAt: now - 2, at: now - 3, flying: false }],
        tickets: [{ id: 'b', window: 'w', priority: 'person', turn: 8 }],
        seen: { w: now - 4 },
        blockedUntil: now + 5,
        surprises: [now - 7, now - 6],
        learned: { requests: 3, until: now + 8 },
        lesson: { from: now - 9, until: now + 10 },
        passed: [{ at: now - 11, requests: 2 }],
        forbidden: true,
        forbiddenAt: now - 12,
        windowMs: 60_000,
      },
    },
  };
}

describe('the state of a key on a machine whose clock is set', () => {
  const hour = 3_600_000;
  const written = { machine: 'm', now: 1_700_000_000_000, uptimeMs: hour };
  const later = (byMs: number, setMs: number, machine = 'm') => ({
    machine,
    now: written.now + byMs + setMs,
    uptimeMs: written.uptimeMs + byMs,
  });

  for (const setMs of [hour, -hour, 6000])
    it(`moves every instant by ${setMs / 1000} s`, () => {
      const state = { ...stateAt(written.now), reading: written };
      const reading = later(2000, setMs);
      followClock(state, reading);
      assert.deepEqual(state, { ...stateAt(written.now + setMs), reading });
    });

  for (const [what, reading] of Object.entries({
    'while time goes on as it should': later(2000, 0),
    'for what a clock is set by itself': later(2000, 4000),
    'on another machine': later(2000, hour, 'other'),
    'on a machine that was started anew': { ...written, now: written.now + hour, uptimeMs: 10 },
  }))
    it(`moves nothing ${what}`, () => {
      const state = { ...stateAt(written.now), reading: written };
      followClock(state, reading);
      assert.deepEqual(state, { ...stateAt(written.now), reading });
    });

  it('leaves alone what is not there', () => {
    const state: KeyState = { version: 1, rejected: false, scopes: {}, reading: written };
    const { read } = stateAt(written.now).scopes;
    assert.ok(read);
    state.scopes['read'] = { ...read, slots: [], blockedUntil: 0, learned: null, lesson: null, forbiddenAt: undefined };
    followClock(state, later(0, hour));
    assert.deepEqual([state.rejectedAt, state.scopes['read'].blockedUntil], [undefined, 0]);
  });
});

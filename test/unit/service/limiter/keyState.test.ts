import assert from 'node:assert/strict';
import {
  emptyKeyState,
  adjustToClock,
  type KeyState,
  parseKeyState,
  type ScopeState,
} from '../../../../src/service/limiter/keyState.ts';

/** A state with all kinds of instants, at different offsets from the clock. */
function createStateAt(now: number): KeyState {
  return {
    version: 1,
    rejected: true,
    rejectedAt: now - 1,
    scopes: {
      read: {
        slots: [{ id: 'a', window: 'w', turn: 7, sentAt: now - 2, at: now - 3, flying: false }],
        tickets: [{ id: 'b', window: 'w', priority: 'user', turn: 8 }],
        seen: { w: now - 4 },
        blockedUntil: now + 5,
        forbidden: true,
        forbiddenAt: now - 12,
        windowMs: 60_000,
      },
    },
  };
}

describe('the state of a key after the clock was set', () => {
  const hour = 3_600_000;
  const writtenClock = { machine: 'm', now: 1_700_000_000_000, uptimeMs: hour };
  const createLaterClock = (byMs: number, setMs: number, machine = 'm') => ({
    machine,
    now: writtenClock.now + byMs + setMs,
    uptimeMs: writtenClock.uptimeMs + byMs,
  });

  for (const setMs of [hour, -hour, 6000])
    it(`shifts every instant by ${setMs / 1000} s`, () => {
      const state = { ...createStateAt(writtenClock.now), reading: writtenClock };
      const reading = createLaterClock(2000, setMs);
      adjustToClock(state, reading);
      assert.deepEqual(state, { ...createStateAt(writtenClock.now + setMs), reading });
    });

  for (const [description, reading] of Object.entries({
    'while time goes on as it should': createLaterClock(2000, 0),
    'for a small automatic clock adjustment': createLaterClock(2000, 4000),
    'on another machine': createLaterClock(2000, hour, 'other'),
    'on a machine that was started anew': { ...writtenClock, now: writtenClock.now + hour, uptimeMs: 10 },
  }))
    it(`shifts no times ${description}`, () => {
      const state = { ...createStateAt(writtenClock.now), reading: writtenClock };
      adjustToClock(state, reading);
      assert.deepEqual(state, { ...createStateAt(writtenClock.now), reading });
    });

  for (const [description, setMs, machine] of [
    ['on another machine', -hour, 'other'],
    ['on a machine that was started anew', -2 * hour, 'm'],
  ] as const)
    it(`treats a state from the future ${description} as written now`, () => {
      const state = { ...createStateAt(writtenClock.now), reading: writtenClock };
      const reading = { machine, now: writtenClock.now + setMs, uptimeMs: 10 };
      adjustToClock(state, reading);
      assert.deepEqual(state, { ...createStateAt(reading.now), reading });
    });

  it('ignores missing instants', () => {
    const state: KeyState = { version: 1, rejected: false, scopes: {}, reading: writtenClock };
    const { read } = createStateAt(writtenClock.now).scopes;
    assert.ok(read);
    state.scopes['read'] = { ...read, slots: [], blockedUntil: 0, forbiddenAt: undefined };
    adjustToClock(state, createLaterClock(0, hour));
    assert.deepEqual([state.rejectedAt, state.scopes['read'].blockedUntil], [undefined, 0]);
  });
});

describe('parseKeyState', () => {
  const now = 1_700_000_000_000;
  const createState = (): KeyState => ({ ...createStateAt(now), reading: { machine: 'm', now, uptimeMs: 1 } });
  const readScope = (): ScopeState => {
    const scope = createState().scopes['read'];
    assert.ok(scope);
    return scope;
  };
  const [slot] = readScope().slots;
  const parsed = (state: object) => parseKeyState(JSON.stringify(state));
  const createStateWithScope = (parts: object) => ({
    ...createState(),
    scopes: { read: { ...readScope(), ...parts } },
  });

  it('parses a written state', () => {
    for (const state of [createState(), emptyKeyState()]) assert.deepEqual(parsed(state), state);
    const longest = { slots: [{ ...slot, flying: true, at: now + 125_000 }], blockedUntil: now + 130_000 };
    assert.ok(parsed(createStateWithScope(longest)));
  });

  for (const [name, state] of Object.entries({
    'a response in the future': createStateWithScope({ slots: [{ ...slot, at: now + 61_000 }] }),
    'a request in the future': createStateWithScope({ slots: [{ ...slot, sentAt: now + 61_000 }] }),
    'a request that is in flight for too long': createStateWithScope({
      slots: [{ ...slot, flying: true, at: now + 186_000 }],
    }),
    'more requests than a window can have': createStateWithScope({ slots: Array(1_001).fill(slot) }),
    'a window that lives in the future': createStateWithScope({ seen: { w: now + 61_000 } }),
    'a block that no 429 can ask for': createStateWithScope({ blockedUntil: now + 191_000 }),
    'a denied permission in the future': createStateWithScope({ forbiddenAt: now + 61_000 }),
    'a rejection in the future': { ...createState(), rejectedAt: now + 61_000 },
    'a window of more than a day': createStateWithScope({ windowMs: 86_400_001 }),
    'requests that nobody knows the time of': { ...createState(), reading: undefined },
  }))
    it(`rejects ${name}`, () => assert.equal(parsed(state), undefined));
});

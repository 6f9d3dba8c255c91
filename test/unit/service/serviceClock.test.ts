import assert from 'node:assert/strict';
import { ServiceClock } from '../../../src/service/serviceClock.ts';
import { FakeState } from './storeFakes.ts';

describe('ServiceClock', () => {
  const now = Date.parse('2026-11-21T08:00:40Z');
  const clock = { now: () => now, sleep: () => Promise.resolve() };

  it('is our clock until the service says otherwise', async () => {
    const service = new ServiceClock(clock, new FakeState());
    assert.equal(service.now('a'), now);
    await service.heard('a', now - 3_600_000, now - 200);
    assert.deepEqual([service.now('a'), service.now('b')], [now - 3_600_000, now]);
  });

  it('takes a long download for what it is', async () => {
    const service = new ServiceClock(clock, new FakeState());
    await service.heard('a', now - 39_000, now - 40_000);
    assert.equal(service.now('a'), now);
  });

  it('remembers the difference after a restart, and forgets it when the clock is set right', async () => {
    const state = new FakeState();
    await new ServiceClock(clock, state).heard('a', now + 86_400_000, now - 200);
    const restarted = new ServiceClock(clock, state);
    assert.equal(restarted.now('a'), now + 86_400_000);
    await restarted.heard('a', now - 1_000, now - 200);
    assert.equal(new ServiceClock(clock, state).now('a'), now);
  });

  it('reads damaged state as none', () => {
    const state = new FakeState();
    void state.update('clockOffsets', { a: 'soon' });
    assert.equal(new ServiceClock(clock, state).now('a'), now);
  });
});

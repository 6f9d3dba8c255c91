import assert from 'node:assert/strict';
import { Debouncer } from '../../../src/host/debouncer.ts';
import { VirtualClock } from '../service/virtualClock.ts';

describe('a debounced task', () => {
  it('runs a debounced task once, after the last event', async () => {
    const { clock, debouncer, getRunCount } = setUp();
    for (let key = 0; key < 10; key++) {
      debouncer.trigger();
      await clock.advance(199);
    }
    assert.equal(getRunCount(), 0);
    await clock.advance(1);
    assert.equal(getRunCount(), 1);
    await clock.advance(1_000);
    assert.deepEqual([getRunCount(), clock.pending], [1, 0]);
  });

  it('runs a debounced task immediately on flush, and not again', async () => {
    const { clock, debouncer, getRunCount } = setUp();
    await debouncer.flush();
    assert.equal(getRunCount(), 0, 'no timer is pending');
    debouncer.trigger();
    await debouncer.flush();
    await clock.advance(1_000);
    assert.equal(getRunCount(), 1);
  });

  it('runs a debounced task at the maximum delay while events continue', async () => {
    const { clock, debouncer, getRunCount } = setUp(1_000);
    for (let event = 0; event < 25; event++) {
      debouncer.trigger();
      await clock.advance(100);
    }
    assert.equal(getRunCount(), 2);
    await clock.advance(200);
    assert.deepEqual([getRunCount(), clock.pending], [3, 0]);
  });

  it('does not run a canceled task', async () => {
    const { clock, debouncer, getRunCount } = setUp();
    debouncer.trigger();
    debouncer.cancel();
    await clock.advance(1_000);
    assert.equal(getRunCount(), 0);
  });
});

function setUp(maxMs?: number): { clock: VirtualClock; debouncer: Debouncer; getRunCount: () => number } {
  let count = 0;
  const clock = new VirtualClock();
  const run = async (): Promise<void> => {
    count += 1;
    return Promise.resolve();
  };
  return {
    clock,
    debouncer: new Debouncer({ clock, restMs: 200, ...(maxMs && { maxMs }), run }),
    getRunCount: () => count,
  };
}

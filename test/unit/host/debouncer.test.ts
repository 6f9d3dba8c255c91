import assert from 'node:assert/strict';
import { Debouncer } from '../../../src/host/debouncer.ts';
import { VirtualClock } from '../service/virtualClock.ts';

describe('a debounced task', () => {
  it('runs once, after the last event', async () => {
    const { clock, rest, done } = setUp();
    for (let key = 0; key < 10; key++) {
      rest.trigger();
      await clock.advance(199);
    }
    assert.equal(done(), 0);
    await clock.advance(1);
    assert.equal(done(), 1);
    await clock.advance(1_000);
    assert.deepEqual([done(), clock.pending], [1, 0]);
  });

  it('runs at once on flush, and not again', async () => {
    const { clock, rest, done } = setUp();
    await rest.flush();
    assert.equal(done(), 0, 'nothing waits');
    rest.trigger();
    await rest.flush();
    await clock.advance(1_000);
    assert.equal(done(), 1);
  });

  it('runs at times where the events do not end', async () => {
    const { clock, rest, done } = setUp(1_000);
    for (let event = 0; event < 25; event++) {
      rest.trigger();
      await clock.advance(100);
    }
    assert.equal(done(), 2);
    await clock.advance(200);
    assert.deepEqual([done(), clock.pending], [3, 0]);
  });

  it('runs never once it is disposed', async () => {
    const { clock, rest, done } = setUp();
    rest.trigger();
    rest.cancel();
    await clock.advance(1_000);
    assert.equal(done(), 0);
  });
});

function setUp(maxMs?: number): { clock: VirtualClock; rest: Debouncer; done: () => number } {
  let count = 0;
  const clock = new VirtualClock();
  const run = async (): Promise<void> => {
    count += 1;
    return Promise.resolve();
  };
  return { clock, rest: new Debouncer({ clock, restMs: 200, ...(maxMs && { maxMs }), run }), done: () => count };
}

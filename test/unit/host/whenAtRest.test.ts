import assert from 'node:assert/strict';
import { WhenAtRest } from '../../../src/host/whenAtRest.ts';
import { VirtualClock } from '../service/virtualClock.ts';

describe('what waits for a rest', () => {
  it('is done once, after the last stir', async () => {
    const { clock, rest, done } = setUp();
    for (let key = 0; key < 10; key++) {
      rest.stir();
      await clock.advance(199);
    }
    assert.equal(done(), 0);
    await clock.advance(1);
    assert.equal(done(), 1);
    await clock.advance(1_000);
    assert.deepEqual([done(), clock.pending], [1, 0]);
  });

  it('is done at once for who cannot wait, and not again', async () => {
    const { clock, rest, done } = setUp();
    await rest.now();
    assert.equal(done(), 0, 'nothing waits');
    rest.stir();
    await rest.now();
    await clock.advance(1_000);
    assert.equal(done(), 1);
  });

  it('is forgotten when it is stopped', async () => {
    const { clock, rest, done } = setUp();
    rest.stir();
    rest.stop();
    await clock.advance(1_000);
    assert.equal(done(), 0);
  });
});

function setUp(): { clock: VirtualClock; rest: WhenAtRest; done: () => number } {
  let count = 0;
  const clock = new VirtualClock();
  const act = async (): Promise<void> => {
    count += 1;
    return Promise.resolve();
  };
  return { clock, rest: new WhenAtRest({ clock, restMs: 200, act }), done: () => count };
}

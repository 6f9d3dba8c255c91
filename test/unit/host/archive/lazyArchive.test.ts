import assert from 'node:assert/strict';
import { ArchiveSize } from '../../../../src/host/archive/lazyArchive.ts';

function setUp() {
  const clock = { ms: 1_000_000, now: () => clock.ms };
  let reads = 0;
  const archive = { size: () => Promise.resolve(++reads * 1000) };
  return { clock, size: new ArchiveSize({ archive, clock }) };
}

describe('ArchiveSize', () => {
  it('reads the archive size once a minute at most', async () => {
    const { clock, size } = setUp();
    assert.equal(await size.bytes(), 1000);
    clock.ms += 59_999;
    assert.equal(await size.bytes(), 1000);
    clock.ms += 1;
    assert.equal(await size.bytes(), 2000);
  });

  it('reads the archive size again after a change, and only on request', async () => {
    const { size } = setUp();
    await size.bytes();
    size.invalidate();
    size.invalidate();
    assert.deepEqual([await size.bytes(), await size.bytes()], [2000, 2000]);
  });

  it('reads the archive size once for two simultaneous requests', async () => {
    const { size } = setUp();
    assert.deepEqual(await Promise.all([size.bytes(), size.bytes()]), [1000, 1000]);
  });

  it('discards a reading that started before the change', async () => {
    const resolvers: ((bytes: number) => void)[] = [];
    const archive = { size: () => new Promise<number>(resolve => resolvers.push(resolve)) };
    const size = new ArchiveSize({ archive, clock: { now: () => 0 } });
    const early = size.bytes();
    size.invalidate();
    resolvers[0]?.(1);
    assert.equal(await early, 1);
    const late = size.bytes();
    resolvers[1]?.(2);
    assert.equal(await late, 2);
  });

  it('reads the archive size again after the clock was set back by a day', async () => {
    const { clock, size } = setUp();
    await size.bytes();
    clock.ms -= 86_400_000;
    assert.equal(await size.bytes(), 2000);
  });
});

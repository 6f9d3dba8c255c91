import assert from 'node:assert/strict';
import type { Archive } from '../../../../src/service/archive/archive.ts';
import { GridWorld, MemoryArchive } from '../gridWorld.ts';

/** An archive on a slow disk: writes wait until `write` is called. */
class SlowArchive extends MemoryArchive {
  readonly #waiting: (() => void)[] = [];

  override async merge(...answer: Parameters<Archive['merge']>): Promise<boolean> {
    await new Promise<void>(resolve => this.#waiting.push(resolve));
    return super.merge(...answer);
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  write(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

describe('a response before it is archived', () => {
  it('returns a response before it is written', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const archive = new SlowArchive();
    const runner = world.window({ archive });
    const result = await runner.run(world.query('last 24 hours'), world.endpoint);
    assert.equal(result.frame?.rowCount, 24);
    assert.equal(archive.waiting, 1);
    archive.write();
    await runner.engine.waitForWrites();
    const query = world.query('last 24 hours');
    const archivedResult = await world.window({ archive }).run(query, world.endpoint, { refresh: 'never' });
    assert.equal(archivedResult.frame?.rowCount, 24);
  });

  it('makes the next query of this and other windows wait for the write, and sends no request for it', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const archive = new SlowArchive();
    const runner = world.window({ archive });
    await runner.run(world.query('last 24 hours'), world.endpoint);
    const laterResults = [
      runner.run(world.query('last 12 hours'), world.endpoint),
      world.window({ archive }).run(world.query('last 6 hours'), world.endpoint),
    ];
    archive.write();
    const results = await Promise.all(laterResults);
    assert.deepEqual(
      results.map(({ frame, provenance }) => [frame?.rowCount, provenance.requestsSpent]),
      [
        [12, 0],
        [6, 0],
      ],
    );
    assert.equal(world.sentRequests.length, 1);
  });

  it('completes the write also when the query was canceled', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const archive = new SlowArchive();
    const runner = world.window({ archive });
    const cancel = new AbortController();
    world.beforeResponse = () => cancel.abort();
    await runner.run(world.query('last 24 hours'), world.endpoint, { signal: cancel.signal }).catch(() => undefined);
    archive.write();
    await runner.engine.waitForWrites();
    const query = world.query('last 24 hours');
    const archivedResult = await world.window({ archive }).run(query, world.endpoint, { refresh: 'never' });
    assert.equal(archivedResult.frame?.rowCount, 24);
  });
});

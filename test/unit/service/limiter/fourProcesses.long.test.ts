import assert from 'node:assert/strict';
import { startWindows } from '../../../support/limiterWindows.ts';
import { startStrictServer } from '../../../support/strictServer.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const names = ['one', 'two', 'three', 'four'];

describe('four processes that send fifty requests each to a server with a window of a second', () => {
  it('causes no 429, and gives each process a fair share', async () => {
    const folder = createTemporaryFolder();
    const limit = { requests: 25, seconds: 1 };
    const server = await startStrictServer(limit.requests, 1_000, 80);
    try {
      const tasks = names.map(name => ({ folder, baseUrl: server.baseUrl, name, count: 50, leaseMs: 5_000, limit }));
      const windows = await startWindows(tasks);
      assert.deepEqual(await Promise.all(windows.map(({ done }) => done)), [true, true, true, true]);
      assert.equal(server.hits.length, 200);
      assert.equal(server.hits.filter(({ ok }) => !ok).length, 0);
      // All processes compete until the first has sent its last request; afterwards the others share the rest.
      const lastRequests = names.map(name => server.hits.findLastIndex(({ client }) => client === name));
      const contested = server.hits.slice(0, Math.min(...lastRequests) + 1);
      const fair = contested.length / names.length;
      for (const name of names) {
        const share = contested.filter(({ client }) => client === name).length;
        assert.ok(share >= 0.8 * fair && share <= 1.2 * fair, `${name}: ${share} of ${contested.length}`);
      }
    } finally {
      await server.close();
    }
  });
});

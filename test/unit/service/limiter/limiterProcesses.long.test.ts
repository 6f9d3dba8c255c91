import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWindows } from '../../../support/limiterWindows.ts';
import { fileSystems } from '../../../support/windowsFs.ts';
import { startStrictServer, type StrictServer } from '../../../support/strictServer.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('SharedLimiter in real processes', () => {
  let folder: string;
  let server: StrictServer;
  beforeEach(() => (folder = createTemporaryFolder()));
  afterEach(async () => server.close());

  const createTasks = (count: number, windowMs: number, leaseMs: number, asWindows = false) =>
    ['one', 'two', 'three', 'four'].map((name, index) => ({
      folder,
      baseUrl: server.baseUrl,
      name,
      count,
      leaseMs,
      limit: { requests: 10, seconds: windowMs / 1000 },
      ...(asWindows && { windowsSeed: index }),
    }));

  for (const { name: system, isWindows } of fileSystems)
    it(`causes no 429 with four windows of fifty requests, and gives each an equal share${system}`, async () => {
      server = await startStrictServer(10, 500, 40);
      const windows = await startWindows(createTasks(50, 500, 5_000, isWindows));
      assert.deepEqual(await Promise.all(windows.map(({ done }) => done)), [true, true, true, true]);
      assert.equal(server.hits.filter(({ ok }) => !ok).length, 0);
      assert.equal(server.hits.length, 200);
      const half = server.hits.slice(0, 100);
      for (const name of ['one', 'two', 'three', 'four']) {
        const share = half.filter(({ client }) => client === name).length;
        assert.ok(share >= 20 && share <= 30, `${name}: ${share} of 100`);
      }
    });

  it('causes no 429 when two of four windows are killed, and the others finish', async () => {
    server = await startStrictServer(10, 400, 40);
    const windows = await startWindows(createTasks(20, 400, 1_500));
    for (const [index, window] of windows.slice(0, 2).entries()) {
      await sleep(100 + 400 * index + randomInt(300));
      window.process.kill('SIGKILL');
    }
    assert.deepEqual(await Promise.all(windows.map(({ done }) => done)), [false, false, true, true]);
    assert.equal(server.hits.filter(({ ok }) => !ok).length, 0);
    for (const name of ['three', 'four']) assert.equal(server.hits.filter(({ client }) => client === name).length, 20);
  });
});

import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { AxiosHeaders, type AxiosAdapter } from 'axios';
import { datasets } from '../../../../src/core/query/catalogue.ts';
import { resolveQuery, type ResolvedQuery } from '../../../../src/core/query/query.ts';
import { createDiskWindow } from '../../../support/diskWindow.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { VirtualClock } from '../virtualClock.ts';

const endpoint = { name: 'World', baseUrl: 'https://api.example.org', key: 'not-a-real-key', source: 'world' };
const hour = 3_600_000;

describe('the budgets of joined datasets', () => {
  it('respects the limit of each scope, and shows rows of system state before grid stress has a budget', async () => {
    const clock = new VirtualClock(Date.parse('2026-11-21T12:00Z'));
    const sentRequests: { readonly path: string; readonly at: number }[] = [];
    const adapter: AxiosAdapter = config => {
      const path = new URL(config.url ?? '', endpoint.baseUrl).pathname;
      sentRequests.push({ path, at: clock.now() });
      const query = config.params as URLSearchParams;
      const [start, end] = ['start', 'end'].map(name => Date.parse(query.get(name) ?? ''));
      const hours = Array.from(
        { length: ((end ?? 0) - (start ?? 0)) / hour },
        (_, index) => (start ?? 0) + index * hour,
      );
      const name = path.endsWith('stress') ? 'value' : 'wind_mw';
      const data = hours.map(ms => ({ ts: new Date(ms).toISOString(), [name]: 0.5 }));
      const headers = new AxiosHeaders({ date: new Date(clock.now()).toUTCString() });
      return Promise.resolve({
        status: 200,
        statusText: 'OK',
        config,
        headers,
        data: Buffer.from(JSON.stringify({ data })),
      });
    };
    const { runner } = createDiskWindow({
      folder: createTemporaryFolder(),
      clock,
      name: 'window',
      transportOptions: { adapter },
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
      fingerprint: () => Promise.resolve('0123abcd'),
    });
    const createQuery = (dataset: string, range: string): ResolvedQuery => {
      const resolved = resolveQuery({ dataset, range, interval: '1h', params: {}, timeZone: 'UTC' }, clock.now());
      return resolved.ok ? resolved.value : assert.fail(resolved.problem);
    };
    for (const day of [1, 2, 3]) await runner.run(createQuery('gridStress', `2026-11-0${day}`), endpoint);
    const startedAt = clock.now();
    const partial: { at: number; columns: number | undefined; rows: number | undefined }[] = [];
    const state = { isOver: false };
    const run = runner
      .run(createQuery('stateAndStress', '2026-11-05'), endpoint, {
        onProgress: ({ frame }) =>
          partial.push({ at: clock.now(), columns: frame?.columns.length, rows: frame?.rowCount }),
      })
      .finally(() => (state.isOver = true));
    while (partial.length === 0) await setImmediate();
    assert.deepEqual(partial, [{ at: startedAt, columns: 2, rows: 24 }]);
    assert.equal(sentRequests.length, 4);
    while (!state.isOver) {
      await clock.advance(1_000);
      await setImmediate();
    }
    const { frame, provenance } = await run;
    await runner.engine.waitForWrites();
    assert.deepEqual([frame?.rowCount, frame?.columns.length, provenance.requestsSpent], [24, 3, 2]);
    assert.ok((sentRequests.at(-1)?.at ?? 0) >= startedAt + 60_000);
    for (const { path, limit } of datasets) {
      const times = sentRequests.filter(request => request.path === path).map(({ at }) => at);
      for (const from of times)
        assert.ok(
          times.filter(time => time >= from && time < from + limit.seconds * 1000).length <= limit.requests,
          path,
        );
    }
  });
});

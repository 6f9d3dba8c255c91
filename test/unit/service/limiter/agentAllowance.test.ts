import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../../../src/host/systemPorts.ts';
import { AgentAllowance } from '../../../../src/service/limiter/agentAllowance.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const minuteMs = 60_000;
const source = 'https://grid.example';

describe('the hourly allowance of agents', () => {
  let path: string;
  let now: number;
  let maxPerHour: number;

  beforeEach(() => {
    path = join(createTemporaryFolder(), 'agents', 'agents.json');
    now = Date.UTC(2026, 10, 29, 12);
    maxPerHour = 5;
  });

  /** Creates the allowance of a window or process. */
  function create(): AgentAllowance {
    const clock = { now: () => now, sleep: systemClock.sleep.bind(systemClock) };
    return new AgentAllowance({ path, clock, random: Math.random, maxPerHour: () => maxPerHour });
  }

  it('allows a maximum in any hour, and says when the next requests are allowed', async () => {
    const allowance = create();
    assert.ok((await allowance.reserve(source, 'features', 2)).id);
    now += 10 * minuteMs;
    assert.ok((await allowance.reserve(source, 'features', 3)).id);
    now += 10 * minuteMs;
    const refused = await allowance.reserve(source, 'features', 1);
    assert.deepEqual(refused, {
      id: undefined,
      maxPerHour: 5,
      left: 0,
      allowedAt: Date.UTC(2026, 10, 29, 13),
    });
    const forThree = await allowance.getBudget(source, 'features', 3);
    assert.equal(forThree.allowedAt, Date.UTC(2026, 10, 29, 13, 10));
    now = Date.UTC(2026, 10, 29, 13);
    assert.ok((await allowance.reserve(source, 'features', 2)).id);
    assert.equal((await allowance.reserve(source, 'features', 1)).id, undefined);
  });

  it('counts each service and each rate limit separately', async () => {
    const allowance = create();
    await allowance.reserve(source, 'features', 5);
    assert.equal((await allowance.getBudget(source, 'features')).left, 0);
    assert.equal((await allowance.getBudget(source, 'normalized_data')).left, 5);
    assert.equal((await allowance.getBudget('https://other.example', 'features')).left, 5);
  });

  it('never allows more requests at once than an hour has, and none if the setting is 0', async () => {
    assert.equal((await create().reserve(source, 'features', 6)).allowedAt, undefined);
    maxPerHour = 0;
    assert.deepEqual(await create().reserve(source, 'features', 1), {
      id: undefined,
      maxPerHour: 0,
      left: 0,
      allowedAt: undefined,
    });
  });

  it('counts what was sent instead of what was reserved, for this reservation alone', async () => {
    const allowance = create();
    const { id = '' } = await allowance.reserve(source, 'features', 3);
    await allowance.reserve(source, 'features', 1);
    await allowance.settle(id, 1);
    assert.equal((await allowance.getBudget(source, 'features')).left, 3);
    await allowance.settle(id, 9);
    assert.equal((await allowance.getBudget(source, 'features')).left, 0);
    await allowance.settle(id, 0);
    assert.equal((await allowance.getBudget(source, 'features')).left, 4);
  });

  it('applies a lower setting to what was sent before', async () => {
    await create().reserve(source, 'features', 4);
    maxPerHour = 2;
    assert.deepEqual(await create().getBudget(source, 'features'), {
      maxPerHour: 2,
      left: 0,
      allowedAt: now + 60 * minuteMs,
    });
  });

  it('is shared by windows that reserve at the same time', async () => {
    const reservations = await Promise.all(
      Array.from({ length: 8 }, async () => create().reserve(source, 'features', 1)),
    );
    assert.equal(reservations.filter(({ id }) => id !== undefined).length, 5);
  });

  it('is shared by processes that reserve at the same time', async () => {
    const sources = pathToFileURL(join(import.meta.dirname, '../../../../src')).href;
    const code = `
      import { AgentAllowance } from '${sources}/service/limiter/agentAllowance.ts';
      import { systemClock as clock } from '${sources}/host/systemPorts.ts';
      const deps = { path: process.argv[1], clock, random: Math.random, maxPerHour: () => 5 };
      const allowance = new AgentAllowance(deps);
      let count = 0;
      for (let i = 0; i < 4; i++) if ((await allowance.reserve('s', 'features', 1)).id) count++;
      console.log(count);`;
    const counts = await Promise.all(
      [1, 2].map(async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', code, path]);
        let output = '';
        child.stdout.on('data', (data: Buffer) => (output += data.toString()));
        child.stderr.on('data', (data: Buffer) => (output += data.toString()));
        await once(child, 'close');
        return output;
      }),
    );
    assert.equal(
      counts.map(Number).reduce((sum, count) => sum + count),
      5,
      counts.join(),
    );
  });

  it('counts requests for an hour at most after the clock was set back, and not longer after it was set forward', async () => {
    await create().reserve(source, 'features', 5);
    now -= 10 * 60 * minuteMs;
    const { allowedAt } = await create().reserve(source, 'features', 1);
    assert.equal(allowedAt, now + 60 * minuteMs);
    now += 59 * minuteMs;
    assert.equal((await create().reserve(source, 'features', 1)).id, undefined);
    now += minuteMs;
    assert.ok((await create().reserve(source, 'features', 1)).id);
    now += 24 * 60 * minuteMs;
    assert.equal((await create().getBudget(source, 'features')).left, 5);
  });

  it('replaces a damaged file, and forgets reservations after an hour', async () => {
    mkdirSync(dirname(path));
    for (const text of ['', '{"version":1,"reservations":[{"at":"now"}]}', '[]', '{"version":1,"reserv']) {
      writeFileSync(path, text);
      assert.equal((await create().getBudget(source, 'features')).left, 5);
      assert.ok((await create().reserve(source, 'features', 5)).id, text);
      assert.equal((await create().reserve(source, 'features', 1)).id, undefined);
    }
    now += 60 * minuteMs;
    await create().reserve(source, 'normalized_data', 1);
    const stored = JSON.parse(readFileSync(path, 'utf8')) as { reservations: unknown[] };
    assert.equal(stored.reservations.length, 1);
  });

  it('rejects if the file cannot be used, so that uncounted requests are not sent', async () => {
    mkdirSync(path, { recursive: true });
    await assert.rejects(create().reserve(source, 'features', 1));
    await assert.rejects(create().getBudget(source, 'features'));
  });
});

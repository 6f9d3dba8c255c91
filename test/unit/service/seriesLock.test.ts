import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeriesLock } from '../../../src/service/seriesLock.ts';
import { realClock } from '../../support/realClock.ts';

const series = { source: 'world', dataset: 'systemState', interval: '1h', params: {} };

describe('SeriesLock', () => {
  let folder: string;
  const warnings: string[] = [];
  const lockOf = (path = folder): SeriesLock =>
    new SeriesLock({
      folder: path,
      clock: realClock,
      random: () => 0.5,
      logger: { warn: line => warnings.push(line) },
    });

  const hold = async <T>(
    lock: SeriesLock,
    of: typeof series,
    signal: AbortSignal | undefined,
    task: () => Promise<T>,
  ): Promise<T> => {
    const release = await lock.acquire(of, signal);
    return task().finally(release);
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'grid-data-turns-'));
    warnings.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('lets one window at a time at a series, and does not hold up another series', async () => {
    const seen: string[] = [];
    const slow = hold(lockOf(), series, undefined, async () => {
      seen.push('first in');
      await realClock.sleep(60);
      seen.push('first out');
    });
    await realClock.sleep(20);
    const second = hold(lockOf(), series, undefined, async () => Promise.resolve(seen.push('second')));
    await hold(lockOf(), { ...series, dataset: 'gridStress' }, undefined, async () =>
      Promise.resolve(seen.push('other')),
    );
    await Promise.all([slow, second]);
    assert.deepEqual(seen, ['first in', 'other', 'first out', 'second']);
  });

  it('is given back when the task fails', async () => {
    await assert.rejects(
      hold(lockOf(), series, undefined, async () => Promise.reject(new Error('boom'))),
      /boom/,
    );
    assert.equal(await hold(lockOf(), series, undefined, async () => Promise.resolve(1)), 1);
  });

  it('stops waiting when the query is cancelled', async () => {
    let end: () => void = () => undefined;
    const holding = hold(lockOf(), series, undefined, async () => new Promise<void>(resolve => (end = resolve)));
    await realClock.sleep(20);
    const run = new AbortController();
    let entered = false;
    const waiting = hold(lockOf(), series, run.signal, async () => {
      entered = true;
      return Promise.resolve();
    });
    run.abort(new Error('cancelled'));
    await assert.rejects(waiting);
    assert.equal(entered, false);
    end();
    await holding;
  });

  it('breaks the lock that a dead window left, also one from before the clock was set back', async () => {
    for (const age of [-60_000, 3_600_000]) {
      await hold(lockOf(), series, undefined, async () => {
        // What a killed process leaves: a lock folder that nobody renews.
        for (const name of readdirSync(folder).filter(one => one.endsWith('.lock')))
          mkdirSync(join(folder, `copy-${name}`));
        return Promise.resolve();
      });
      for (const name of readdirSync(folder).filter(one => one.startsWith('copy-'))) {
        const dead = join(folder, name.replace('copy-', ''));
        rmSync(join(folder, name), { recursive: true });
        mkdirSync(dead, { recursive: true });
        const time = new Date(realClock.now() + age);
        utimesSync(dead, time, time);
      }
      assert.equal(await hold(lockOf(), series, undefined, async () => Promise.resolve('in')), 'in');
    }
  });

  it('goes on without turns where the folder cannot be used, and says so in the log', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    assert.equal(await hold(lockOf(file), series, undefined, async () => Promise.resolve('in')), 'in');
    assert.equal(warnings.length, 1);
  });
});

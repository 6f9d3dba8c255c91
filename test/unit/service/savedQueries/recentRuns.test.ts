import assert from 'node:assert/strict';
import { RecentRuns, type RecentRun } from '../../../../src/service/savedQueries/recentRuns.ts';
import { FakeFile } from './fakes.ts';

function aRun(n: number, more: Partial<RecentRun> = {}): RecentRun {
  const query = { dataset: 'systemState', range: 'today', interval: '1h', params: {}, timeZone: 'UTC' };
  const outcome = { kind: 'rows', rows: n } as const;
  return { id: `r${n}`, at: n, query, connection: { id: 'c', name: 'Prod' }, outcome, requestsSpent: 1, ...more };
}

function ids(runs: RecentRuns): string {
  return runs
    .list()
    .map(({ id }) => id)
    .join(' ');
}

describe('recent runs', () => {
  it('lists the runs of all windows, newest first', async () => {
    const file = new FakeFile();
    const [one, two] = [new RecentRuns({ file }), new RecentRuns({ file })];
    await Promise.all([one.add(aRun(2)), two.add(aRun(3)), one.add(aRun(1))]);
    await Promise.all([one.refresh(), two.refresh()]);
    assert.equal(ids(one), 'r3 r2 r1');
    assert.equal(ids(two), 'r3 r2 r1');
  });

  it('lists a question once, by its newest run', async () => {
    const file = new FakeFile();
    const [one, two] = [new RecentRuns({ file }), new RecentRuns({ file })];
    await one.add(aRun(1, { savedId: 'c week' }), aRun(2, { savedId: 'c month' }));
    await two.add(aRun(3, { savedId: 'c week' }));
    await one.refresh();
    assert.deepEqual([ids(one), ids(two)], ['r3 r2', 'r3 r2']);
  });

  it('keeps at most 50 runs, and the last run of every saved query', async () => {
    const runs = new RecentRuns({ file: new FakeFile() });
    const outcome = { kind: 'failed', reason: 'timeout' } as const;
    await runs.add(aRun(1, { savedId: 's', outcome }));
    for (let n = 2; n <= 60; n += 1) await runs.add(aRun(n));
    assert.equal(runs.list().length, 50);
    assert.equal(runs.list().at(-1)?.id, 'r11');
    assert.deepEqual(runs.getLastRun('s'), { at: 1, outcome, requestsSpent: 1 });
    await runs.clear();
    assert.deepEqual(runs.list(), []);
    assert.equal(runs.getLastRun('s')?.at, 1);
    assert.equal(runs.getLastRun('other'), undefined);
  });

  it('takes an hourly refresh as the last run of its query, and does not list it', async () => {
    const file = new FakeFile();
    const runs = new RecentRuns({ file });
    await runs.add(aRun(1, { savedId: 's' }));
    await runs.add(aRun(2, { savedId: 's', isRefresh: true }));
    assert.deepEqual([ids(runs), runs.getLastRun('s')?.at], ['r1', 2]);
    const other = new RecentRuns({ file });
    await other.refresh();
    assert.deepEqual([ids(other), other.getLastRun('s')?.at], ['r1', 2]);
  });

  it('notifies of a change, and clears runs in other windows too', async () => {
    const file = new FakeFile();
    const [one, two] = [new RecentRuns({ file }), new RecentRuns({ file })];
    await one.add(aRun(1));
    let told = 0;
    two.onDidChange(() => (told += 1));
    await two.refresh();
    await two.refresh();
    assert.equal(told, 1);
    await one.clear();
    await two.refresh();
    assert.equal(ids(two), '');
    assert.equal(told, 2);
  });

  it('restores cleared runs among newer ones', async () => {
    const runs = new RecentRuns({ file: new FakeFile() });
    await runs.add(aRun(1), aRun(2));
    const cleared = await runs.clear();
    await runs.add(aRun(3));
    await runs.add(...cleared);
    assert.equal(ids(runs), 'r3 r2 r1');
  });

  it('keeps runs while the file cannot be written, and writes them with the next', async () => {
    const file = new FakeFile();
    const runs = new RecentRuns({ file });
    file.broken = 'ENOSPC';
    await runs.add(aRun(1));
    assert.equal(ids(runs), 'r1');
    assert.deepEqual(runs.problems(), [{ problem: 'fileUnusable', code: 'ENOSPC' }]);
    file.broken = undefined;
    await runs.add(aRun(2));
    const other = new RecentRuns({ file });
    await other.refresh();
    assert.equal(ids(other), 'r2 r1');
  });

  it('reads valid runs, and sets the rest aside', async () => {
    const file = new FakeFile();
    await new RecentRuns({ file }).add(aRun(1));
    const stored = JSON.parse(file.text ?? '') as { runs: unknown[] };
    file.text = JSON.stringify({ ...stored, runs: [...stored.runs, { id: 5 }] });
    const runs = new RecentRuns({ file });
    await runs.refresh();
    assert.equal(ids(runs), 'r1');
    assert.deepEqual(runs.problems(), [{ problem: 'damaged', where: 'file', unreadable: 1, backupName: 'aside.json' }]);
    file.text = '{';
    await runs.add(aRun(2));
    assert.equal(ids(runs), 'r2');
    assert.equal(file.aside.at(-1), '{');
  });
});

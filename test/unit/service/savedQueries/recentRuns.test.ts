import assert from 'node:assert/strict';
import { RecentRuns, type RecentRun } from '../../../../src/service/savedQueries/recentRuns.ts';
import { FakeFile } from './fakes.ts';

function createRun(n: number, fields: Partial<RecentRun> = {}): RecentRun {
  const query = { dataset: 'systemState', range: 'today', interval: '1h', params: {}, timeZone: 'UTC' };
  const outcome = { kind: 'rows', rows: n } as const;
  return { id: `r${n}`, at: n, query, connection: { id: 'c', name: 'Prod' }, outcome, requestsSpent: 1, ...fields };
}

function formatIds(runs: RecentRuns): string {
  return runs
    .list()
    .map(({ id }) => id)
    .join(' ');
}

describe('recent runs', () => {
  it('lists the runs of all windows, newest first', async () => {
    const file = new FakeFile();
    const first = new RecentRuns({ file });
    const second = new RecentRuns({ file });
    await Promise.all([first.add(createRun(2)), second.add(createRun(3)), first.add(createRun(1))]);
    await Promise.all([first.refresh(), second.refresh()]);
    assert.equal(formatIds(first), 'r3 r2 r1');
    assert.equal(formatIds(second), 'r3 r2 r1');
  });

  it('lists a query once, by its newest run', async () => {
    const file = new FakeFile();
    const first = new RecentRuns({ file });
    const second = new RecentRuns({ file });
    await first.add(createRun(1, { savedId: 'c week' }), createRun(2, { savedId: 'c month' }));
    await second.add(createRun(3, { savedId: 'c week' }));
    await first.refresh();
    assert.deepEqual([formatIds(first), formatIds(second)], ['r3 r2', 'r3 r2']);
  });

  it('keeps at most 50 runs, and the last run of every saved query', async () => {
    const runs = new RecentRuns({ file: new FakeFile() });
    const outcome = { kind: 'failed', reason: 'timeout' } as const;
    await runs.add(createRun(1, { savedId: 's', outcome }));
    for (let n = 2; n <= 60; n += 1) await runs.add(createRun(n));
    assert.equal(runs.list().length, 50);
    assert.equal(runs.list().at(-1)?.id, 'r11');
    assert.deepEqual(runs.getLastRun('s'), { at: 1, outcome, requestsSpent: 1 });
    await runs.clear();
    assert.deepEqual(runs.list(), []);
    assert.equal(runs.getLastRun('s')?.at, 1);
    assert.equal(runs.getLastRun('other'), undefined);
  });

  it('stores an hourly refresh as the last run of its query, and does not list it', async () => {
    const file = new FakeFile();
    const runs = new RecentRuns({ file });
    await runs.add(createRun(1, { savedId: 's' }));
    await runs.add(createRun(2, { savedId: 's', isRefresh: true }));
    assert.deepEqual([formatIds(runs), runs.getLastRun('s')?.at], ['r1', 2]);
    const reopened = new RecentRuns({ file });
    await reopened.refresh();
    assert.deepEqual([formatIds(reopened), reopened.getLastRun('s')?.at], ['r1', 2]);
  });

  it('notifies once of each change, and clears runs in other windows too', async () => {
    const file = new FakeFile();
    const first = new RecentRuns({ file });
    const second = new RecentRuns({ file });
    await first.add(createRun(1));
    let changeCount = 0;
    second.onDidChange(() => (changeCount += 1));
    await second.refresh();
    await second.refresh();
    assert.equal(changeCount, 1);
    await first.clear();
    await second.refresh();
    assert.equal(formatIds(second), '');
    assert.equal(changeCount, 2);
  });

  it('restores cleared runs among newer ones', async () => {
    const runs = new RecentRuns({ file: new FakeFile() });
    await runs.add(createRun(1), createRun(2));
    const cleared = await runs.clear();
    await runs.add(createRun(3));
    await runs.add(...cleared);
    assert.equal(formatIds(runs), 'r3 r2 r1');
  });

  it('keeps runs while the file cannot be written, and writes them with the next', async () => {
    const file = new FakeFile();
    const runs = new RecentRuns({ file });
    file.broken = 'ENOSPC';
    await runs.add(createRun(1));
    assert.equal(formatIds(runs), 'r1');
    assert.deepEqual(runs.problems(), [{ problem: 'fileUnusable', code: 'ENOSPC' }]);
    file.broken = undefined;
    await runs.add(createRun(2));
    const reopened = new RecentRuns({ file });
    await reopened.refresh();
    assert.equal(formatIds(reopened), 'r2 r1');
  });

  it('reads valid runs, and backs up the file', async () => {
    const file = new FakeFile();
    await new RecentRuns({ file }).add(createRun(1));
    const stored = JSON.parse(file.text ?? '') as { runs: unknown[] };
    file.text = JSON.stringify({ ...stored, runs: [...stored.runs, { id: 5 }] });
    const runs = new RecentRuns({ file });
    await runs.refresh();
    assert.equal(formatIds(runs), 'r1');
    assert.deepEqual(runs.problems(), [{ problem: 'damaged', where: 'file', unreadable: 1, backupName: 'aside.json' }]);
    file.text = '{';
    await runs.add(createRun(2));
    assert.equal(formatIds(runs), 'r2');
    assert.equal(file.aside.at(-1), '{');
  });
});

import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { emptyAlertHistory } from '../../../../src/core/watch/alertHistory.ts';
import { FileArchive } from '../../../../src/service/archive/fileArchive.ts';
import { LimitFolder } from '../../../../src/service/limiter/limitFolder.ts';
import { ResponseStore } from '../../../../src/service/client/responseStore.ts';
import { LockedText } from '../../../../src/service/files/lockedText.ts';
import { SeriesLock } from '../../../../src/service/query/seriesLease.ts';
import { AlertHistoryFolder } from '../../../../src/service/watch/alertHistoryStore.ts';
import { realClock as clock } from '../../../support/realClock.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { createHourlyResponse, hourMs, series, unsyncedFs } from '../archive/archiveSetUp.ts';

const deps = { clock, random: Math.random, logger: { warn: (line: string) => assert.fail(line) } };

describe('permissions of stored files', function () {
  let umask: number;
  before(function () {
    if (process.platform === 'win32') this.skip();
    // This is the most permissive umask.
    umask = process.umask(0);
  });
  after(() => {
    if (process.platform !== 'win32') process.umask(umask);
  });

  it('creates folders and files that no other user can read', async () => {
    const root = createTemporaryFolder();
    const folder = (name: string): string => join(root, name);
    const modesByPath = new Map<string, number>();
    async function recordModes(): Promise<void> {
      for (const entry of await fs.readdir(root, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        const mode = (await fs.stat(path).catch(() => undefined))?.mode;
        if (mode !== undefined) modesByPath.set(path.slice(root.length + 1), mode & 0o777);
      }
    }

    const limits = new LimitFolder({ ...deps, folder: folder('limits') });
    await limits.update('0a', () => undefined);
    // The limiter responds before its lock is released, so that checking now would be too early.
    await limits.read('0a');
    const release = await new SeriesLock({ ...deps, folder: folder('fetching') }).acquire(series);
    await recordModes();
    await release?.();
    const archive = new FileArchive({
      ...deps,
      folder: folder('archive'),
      fs: unsyncedFs,
      maxBytes: () => 1e9,
      onError: error => assert.fail(error),
    });
    await archive.merge(series, hourMs, { start: 0, end: 2 * hourMs }, createHourlyResponse(0, [1, 2]));
    const alertHistories = new AlertHistoryFolder({ ...deps, folder: folder('alertHistory') });
    await alertHistories.update('0123456789abcdef01234567.json', () => ({
      history: { ...emptyAlertHistory },
      value: 0,
    }));
    const responses = new ResponseStore({ ...deps, folder: folder('responses'), newId: () => 'one' });
    await responses.store([Buffer.from('x'.repeat(200_000))]).readText();
    const text = new LockedText({ ...deps, path: join(folder('savedQueries'), 'a.json') });
    await text.change(async () => Promise.resolve('{}'));
    await text.backUp('x');
    await recordModes();

    const folders = new Set([...modesByPath.keys()].map(path => path.split('/')[0]));
    assert.deepEqual([...folders].sort(), [
      'alertHistory',
      'archive',
      'fetching',
      'limits',
      'responses',
      'savedQueries',
    ]);
    // A lock is a folder that contains the file of its owner.
    const isFile = (path: string): boolean => /\.(?!lock$)/.test(path);
    const files = [...modesByPath].filter(([path]) => isFile(path));
    assert.ok(files.length >= 8, String(files));
    assert.deepEqual(
      [...modesByPath].filter(([path, mode]) => mode !== (isFile(path) ? 0o600 : 0o700)),
      [],
    );
  });
});

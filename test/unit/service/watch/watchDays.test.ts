import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AlertHistoryFolder } from '../../../../src/service/watch/alertHistoryStore.ts';
import { impatientClock as clock } from '../../../support/realClock.ts';
import { unsyncedFs } from '../archive/archiveSetUp.ts';
import { check, liveThrough } from './livedDays.ts';

describe('days of hourly refresh', () => {
  it('spends one request per query and hour, and alerts once per hour, on a shared folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'grid-data-watch-'));
    const warnings: string[] = [];
    const logger = { warn: (line: string) => void warnings.push(line) };
    try {
      // Looks for a free lock more often than in earnest: a day here is short.
      const deps = { folder: join(folder, 'told'), clock, random: Math.random, logger, fs: unsyncedFs };
      check(await liveThrough(1, 4, () => new AlertHistoryFolder(deps)));
      assert.deepEqual(warnings, []);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { AlertHistoryFolder } from '../../../../src/service/watch/alertHistoryStore.ts';
import { impatientClock as clock } from '../../../support/realClock.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { unsyncedFs } from '../archive/archiveSetUp.ts';
import { check, liveThrough } from './livedDays.ts';

describe('days of hourly refresh', () => {
  it('spends one request per query and hour, and alerts once per hour, on a shared folder', async () => {
    const warnings: string[] = [];
    const logger = { warn: (line: string) => void warnings.push(line) };
    // Looks for a free lock more often than in earnest: a day here is short.
    const deps = { folder: join(temporaryFolder(), 'told'), clock, random: Math.random, logger, fs: unsyncedFs };
    check(await liveThrough(1, 4, () => new AlertHistoryFolder(deps)));
    assert.deepEqual(warnings, []);
  });
});

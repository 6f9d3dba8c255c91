import assert from 'node:assert/strict';
import { join } from 'node:path';
import { AlertHistoryFolder } from '../../../../src/service/watch/alertHistoryStore.ts';
import { impatientClock as clock } from '../../../support/realClock.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { unsyncedFs } from '../archive/archiveSetUp.ts';
import { check, simulateDays } from './simulateDays.ts';

describe('days of hourly refresh', () => {
  it('spends one request per query and hour, and alerts once per hour, on a shared folder', async () => {
    const warnings: string[] = [];
    const logger = { warn: (line: string) => void warnings.push(line) };
    // Polls for the lock more often than in production, since a simulated day is short.
    const deps = { folder: join(createTemporaryFolder(), 'told'), clock, random: Math.random, logger, fs: unsyncedFs };
    check(await simulateDays(1, 4, () => new AlertHistoryFolder(deps)));
    assert.deepEqual(warnings, []);
  });
});

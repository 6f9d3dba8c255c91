import assert from 'node:assert/strict';
import { openReplay } from '../../../../src/sandbox/replay/replaySource.ts';
import { findSharedFile } from '../../../support/sharedFiles.ts';
import { collectHours } from '../fakes.ts';
import { fields, realHours, computeStatistics, type Statistics } from '../synthetic/realHours.ts';

describe('replay of all real hours', () => {
  it('matches the statistics that the synthetic grid is tested against', async function () {
    const path = findSharedFile('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (path === undefined) return this.skip();
    const source = await openReplay([path]);
    const hours = await collectHours(source, source.firstHour, source.endHour);
    assert.equal(hours.length, 15_552);
    for (const field of fields)
      for (const [figure, value] of Object.entries(computeStatistics(hours, field)) as [keyof Statistics, number][])
        assert.ok(Math.abs(value - realHours[field][figure]) < 0.005_001, `${field} ${figure}: ${value}`);
  });
});

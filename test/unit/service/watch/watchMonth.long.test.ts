import assert from 'node:assert/strict';
import { hour } from '../gridWorld.ts';
import { check, liveThrough } from './livedDays.ts';
import { MemoryTold } from './watchWorld.ts';

describe('a month of hourly refresh', () => {
  for (const seed of [1, 2, 3])
    it(`spends one request per query and hour and alerts once per hour, none missed (${seed})`, async () => {
      const told = new MemoryTold();
      const lived = await liveThrough(30, seed, () => told);
      const expected = check(lived);
      const { model } = lived;
      // The month is worth its name: everything happens in it, often.
      assert.ok(model.sleeps.length >= 15 && model.awakeHours.length > 400, `${model.awakeHours.length} hours awake`);
      for (const alert of ['high', 'over', 'under', 'ramp', 'late'])
        assert.ok(expected.filter(one => one.alert === alert).length > 5, alert);
      assert.ok(expected.filter(one => one.in > one.hour + hour).length > 50, 'told later than published in time');
      assert.equal(new Set(lived.world.told.map(({ window }) => window)).size, 2);
    });
});

import assert from 'node:assert/strict';
import { hour } from '../gridWorld.ts';
import { check, simulateDays } from './simulateDays.ts';
import { MemoryAlertHistories } from './watchWorld.ts';

describe('a month of hourly refresh', () => {
  for (const seed of [1, 2, 3])
    it(`spends one request per query and hour and alerts once per hour, without missing any (${seed})`, async () => {
      const histories = new MemoryAlertHistories();
      const simulation = await simulateDays(30, seed, () => histories);
      const expected = check(simulation);
      const { model } = simulation;
      // The simulated month includes each kind of event often.
      assert.ok(model.sleeps.length >= 15 && model.awakeHours.length > 400, `${model.awakeHours.length} hours awake`);
      for (const alert of ['high', 'over', 'under', 'ramp', 'late'])
        assert.ok(expected.filter(item => item.alert === alert).length > 5, alert);
      assert.ok(expected.filter(item => item.in > item.hour + hour).length > 50, 'some hours must be reported late');
      assert.equal(new Set(simulation.world.alerts.map(({ window }) => window)).size, 2);
    });
});

import assert from 'node:assert/strict';
import type { QueryRunner } from '../../../src/service/queryRunner.ts';
import { monthOfUse } from '../../support/monthOfUse.ts';
import { GridWorld, hour } from './gridWorld.ts';

describe('a month of use', () => {
  it('spends the minimum that freshness allows, at least ten times less than asking each time', async () => {
    const world = new GridWorld('2026-11-01T00:00Z');
    const script = monthOfUse(world.now);
    const windows = new Map<number, QueryRunner>();
    const ledger = new Map<string, number>();
    let [spent, minimum] = [0, 0];
    for (const { at, window, restart, dataset, range } of script) {
      world.now = at;
      if (restart) windows.clear();
      const runner = windows.get(window) ?? world.window();
      windows.set(window, runner);
      const query = world.query(range, dataset);
      const result = await runner.run(query, world.endpoint);
      const expected = leastRequests(ledger, dataset, query.start, query.end, at);
      assert.equal(result.provenance.requestsSpent, expected, `${dataset} ${range} at ${new Date(at).toISOString()}`);
      spent += result.provenance.requestsSpent;
      minimum += expected;
    }
    assert.equal(script.length, 200);
    assert.equal(spent, minimum);
    assert.ok(spent * 10 <= script.length, `${spent} requests for ${script.length} queries`);
  });
});

/**
 * What a query must cost, reckoned hour by hour without any of the project's code: a request when any of its hours was never
 * asked for, or was asked for before this clock hour and younger than 48 hours.
 */
function leastRequests(ledger: Map<string, number>, dataset: string, start: number, end: number, now: number): number {
  const due: number[] = [];
  for (let ms = start; ms < end; ms += hour) {
    const asked = ledger.get(`${dataset} ${ms}`);
    const settled = asked !== undefined && asked - (ms + hour) >= 48 * hour;
    const thisHour =
      asked !== undefined && new Date(asked).toISOString().slice(0, 13) === new Date(now).toISOString().slice(0, 13);
    if (!settled && !thisHour) due.push(ms);
  }
  const [first, last] = [due[0], due.at(-1)];
  if (first === undefined || last === undefined) return 0;
  for (let ms = first; ms <= last; ms += hour) ledger.set(`${dataset} ${ms}`, now);
  return 1;
}

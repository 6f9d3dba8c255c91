import assert from 'node:assert/strict';
import { FaultInjector } from '../../../../src/sandbox/faults/faultInjector.ts';
import { readFaultRules } from '../../../../src/sandbox/faults/faultRules.ts';
import { gridStress, noon, range } from '../fakes.ts';
import { fakeDashboard, pageHeaders } from './fakeDashboard.ts';

const detailOf = async (response: Response) => ((await response.json()) as { detail: string }).detail;

describe('dashboard: switching faults', () => {
  it('replaces the active faults at once, and none switches all off', async () => {
    const { ask, send, signIn, state, keys } = fakeDashboard({ faults: new FaultInjector(1) });
    const { value } = keys.create('desk');
    const cookie = await signIn();
    const use = async () =>
      (await send('GET', gridStress + range(noon - 3_600_000, noon), { headers: { 'x-api-key': value } })).status;
    assert.equal(await use(), 200);
    assert.equal((await ask('POST', 'faults', cookie, { rules: ' error=503/features ' })).status, 204);
    assert.equal(await use(), 503);
    assert.deepEqual(
      (await state(cookie)).faults?.map(({ rule, scope, met }) => [rule, scope, met]),
      [['error=503', 'features', 1]],
    );
    assert.equal((await ask('POST', 'faults', cookie, { rules: 'none' })).status, 204);
    assert.equal(await use(), 200);
  });

  it('refuses an invalid list with the message of the command line, and keeps the active faults', async () => {
    const faults = new FaultInjector(1, [{ kind: 'reset', rate: 1, scope: undefined, amount: 0 }]);
    const { ask, signIn } = fakeDashboard({ faults });
    const cookie = await signIn();
    for (const rules of ['fire', 'error=200', 'latency@2', 'late/others']) {
      const response = await ask('POST', 'faults', cookie, { rules });
      assert.equal(response.status, 400);
      assert.equal(await detailOf(response), readFaultRules(rules));
    }
    for (const body of [{ rules: '' }, { rules: 7 }, {}, { rules: 'reset,'.repeat(200) }]) {
      const response = await ask('POST', 'faults', cookie, body);
      assert.equal(response.status, 400);
      assert.match(await detailOf(response), /^Enter faults, or none/);
    }
    assert.deepEqual(
      faults.rules.map(({ kind }) => kind),
      ['reset'],
    );
  });

  it('requires a session, the own page, and a sandbox started with faults', async () => {
    const faults = new FaultInjector(1);
    const { ask, send, signIn } = fakeDashboard({ faults });
    const body = { rules: 'reset' };
    assert.equal((await ask('POST', 'faults', '', body)).status, 401);
    const headers = { ...pageHeaders, cookie: await signIn(), origin: 'http://evil.example' };
    assert.equal((await send('POST', '/dashboard/api/faults', { body, headers })).status, 403);
    assert.deepEqual(faults.rules, []);
    const without = fakeDashboard();
    const refused = await without.ask('POST', 'faults', await without.signIn(), body);
    assert.equal(refused.status, 409);
    assert.match(await detailOf(refused), /with --faults/);
  });
});

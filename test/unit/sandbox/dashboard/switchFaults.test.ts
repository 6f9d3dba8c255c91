import assert from 'node:assert/strict';
import { FaultInjector } from '../../../../src/sandbox/faults/faultInjector.ts';
import { parseFaultRules } from '../../../../src/sandbox/faults/faultRules.ts';
import { gridStress, noon, range } from '../fakes.ts';
import { fakeDashboard, getVisibleText } from './fakeDashboard.ts';

describe('dashboard: switching faults', () => {
  it("replaces the active faults, shows how many requests met them, and switches them off with 'none'", async () => {
    const { post, open, send, signIn, keys } = fakeDashboard({ faults: new FaultInjector(1) });
    const { value } = keys.create('desk');
    const cookie = await signIn();
    const sendRequest = async () =>
      (await send('GET', gridStress + range(noon - 3_600_000, noon), { headers: { 'x-api-key': value } })).status;
    assert.equal(await sendRequest(), 200);
    assert.match(getVisibleText(await open('', cookie)), /Allowed; none is switched on\./);
    const set = await post('faults', cookie, ['rules', ' error=503/features,latency=1@0.5 ']);
    assert.deepEqual([set.status, set.headers.get('location')], [303, 'dashboard?done=faults']);
    assert.equal(await sendRequest(), 503);
    const page = await open('?done=faults', cookie);
    assert.match(getVisibleText(page), /These faults are switched on\./);
    assert.match(
      getVisibleText(page),
      /error=503 a JSON error of the service 100 % features 1 latency=1 the response is delayed 50 % all/,
    );
    // The field shows the active faults in the syntax of --faults, for editing.
    assert.ok(page.includes('value="error=503/features,latency=1@0.5"'));
    const none = await post('faults', cookie, ['rules', 'none']);
    assert.equal(none.headers.get('location'), 'dashboard?done=none');
    assert.equal(await sendRequest(), 200);
  });

  it('rejects invalid faults with the message of the command line, and keeps the active faults', async () => {
    const faults = new FaultInjector(1, [{ kind: 'reset', rate: 1, scope: undefined, amount: 0 }]);
    const { post, signIn } = fakeDashboard({ faults });
    const cookie = await signIn();
    for (const rules of ['fire', 'error=200', 'latency@2', 'late/others', '<b>', '']) {
      const response = await post('faults', cookie, ['rules', rules]);
      assert.equal(response.status, 400);
      const parsed = parseFaultRules(rules);
      const sentence = rules === '' || typeof parsed !== 'string' ? 'Enter faults, or none.' : parsed;
      const page = await response.text();
      assert.ok(getVisibleText(page).includes(sentence), sentence);
      assert.ok(!page.includes('<b>'));
    }
    assert.deepEqual(
      faults.rules.map(({ kind }) => kind),
      ['reset'],
    );
  });

  it('rejects faults with 409 if the sandbox was started without --faults', async () => {
    const { post, open, signIn } = fakeDashboard();
    const cookie = await signIn();
    assert.match(getVisibleText(await open('', cookie)), /Off\. Start the sandbox with --faults to inject faults\./);
    const response = await post('faults', cookie, ['rules', 'reset']);
    assert.equal(response.status, 409);
    assert.match(getVisibleText(await response.text()), /Start the sandbox with --faults to switch faults\./);
  });
});

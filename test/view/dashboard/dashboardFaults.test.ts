import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { DashboardHarness } from './dashboardHarness.ts';

describe('dashboard: faults and earlier errors', () => {
  let harness: DashboardHarness;
  let page: Page;
  before(async () => {
    harness = await DashboardHarness.start({ faults: [{ kind: 'latency', amount: 1, rate: 0.5, scope: 'features' }] });
  });
  after(() => harness.stop());
  afterEach(() => harness.close(page));

  const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();

  it('offers the same faults as the command line', async () => {
    const { value } = harness.sandbox.createKey('desk');
    page = await harness.signIn();
    const region = page.getByRole('region', { name: 'Faults' });
    const field = region.getByLabel('Faults, or none');
    assert.equal(await field.inputValue(), 'latency=1@0.5/features');
    await field.fill('fire');
    await field.press('Enter');
    await said('"fire" is not KIND');
    await field.fill('error=503');
    await region.getByRole('button', { name: 'Set faults' }).click();
    await said('These faults are switched on.');
    await region.getByRole('row').filter({ hasText: 'error=503' }).waitFor();
    assert.equal(await harness.use(value), 503);
    await field.fill('none');
    await field.press('Enter');
    await said('All faults are switched off.');
    await region.getByText('Allowed; none is switched on.').waitFor();
    assert.equal(await harness.use(value), 200);
  });

  it('hides an error once it is resolved', async () => {
    const { prefix } = harness.sandbox.createKey('laptop');
    const link = harness.sandbox.createDashboardLink();
    page = await harness.open(link);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    const which = page.getByLabel('Prefix or name of a key to revoke');
    await which.fill('Nobody');
    await which.press('Enter');
    await said('No active key has this prefix or name.');
    await which.fill(prefix);
    await which.press('Enter');
    await page.getByRole('dialog').waitFor();
    assert.equal(await page.locator('#said').innerText(), '');
    await page.keyboard.press('Escape');
    // The used link once more, in the same tab: the fragment alone changes.
    await page.goto(link);
    await said('You are already signed in');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await said('You are signed out.');
    await page.goto(link);
    await said('This link was already used');
    await page.goto(harness.sandbox.createDashboardLink());
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    assert.equal(await page.locator('#said').innerText(), '');
  });
});

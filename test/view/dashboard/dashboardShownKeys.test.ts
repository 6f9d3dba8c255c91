import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { DashboardHarness } from './dashboardHarness.ts';

describe('dashboard: the values of new keys', () => {
  let harness: DashboardHarness;
  let page: Page;
  before(async () => {
    harness = await DashboardHarness.start();
  });
  after(() => harness.stop());
  afterEach(() => harness.close(page));

  const create = async (name: string) => {
    await page.getByLabel('Name of a new key').fill(name);
    await page.keyboard.press('Enter');
    await shown(name).waitFor();
    return shown(name).getByLabel('Value (shown only once)').inputValue();
  };
  const shown = (name: string) => page.getByRole('group', { name: `Key “${name}” is active.` });
  const said = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
  const copied = async () => page.evaluate('navigator.clipboard.readText()');

  it("keeps each new key's value until it is dismissed, however many are created", async () => {
    page = await harness.signIn();
    const first = await create('First');
    const second = await create('Second');
    assert.notEqual(first, second);
    assert.equal(await shown('First').getByLabel('Value').inputValue(), first);
    await shown('First').getByRole('button', { name: 'Copy key' }).click();
    await said('Key copied.');
    assert.equal(await copied(), first);
    await shown('Second').getByRole('button', { name: 'Copy key' }).click();
    await page.waitForFunction(`navigator.clipboard.readText().then(text => text === '${second}')`);
    assert.deepEqual([await harness.use(first), await harness.use(second)], [200, 200]);

    await shown('Second').getByRole('button', { name: 'Done' }).click();
    await said('The value was removed from this page.');
    assert.equal(await shown('Second').count(), 0);
    assert.ok(!(await page.content()).includes(second));
    // The next one that is still shown has the keyboard.
    await page.keyboard.press('Enter');
    await said('Key copied.');
    assert.equal(await copied(), first);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await shown('First').count(), 0);
    assert.equal(await page.evaluate('document.activeElement.id'), 'create-name');
  });

  it('hides the values of new keys when the session ends', async () => {
    page = await harness.signIn();
    await create('Third');
    await create('Fourth');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await said('You are signed out.');
    assert.equal(await page.getByLabel('Value (shown only once)').count(), 0);
  });
});

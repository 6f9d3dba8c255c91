import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeOn, DashboardHarness, inEachLook, keyRow } from './dashboardHarness.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

describe('dashboard: limits of an existing key', () => {
  let harness: DashboardHarness;
  let page: Page;
  before(async () => {
    harness = await DashboardHarness.start();
  });
  after(() => harness.stop());
  afterEach(() => harness.close(page));

  const said = (text: string | RegExp) => page.locator('#said').filter({ hasText: text }).waitFor();
  const row = (name: string) => keyRow(page, name);
  const dialog = (name: string) => page.getByRole('dialog', { name: `Limits of “${name}”` });
  const open = async (name: string) => {
    await row(name).getByRole('button', { name: 'Limits' }).click();
    const shown = dialog(name);
    await shown.waitFor();
    return {
      shown,
      data: shown.getByRole('group', { name: /^normalized_data/ }),
      features: shown.getByRole('group', { name: /^features/ }),
      save: shown.getByRole('button', { name: 'Save limits' }),
    };
  };
  const requests = async (value: string, count: number) => {
    const all: number[] = [];
    for (let sent = 0; sent < count; sent++) all.push(await harness.use(value));
    return all;
  };

  it('edits the current limits of a key, which apply from the next request on and in the list', async () => {
    const { value } = harness.sandbox.createKey('Desk', {
      scopes: ['normalized_data'],
      limits: { normalized_data: 1 },
    });
    assert.deepEqual(await requests(value, 2), [200, 429]);
    page = await harness.signIn();
    const { data, features, save } = await open('Desk');
    assert.equal(await data.getByLabel('Requests').inputValue(), '1');
    assert.equal(await features.getByLabel('Access').isChecked(), false);
    assert.equal(await features.getByLabel('Requests').isDisabled(), true);
    await data.getByLabel('Requests').fill('none');
    await features.getByLabel('Access').check();
    await save.click();
    await said('Limits of “Desk” saved. They apply from the next request on.');
    await row('Desk')
      .filter({ hasText: /normalized_data: no limit\s*features: 3 in 60\ss/ })
      .waitFor();
    assert.deepEqual(new Set(await requests(value, 12)), new Set([200]));
    assert.equal(await harness.use(value, 'features/grid-stress'), 200);

    const again = await open('Desk');
    assert.equal(await again.data.getByLabel('Requests').inputValue(), 'none');
    assert.equal(await again.features.getByLabel('Requests').inputValue(), '');
    await again.data.getByLabel('Access').uncheck();
    await again.save.click();
    await row('Desk')
      .filter({ hasText: /normalized_data: no\saccess/ })
      .waitFor();
    assert.equal(await harness.use(value), 403);
  });

  it('edits limits by keyboard alone; Escape cancels; the focus returns', async () => {
    const { value, prefix } = harness.sandbox.createKey('By keyboard');
    const focused = () => page.evaluate(`document.activeElement.getAttribute('aria-label')`);
    page = await harness.signIn();
    const button = row('By keyboard').getByRole('button', { name: 'Limits' });
    await button.focus();
    await page.keyboard.press('Enter');
    await dialog('By keyboard').waitFor();
    assert.equal(await page.evaluate('document.activeElement.type'), 'checkbox');
    await page.keyboard.press('Tab');
    await page.keyboard.type('0');
    await page.keyboard.press('Escape');
    await dialog('By keyboard').waitFor({ state: 'hidden' });
    assert.equal(await harness.use(value), 200);
    assert.equal(await focused(), `Limits of By keyboard, ${prefix}…`);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.value'), '');
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    await said('Limits of “By keyboard” saved');
    assert.equal(await harness.use(value), 429);
    assert.equal(await focused(), `Limits of By keyboard, ${prefix}…`);
  });

  it('refuses invalid limits with a message in the dialog, and changes nothing', async () => {
    const { value, prefix } = harness.sandbox.createKey('Wrong');
    page = await harness.signIn();
    const { shown, data, save } = await open('Wrong');
    const field = data.getByLabel('Requests');
    for (const text of ['many', '-1', '1.5', 'denied']) {
      await field.fill(text);
      await save.click();
      const mismatch = `document.querySelector('#limits-terms .limit').validity.patternMismatch`;
      assert.equal(await page.evaluate(mismatch), true, text);
    }
    assert.equal(await shown.getByRole('alert').textContent(), '', 'none of them was sent');
    await field.fill('9999999999');
    await save.click();
    const alert = shown.getByRole('alert');
    await alert.filter({ hasText: 'Enter a limit: a whole number up to 1,000,000,000, or none for no' }).waitFor();
    assert.equal(await harness.use(value), 200);
    harness.sandbox.keys.revoke(prefix);
    await field.fill('5');
    await save.click();
    await alert.filter({ hasText: 'No active key has this prefix. It was revoked meanwhile.' }).waitFor();
    await shown.getByRole('button', { name: 'Cancel' }).click();
    await row('Wrong').filter({ hasText: 'revoked' }).waitFor();
    assert.equal(await row('Wrong').getByRole('button').count(), 0);
  });

  it('closes the dialogs for limits and revocation when the session ends', async () => {
    harness.sandbox.createKey('Left');
    page = await harness.signIn();
    for (const name of ['Limits', 'Revoke']) {
      await row('Left').getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      await page.context().clearCookies();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.getByRole('heading', { name: 'Sign in with a link' }).waitFor();
      await page.goto(harness.sandbox.createDashboardLink());
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
    }
  });

  it('creates a key without limits, which the chart shows with a numbered axis', async () => {
    page = await harness.signIn();
    await page.getByLabel('Name of a new key').fill('Free');
    await page.getByText('Custom limits and access').click();
    for (const field of await page.locator('#create').getByLabel('Requests').all()) await field.fill(' none ');
    await page.getByRole('button', { name: 'Create key' }).click();
    await row('Free')
      .filter({ hasText: /normalized_data: no limit\s*features: no limit/ })
      .waitFor();
    const value = await page.getByLabel('Value (shown only once)').inputValue();
    assert.deepEqual(new Set(await requests(value, 13)), new Set([200]));
    await page.getByLabel('Key', { exact: true }).selectOption({ label: `Free (${value.slice(0, 12)}…)` });
    const charts = page.getByRole('figure');
    await charts.filter({ hasText: '13 requests in the last 60 s, no limit.' }).waitFor();
    assert.deepEqual(await charts.first().locator('text.count').allTextContents(), ['0', '13']);
    assert.deepEqual(await charts.last().locator('text.count').allTextContents(), ['0', '1']);
    const { data, save } = await open('Free');
    await data.getByLabel('Requests').fill('6');
    await save.click();
    await charts.filter({ hasText: '13 of 6 requests in the last 60 s.' }).waitFor();
    assert.deepEqual(await charts.first().locator('text.count').allTextContents(), ['0', '13', '6']);
    const low = await open('Free');
    await low.data.getByLabel('Requests').fill('0');
    await low.save.click();
    await charts.filter({ hasText: '13 of 0 requests in the last 60 s.' }).waitFor();
    assert.deepEqual(await charts.first().locator('text.count').allTextContents(), ['13', '0']);
  });

  it('shows a limits dialog that passes axe-core and fits the window in every look', async () => {
    const long = `A long name ${'m'.repeat(60)}`;
    harness.sandbox.createKey(long, { limits: { features: null } });
    page = await harness.signIn();
    const { shown, data, save } = await open(long);
    await data.getByLabel('Requests').fill('9999999999');
    await save.click();
    await shown.getByRole('alert').filter({ hasText: 'Enter a limit' }).waitFor();
    await inEachLook(page, async (look, rules) => {
      assert.deepEqual(await axeOn(page, rules), [], look);
      const over = await shown.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
        [scrollWidth - clientWidth, scrollHeight - clientHeight].join(),
      );
      assert.equal(over, '0,0', look);
    });
  });
});

describe('dashboard of a sandbox with a state folder', () => {
  it('keeps changed limits after a restart', async () => {
    const stateFolder = temporaryFolder();
    const first = await DashboardHarness.start({ stateFolder });
    const { value } = first.sandbox.createKey('Kept');
    const page = await first.signIn();
    await page.getByRole('button', { name: 'Limits of Kept' }).click();
    await page.getByRole('dialog').getByLabel('Requests').first().fill('1');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'normalized_data: 1 in' }).waitFor();
    await first.close(page);
    await first.stop();
    const second = await DashboardHarness.start({ stateFolder });
    assert.deepEqual([await second.use(value), await second.use(value)], [200, 429]);
    await second.stop();
  });
});

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { DashboardHarness, keyRow } from './dashboardHarness.ts';

describe('dashboard', () => {
  let harness: DashboardHarness;
  let page: Page;
  before(async () => {
    harness = await DashboardHarness.start();
  });
  after(() => harness.stop());
  afterEach(() => harness.close(page));

  const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
  const row = (name: string) => keyRow(page, name);

  it("explains at the dashboard's plain address how to get a link", async () => {
    page = await harness.open();
    await page.getByRole('heading', { name: 'Sign in with a link' }).waitFor();
    assert.match(await page.getByRole('main').innerText(), /Grid Data: Open Dashboard[\s\S]*press Enter/);
    assert.equal(await page.getByRole('heading', { name: 'API keys' }).isVisible(), false);
    assert.equal(await page.getByRole('button', { name: 'Sign out' }).isVisible(), false);
  });

  it('signs in to the dashboard by a link once, discards its token, and stays signed in after a reload', async () => {
    const link = harness.sandbox.createDashboardLink();
    page = await harness.open(link);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    assert.equal(page.url(), harness.address);
    assert.equal(await page.evaluate('history.length'), 2);
    await page.reload();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    assert.equal(await page.evaluate('document.cookie'), '');
    const [cookie] = await page.context().cookies();
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.expires], [true, 'Strict', -1]);
    const token = link.split('token=')[1] ?? '';
    assert.ok(!harness.asked.some(url => !url.includes('#') && url.includes(token)));

    const second = await harness.open(link);
    await second.getByRole('status').filter({ hasText: 'This link was already used' }).waitFor();
    await second.getByRole('heading', { name: 'Sign in with a link' }).waitFor();
    await harness.close(second);
  });

  it('creates a key, shows it once, copies it, shows its use, and revokes it', async () => {
    page = await harness.signIn();
    await page.getByLabel('Name of a new key').fill('Trading desk');
    await page.getByRole('button', { name: 'Create key' }).click();
    await said('Key “Trading desk” created.');
    const value = await page.getByLabel('Value (shown only once)').inputValue();
    await page.getByRole('button', { name: 'Copy key' }).click();
    await said('Key copied.');
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), value);
    const listed = row('Trading desk');
    await listed.filter({ hasText: 'never' }).waitFor();
    assert.ok((await listed.innerText()).includes(`${value.slice(0, 12)}…`));

    assert.equal(await harness.use(value), 200);
    assert.equal(await harness.use(value, 'features/grid-stress'), 200);
    const cells = listed.getByRole('cell');
    const inLastHour = 6;
    await cells.nth(inLastHour).filter({ hasText: '1' }).waitFor();
    const texts = await cells.allInnerTexts();
    assert.match(texts[2] ?? '', /\d\d:\d\d:\d\d/);
    assert.deepEqual(texts.slice(3, 7), ['1', '1', '1', '1']);

    await page.getByRole('button', { name: 'Done' }).click();
    assert.ok(!(await page.content()).includes(value));
    assert.equal(await page.getByLabel('Value (shown only once)').isVisible(), false);
    await page.reload();
    await listed.waitFor();
    assert.ok(!(await page.content()).includes(value));

    const revoke = listed.getByRole('button', { name: 'Revoke' });
    await revoke.click();
    const dialog = page.getByRole('dialog', { name: /^Revoke “Trading desk” \(sb_test_/ });
    await dialog.getByText('This cannot be undone.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await harness.use(value), 200);
    await revoke.click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await said('1 key revoked');
    assert.equal(await harness.use(value), 401);
    await listed.filter({ hasText: 'revoked' }).waitFor();
    assert.equal(await listed.getByRole('button').count(), 0);
  });

  it('enforces and lists the limits and access of a new key', async () => {
    page = await harness.signIn();
    await page.getByLabel('Name of a new key').fill('Higher limits');
    await page.getByText('Custom limits and access').click();
    const [data, features] = [
      page.getByRole('group', { name: /^normalized_data/ }),
      page.getByRole('group', { name: /^features/ }),
    ];
    assert.equal(await data.getByLabel('Requests').getAttribute('placeholder'), 'sandbox: 10');
    await data.getByLabel('Requests').fill('1');
    await features.getByLabel('Access').uncheck();
    assert.equal(await features.getByLabel('Requests').isDisabled(), true);
    await page.getByRole('button', { name: 'Create key' }).click();
    await said('Key “Higher limits” created.');
    const value = await page.getByLabel('Value (shown only once)').inputValue();
    await row('Higher limits')
      .filter({ hasText: /normalized_data: 1 in 60\ss\s*features: no\saccess/ })
      .waitFor();
    assert.equal(await harness.use(value, 'features/grid-stress'), 403);
    assert.deepEqual([await harness.use(value), await harness.use(value)], [200, 429]);
    // The next key is another one: nothing of this one is left in the form.
    assert.equal(await data.isVisible(), false);
    await page.getByLabel('Name of a new key').fill('Usual limits');
    await page.getByRole('button', { name: 'Create key' }).click();
    await row('Usual limits')
      .filter({ hasText: /normalized_data: 10 in 60\ss\s*features: 3 in 60\ss/ })
      .waitFor();
  });

  it('revokes all keys of a name, and reports a name without keys', async () => {
    const keys = [harness.sandbox.createKey('Twin'), harness.sandbox.createKey('Twin')];
    page = await harness.signIn();
    const which = page.getByLabel('Prefix or name of a key to revoke');
    await which.fill('Nobody');
    await which.press('Enter');
    await said('No active key has this prefix or name.');
    await which.fill('Twin');
    await which.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Revoke 2 keys?' });
    const words = await dialog.innerText();
    assert.ok(keys.every(({ prefix }) => words.includes(prefix)));
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await said('2 keys revoked');
    for (const { value } of keys) assert.equal(await harness.use(value), 401);
  });

  it('charts the requests of a key against its limit, also in words, and updates with new ones', async () => {
    const { value, prefix } = harness.sandbox.createKey('Charted');
    for (let sent = 0; sent < 5; sent++) await harness.use(value, 'features/grid-stress');
    page = await harness.signIn();
    assert.equal(await page.getByLabel('Key', { exact: true }).inputValue(), prefix);
    const features = page.getByRole('figure').filter({ hasText: 'features' });
    const words = /3 of 3 requests in the last 60 s\. In the last 5 minutes: 3 at most, 2 refused \(crosses\)/;
    await features.filter({ hasText: words }).waitFor();
    assert.ok(((await features.locator('path.refused').getAttribute('d')) ?? '').startsWith('M'));
    await harness.use(value);
    await page.getByRole('figure').filter({ hasText: '1 of 10 requests' }).waitFor();
    const other = harness.sandbox.createKey('Quiet');
    await page.getByLabel('Key', { exact: true }).selectOption({ label: `Quiet (${other.prefix}…)` });
    await page.getByRole('figure').filter({ hasText: '0 of 3 requests' }).waitFor();
  });

  it('shows what the sandbox serves, and that faults are off', async () => {
    page = await harness.signIn();
    const data = page.getByRole('region', { name: 'Data' });
    const words = await data.innerText();
    for (const part of ['Synthetic (synthetic-2-seed-1)', '2018-01-01 00:00:00 UTC', 'GET /api/v1/grid/system-state'])
      assert.ok(words.includes(part), part);
    harness.sandbox.publication.setNow(Date.UTC(2023, 5, 15, 12, 30));
    await data.getByText('2023-06-15 12:30:00 UTC, stopped').waitFor();
    await data.getByText('2023-06-15 12:00:00 UTC (the last hour is the one from 11:00)').waitFor();
    harness.sandbox.publication.setNow(undefined);
    await page.getByRole('region', { name: 'Faults' }).getByText('Off. Start the sandbox with --faults').waitFor();
  });

  it('signs out of the dashboard in every window of the browser', async () => {
    page = await harness.signIn();
    const other = await page.context().newPage();
    await other.goto(harness.address);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('status').filter({ hasText: 'You are signed out.' }).waitFor();
    await page.bringToFront();
    await said('You are signed out');
    await page.getByRole('heading', { name: 'Sign in with a link' }).waitFor();
    await page.goto(harness.sandbox.createDashboardLink());
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  it('sends requests to the sandbox only', () => {
    assert.ok(harness.asked.length > 20);
    assert.deepEqual(
      harness.asked.filter(url => !url.startsWith(harness.address)),
      [],
    );
  });
});

describe('dashboard of a sandbox that stops', () => {
  it('reports a stopped sandbox, and asks for a new link when it runs again', async () => {
    const first = await DashboardHarness.start();
    const page = await first.signIn();
    await first.sandbox.close();
    await page.getByRole('status').filter({ hasText: 'The sandbox does not respond.' }).waitFor();
    const port = Number(new URL(first.sandbox.baseUrl).port);
    const second = await DashboardHarness.start({ port });
    await page.getByRole('heading', { name: 'Sign in with a link' }).waitFor();
    await second.stop();
    await first.stop();
  });
});

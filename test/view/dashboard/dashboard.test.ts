import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { axeOn, DashboardHarness, inEachLook, keyRow } from './dashboardHarness.ts';

describe('dashboard', () => {
  let harness: DashboardHarness;
  let page: Page;
  before(async () => {
    harness = await DashboardHarness.start({ faults: [{ kind: 'latency', amount: 1, rate: 0.5, scope: 'features' }] });
  });
  after(() => harness.stop());
  afterEach(() => harness.close(page));

  const waitForStatus = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
  const row = (name: string) => keyRow(page, name);
  const create = async (name: string) => {
    await page.getByLabel('Name of a new key').fill(name);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('group', { name: `Key “${name}” is active.` }).waitFor();
    return page.getByLabel('Value (shown only once)').inputValue();
  };

  it('signs in by a link once, and stays signed in after a reload', async () => {
    const link = harness.sandbox.createDashboardLink();
    page = await harness.open(link);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    assert.equal(page.url(), harness.address);
    await page.reload();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    assert.equal(await page.evaluate('document.cookie'), '');
    const [cookie] = await page.context().cookies();
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.expires], [true, 'Strict', -1]);
    await page.goto(link);
    await waitForStatus('You are already signed in.');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await waitForStatus('You are signed out.');
    await page.goto(link);
    await waitForStatus('This link was already used or has expired.');
    await page.getByRole('heading', { name: 'Sign in with a link' }).waitFor();
  });

  it('signs in by a link on a page of another site', async () => {
    const link = harness.sandbox.createDashboardLink().replace('127.0.0.1', 'localhost');
    const otherServer = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(`<a href="${link}">Dashboard</a>`),
    );
    await new Promise<void>(resolve => void otherServer.listen(0, '127.0.0.1', resolve));
    page = await harness.open(`http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    otherServer.close();
  });

  it('creates a key, shows it once, copies it, shows its use, and revokes it', async () => {
    page = await harness.signIn();
    const value = await create('Trading desk');
    await page.getByRole('button', { name: 'Copy key' }).click();
    await waitForStatus('Key copied.');
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), value);
    await row('Trading desk').filter({ hasText: 'never' }).waitFor();
    assert.equal(await harness.use(value), 200);
    await page.getByRole('link', { name: 'Done' }).click();
    await row('Trading desk')
      .filter({ hasText: /normalized_data: 10 in 60 s\s*1 in the last minute/ })
      .waitFor();
    assert.ok(!(await page.content()).includes(value));

    await row('Trading desk').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: /^Revoke “Trading desk” \(sb_test_/ }).waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    assert.equal(await harness.use(value), 200);
    await row('Trading desk').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await waitForStatus('Revoked: every request with that key is refused from now on.');
    assert.equal(await harness.use(value), 401);
    assert.equal(await row('Trading desk').filter({ hasText: 'revoked' }).getByRole('button').count(), 0);
  });

  it('selects a key if the browser cannot copy it', async () => {
    page = await harness.signIn();
    const value = await create('Selected');
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())');
    await page.getByRole('button', { name: 'Copy key' }).click();
    await waitForStatus('The browser blocked copying. The key is selected');
    assert.equal(await page.evaluate('getSelection().toString()'), value);
  });

  it('changes limits, and rejects invalid ones before they are sent', async () => {
    const { value } = harness.sandbox.createKey('Limited', { scopes: ['normalized_data'] });
    page = await harness.signIn();
    await row('Limited').getByRole('link', { name: 'Limits' }).click();
    const data = page.getByRole('group', { name: /^normalized_data/ });
    const features = page.getByRole('group', { name: /^features/ });
    assert.equal(await features.getByLabel('Access').isChecked(), false);
    for (const text of ['many', '-1', '1.5']) {
      await data.getByLabel('Requests').fill(text);
      await page.getByRole('button', { name: 'Save limits' }).click();
      assert.equal(
        await page.evaluate(`document.querySelector('#limit-normalized_data').validity.patternMismatch`),
        true,
      );
    }
    await data.getByLabel('Requests').fill(' 1 ');
    await features.getByLabel('Access').check();
    await page.keyboard.press('Enter');
    await waitForStatus('Limits saved.');
    assert.deepEqual([await harness.use(value), await harness.use(value)], [200, 429]);
    assert.equal(await harness.use(value, 'features/grid-stress'), 200);
  });

  it('sets faults with the syntax of --faults', async () => {
    page = await harness.signIn();
    const faults = page.getByRole('region', { name: 'Faults' });
    assert.equal(await faults.getByLabel('Faults, or none').inputValue(), 'latency=1@0.5/features');
    await faults.getByLabel('Faults, or none').fill('fire');
    await page.keyboard.press('Enter');
    await waitForStatus('"fire" is not KIND');
    await faults.getByLabel('Faults, or none').fill('late=2');
    await faults.getByRole('button', { name: 'Set faults' }).click();
    await waitForStatus('These faults are switched on.');
    await faults.getByRole('row').filter({ hasText: 'late=2' }).waitFor();
  });

  it('rejects a form from a page on another port of this machine', async () => {
    harness.sandbox.createKey('Guarded');
    page = await harness.signIn();
    const form = `<form method="post" action="${harness.address}"><input name="action" value="revoke"><input name="which" value="Guarded">
<input name="confirmed" value="yes"><button>Win</button></form>`;
    const otherServer = createServer((_, response) => response.setHeader('content-type', 'text/html').end(form));
    await new Promise<void>(resolve => void otherServer.listen(0, '127.0.0.1', resolve));
    await page.goto(`http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`);
    const [refused] = await Promise.all([page.waitForResponse(harness.address), page.getByRole('button').click()]);
    // Cookies do not distinguish the ports of a host.
    assert.match((await refused.request().allHeaders())['cookie'] ?? '', /sandbox_dashboard/);
    assert.equal(refused.status(), 403);
    assert.equal(harness.sandbox.keys.list().find(({ name }) => name === 'Guarded')?.revoked, false);
    otherServer.close();
  });

  it('works by keyboard alone, with the focus visible', async () => {
    page = await harness.signIn();
    await goTo('Name of a new key');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copy key' }).waitFor();
    assert.equal(await focused(), 'Copy key');
    await page.keyboard.press('Enter');
    await waitForStatus('Key copied.');
    const value = String(await page.evaluate('navigator.clipboard.readText()'));
    await goTo(`Revoke By keyboard, ${value.slice(0, 12)}…`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Revoke “By keyboard”/ }).waitFor();
    await goTo('Revoke');
    await page.keyboard.press('Enter');
    await waitForStatus('Revoked');
    assert.equal(await harness.use(value), 401);
    // The page focuses the message after it has shown it.
    await until('the focus on the message', focused, text => text.startsWith('Revoked: every request'));
  });

  it('passes axe-core and fits the window in every color scheme and width', async () => {
    const long = `A long name ${'m'.repeat(60)}`;
    const { prefix } = harness.sandbox.createKey(long, { limits: { features: null } });
    page = await harness.open();
    const looks = async (name: string) =>
      inEachLook(page, async (look, rules) => {
        assert.deepEqual(await axeOn(page, rules), [], `${name}, ${look}`);
        assert.equal(
          await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
          true,
          `${name}, ${look}`,
        );
        const folder = process.env['GRID_DATA_SCREENSHOTS'];
        if (folder) await page.screenshot({ path: join(folder, `dashboard ${name}, ${look}.png`), fullPage: true });
      });
    await looks('sign-in');
    await page.goto(harness.sandbox.createDashboardLink());
    await create('Made now');
    await page.getByText('Custom limits and access').click();
    await looks('board');
    await page.goto(`${harness.address}?limits=${prefix}`);
    await looks('limits');
    await page.goto(harness.address);
    await page.getByRole('button', { name: `Revoke ${long}` }).click();
    await page.getByRole('heading', { name: 'Revoke “A long name' }).waitFor();
    await looks('revoke');
  });

  it('sends requests to the sandbox only', async () => {
    page = await harness.open();
    const servedAddresses = [harness.address, harness.address.replace('127.0.0.1', 'localhost')];
    const unexpectedUrls = harness.requestedUrls.filter(
      url => !servedAddresses.some(address => url.startsWith(address)),
    );
    assert.ok(harness.requestedUrls.length > 20);
    // Pages of the other servers of these tests are allowed.
    assert.ok(
      unexpectedUrls.every(url => /^http:\/\/127\.0\.0\.1:\d+\/(?:favicon\.ico)?$/.test(url)),
      unexpectedUrls.join('\n'),
    );
  });

  /** Presses Tab until the element with the name has the focus, which must be visible at each stop. */
  async function goTo(name: string): Promise<void> {
    const focusedNames: string[] = [];
    while (focusedNames.length < 60) {
      await page.keyboard.press('Tab');
      const focusedName = await focused();
      const outline = `getComputedStyle(document.activeElement).outlineStyle`;
      if (focusedName !== '') assert.notEqual(await page.evaluate(outline), 'none', focusedName);
      if (focusedName === name) return;
      focusedNames.push(focusedName);
    }
    assert.fail(`Tab does not reach "${name}": ${focusedNames.join(' → ')}`);
  }

  /** Returns the accessible name of the focused element. */
  async function focused(): Promise<string> {
    return page.evaluate(`(() => {
      const { activeElement: element } = document;
      if (element === document.body) return '';
      return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent.trim();
    })()`);
  }
});

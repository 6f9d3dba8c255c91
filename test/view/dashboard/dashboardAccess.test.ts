import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { readFaultRules } from '../../../src/sandbox/faults/faultRules.ts';
import { axeOn, DashboardHarness, inEachLook } from './dashboardHarness.ts';

const narrow = { width: 420, height: 800 };

describe('accessibility of the dashboard', () => {
  let harness: DashboardHarness;
  let page: Page;
  before(async () => {
    const faults = readFaultRules('latency=1@0.5,holes/features');
    assert.ok(typeof faults !== 'string');
    harness = await DashboardHarness.start({ faults });
    const { value } = harness.sandbox.createKey('Trading desk');
    for (let sent = 0; sent < 4; sent++) await harness.use(value, 'features/grid-stress');
    const gone = harness.sandbox.createKey('Old laptop');
    harness.sandbox.keys.revoke(gone.prefix);
    harness.sandbox.createKey('Archive', { scopes: ['normalized_data'], limits: { normalized_data: 5_000 } });
  });
  after(() => harness.stop());
  afterEach(() => harness.close(page));

  it('passes axe-core and fits the window in every look', async () => {
    page = await harness.open();
    await page.getByRole('heading', { name: 'Sign in with a link' }).waitFor();
    const passes = () => inEachLook(page, async (look, rules) => assert.deepEqual(await axeOn(page, rules), [], look));
    await passes();
    await page.goto(harness.sandbox.createDashboardLink());
    await page.getByLabel('Name of a new key').fill('Made now');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copy key' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Made now' }).waitFor();
    await page.getByText('Custom limits and access').click();
    await page
      .getByRole('group', { name: /^features/ })
      .getByLabel('Access')
      .uncheck();
    await inEachLook(page, async (look, rules) => {
      assert.deepEqual(await axeOn(page, rules), [], look);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, look);
    });
    await page.getByRole('button', { name: 'Revoke Made now' }).click();
    await page.getByRole('dialog').waitFor();
    await passes();
  });

  it('announces a table to screen readers also where its rows are cards', async () => {
    page = await harness.signIn({ viewport: narrow });
    const keys = page.getByRole('table', { name: 'API keys' });
    assert.equal(await keys.getByRole('columnheader').count(), 10);
    const desk = keys.getByRole('row').filter({ hasText: 'Trading desk' });
    assert.equal(await desk.getByRole('cell').count(), 9);
    const faults = page.getByRole('table', { name: 'Faults' });
    assert.match(await faults.innerText(), /latency=1[\s\S]*50 %[\s\S]*holes=10[\s\S]*features/);
  });

  it('works by keyboard alone, with the focus visible and kept in place', async () => {
    page = await harness.signIn();
    await goTo('Name of a new key');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copy key' }).waitFor();
    assert.equal(await focused(), 'Copy key');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Key copied.' }).waitFor();
    const value = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.equal(await harness.use(value), 200);
    await goTo('Done');
    await page.keyboard.press('Enter');
    assert.equal(await focused(), 'Name of a new key');

    const used = page.getByRole('row').filter({ hasText: 'By keyboard' });
    await used.waitFor();
    await goTo(`Revoke By keyboard, ${value.slice(0, 12)}…`);
    // What is told anew every second leaves the focus alone.
    await harness.use(value);
    await used.getByRole('cell', { name: '2', exact: true }).first().waitFor();
    assert.equal(await focused(), `Revoke By keyboard, ${value.slice(0, 12)}…`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    assert.equal(await focused(), 'Cancel');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    assert.equal(await focused(), `Revoke By keyboard, ${value.slice(0, 12)}…`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Revoke');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: '1 key revoked' }).waitFor();
    assert.equal(await harness.use(value), 401);
    assert.equal(await focused(), 'API keys');
    await goTo('Sign out', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'You are signed out.' }).waitFor();
    assert.equal(await focused(), 'Sign in with a link');
  });

  /** Steps until the focus is on what has that name; each step has to be seen. */
  async function goTo(name: string, key = 'Tab'): Promise<void> {
    const passed: string[] = [];
    while (passed.length < 40) {
      await page.keyboard.press(key);
      const here = await focused();
      const outline = `getComputedStyle(document.activeElement).outlineStyle`;
      if (here !== '') assert.notEqual(await page.evaluate(outline), 'none', here);
      if (here === name) return;
      passed.push(here);
    }
    assert.fail(`No way to "${name}": ${passed.join(' → ')}`);
  }

  /** The name of what has the focus. */
  async function focused(): Promise<string> {
    return page.evaluate(`(() => {
      const { activeElement: element } = document;
      if (element === document.body) return '';
      return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
    })()`);
  }
});

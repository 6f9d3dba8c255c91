import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useSharedPages } from './useHarness.ts';
import { call } from './harness.ts';

describe('the panel while it loads', () => {
  let page: Page;
  useSharedPages('panel', newPage => (page = newPage));

  const getBox = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    assert.ok(box, selector);
    return box;
  };

  for (const waiting of ['loading', 'filling'] as const)
    it(`keeps the toolbar and the rows in place: ${waiting}`, async () => {
      await call(page, 'show', 'table');
      const bar = await getBox('.toolbar');
      const rows = await getBox('[role=grid]');
      await call(page, 'show', waiting);
      assert.equal(await page.locator('header [inert] .toolbar').count(), 1);
      const toolbar = await getBox('.toolbar');
      const grid = await getBox('[role=grid]');
      assert.deepEqual(toolbar, bar);
      // Cancel is a button with a label, slightly higher than a line of text.
      assert.ok(Math.abs(grid.y - rows.y) <= 4, JSON.stringify([rows, grid]));
      await call(page, 'show', 'table');
      assert.equal(await page.locator('[inert]').count(), 0);
      assert.deepEqual([await getBox('.toolbar'), await getBox('[role=grid]')], [bar, rows]);
    });

  for (const earlier of ['nothing', 'table'] as const)
    it(`shows the seconds of a long wait without announcing them: over ${earlier}`, async () => {
      if (earlier === 'table') await call(page, 'show', earlier);
      const from = await page.evaluate<number>('Date.now()');
      await call(page, 'show', 'silent');
      const timer = page.locator('[role=timer]');
      const spoken = await page.locator('.visually-hidden[role=status]').innerText();
      const seconds = async () =>
        Number(/^(\d+) s so far\. Requests time out after 30 s\.$/.exec(await timer.innerText())?.[1]);
      const firstSeconds = await until('seconds', seconds, read => read >= 12);
      const later = await until('more seconds', seconds, read => read > firstSeconds);
      const maxSeconds = 12 + ((await page.evaluate<number>('Date.now()')) - from) / 1_000;
      assert.ok(later <= maxSeconds, `${later} of ${maxSeconds} s`);
      assert.equal(await page.locator('[role=status], [role=alert]').getByText('so far').count(), 0);
      assert.deepEqual(
        [spoken, await page.locator('.visually-hidden[role=status]').innerText()],
        ['Querying Power Signals (prod)…', 'Querying Power Signals (prod)…'],
      );
      // Read as soon as the page has handled the message, because this listener runs after that of the page.
      const asking = await page.evaluate(`new Promise(resolve => {
        const read = () => resolve(document.querySelector('[role=timer]').innerText);
        window.addEventListener('message', read, { once: true });
        void window.mounted.show('asking');
      })`);
      assert.equal(asking, '', 'no time is shown for a request that was just sent');
      await call(page, 'show', 'table');
      assert.equal(await timer.count(), 0);
    });

  it('offers other periods before the first result, with the toolbar in place', async () => {
    await call(page, 'show', 'loading');
    assert.match(
      (await page.locator('header .bar').innerText()).replaceAll(/\s+/g, ' '),
      /^Power Signals \(prod\) · .*hourly/,
    );
    const actions = ['refresh', 'previousPeriod', 'nextPeriod', 'chooseRange', 'chooseInterval'];
    const readButtonBoxes = async () => Promise.all(actions.map(action => getBox(`.toolbar [data-action=${action}]`)));
    const previousBoxes = await readButtonBoxes();
    assert.equal(await page.locator('.toolbar [inert]').count(), 1);
    assert.equal(await page.locator('.toolbar [inert]').getAttribute('data-action'), 'refresh');
    const pressed = ['previousPeriod', 'nextPeriod', 'chooseInterval', 'chooseRange'];
    for (const action of pressed) await page.locator(`.toolbar [data-action=${action}]`).click();
    await page.getByRole('menuitem', { name: 'Other Range…' }).click();
    assert.deepEqual(await call(page, 'acts'), pressed);
    await page.locator('.message').getByText('Waiting 12 s').waitFor();
    await call(page, 'show', 'empty');
    assert.deepEqual(await readButtonBoxes(), previousBoxes);
  });

  it('moves no toolbar button under the pointer while stepping', async () => {
    await call(page, 'show', 'holes');
    const names = await page
      .getByRole('group', { name: 'Query' })
      .locator('[data-action]')
      .evaluateAll((elements: { readonly dataset: { readonly action?: string } }[]) =>
        elements.map(element => element.dataset.action),
      );
    assert.deepEqual(names, [
      ...['refresh', 'previousPeriod', 'chooseRange', 'nextPeriod', 'chooseInterval', 'fetchMissing'],
    ]);
  });

  it('animates nothing when reduced motion is preferred', async () => {
    /** Returns whether any animation runs, and the name of the animation in the shadow tree of the progress bar. */
    const moving = () =>
      page.evaluate<[boolean, string]>(`[
        document.getAnimations({ subtree: true }).some(({ playState }) => playState === 'running'),
        getComputedStyle(document.querySelector('vscode-progress-bar').shadowRoot.querySelector('.indicator')).animationName,
      ]`);
    await call(page, 'show', 'table');
    await call(page, 'show', 'loading');
    await page.getByRole('progressbar').waitFor();
    assert.notEqual((await moving())[1], 'none');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    assert.deepEqual(await moving(), [false, 'none']);
  });

  it('labels the first rows as such while the rest loads', async () => {
    await call(page, 'show', 'yearHead');
    const footer = page.locator('footer [role=status]');
    assert.equal(await footer.innerText(), 'The first 200 rows');
    await call(page, 'show', 'year');
    assert.equal(await footer.innerText(), '8,760 rows · 17 columns');
  });
});

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { createHarness } from './useHarness.ts';
import { showing } from './harness.ts';
import { expectedValue } from './page/frames.ts';
import type { StateName } from './page/states.ts';

interface Copied {
  readonly text: string;
  readonly html: string;
}

describe('copied cells', () => {
  const harness = createHarness();

  /** Copies the first three rows of the first three columns with an item of the cell menu. */
  async function copied(state: StateName, item: string): Promise<Copied> {
    const page = await showing(harness, state);
    await page.evaluate("navigator.clipboard.writeText('')");
    const cell = (row: number, column: number) =>
      page.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 1}"]:visible`);
    await cell(0, 0).click();
    await cell(2, 2).click({ modifiers: ['Shift'] });
    await cell(1, 1).click({ button: 'right' });
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    return until(
      'a copy',
      () => read(page),
      ({ text }) => text !== '',
    );
  }

  const read = (page: Page) =>
    page.evaluate<Copied>(`(async () => {
      const [item] = await navigator.clipboard.read();
      const readType = async type => (item.types.includes(type) ? (await item.getType(type)).text() : '');
      return { text: (await readType('text/plain')).replaceAll('\\r\\n', '\\n'), html: await readType('text/html') };
    })()`);
  /** Reads the cells of each row, without tags and attributes except the value. */
  const readTableCells = (html: string) =>
    [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<t[dh]([^>]*)>(.*?)<\/t[dh]>/gs)].map(([, attributes = '', text = '']) => ({
        text,
        value: /x:num="([^"]*)"/.exec(attributes)?.[1],
      })),
    );

  it('copies an HTML table with the values in addition to the exact text', async () => {
    const { text, html } = await copied('tableSast', 'Copy');
    assert.equal(
      text.split('\n')[1],
      ['2026-11-14T08:00:00+02:00', expectedValue(1, 0), expectedValue(1, 1)].join('\t'),
    );
    const rows = readTableCells(html);
    assert.equal(rows.length, 3);
    assert.equal(rows[0]?.[0]?.text, '2026-11-14 07:00:00');
    assert.deepEqual(
      rows[0].slice(1).map(({ value }) => value),
      [expectedValue(0, 0), expectedValue(0, 1)].map(String),
    );
  });

  it('copies the displayed headings, units and digits for documents', async () => {
    const { text, html } = await copied('tableSast', 'Copy for Documents');
    const [head, first] = text.split('\n');
    assert.equal(head, 'Hour (SAST)\tResidual demand (MW)\tResidual forecast (MW)');
    assert.equal(first, '14 Nov 07:00\t0\t1,200');
    const rows = readTableCells(html);
    assert.deepEqual(
      rows[0]?.map(cell => cell.text),
      head.split('\t'),
    );
    assert.deepEqual(
      rows[1]?.map(cell => cell.text),
      first.split('\t'),
    );
    assert.equal(rows[2]?.[1]?.value, String(expectedValue(1, 0)));
  });

  it('marks everything but numbers as text, without markup', async () => {
    const { html } = await copied('hostile', 'Copy for Documents');
    assert.doesNotMatch(html, /<(?:img|script|b|a)\b/i);
    const texts = readTableCells(html).flat();
    assert.ok(texts.length > 0);
  });
});

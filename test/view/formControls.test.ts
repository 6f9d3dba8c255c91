import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { contrast, onBackground, parseColour } from '../../src/presentation/chart/palette.ts';
import { harnessOf } from './freshPages.ts';
import { showing } from './harness.ts';
import { openTab } from '../support/openTab.ts';
import { setTheme, themeNames } from './themes.ts';

/** Every place with check boxes or radio buttons, and how one gets there from a table. */
const places: readonly {
  readonly name: string;
  readonly input: string;
  readonly go: (page: Page) => Promise<unknown>;
}[] = [
  {
    name: 'the columns of the chart',
    input: '.chart-columns input',
    go: async page => {
      await openTab(page, 'chart');
      await page.getByRole('button', { name: 'Lines', exact: true }).click();
      await page.getByRole('button', { name: 'Columns', exact: true }).click();
    },
  },
  {
    name: 'the figures of the statistics',
    input: '.tab-controls input',
    go: page => openTab(page, 'statistics'),
  },
  {
    name: 'the columns of the table',
    input: '.picker-line input',
    go: async page => {
      await page.locator('.more-button').click();
      await page.getByRole('menuitem', { name: 'Choose Columns…' }).click();
      await page.locator('.picker-line input').first().uncheck();
    },
  },
];

/** What is seen of the first control that is on, or off: edge, ground and mark, and the ground of the page behind. */
const seen = (input: string, isOn: boolean) => `(() => {
  const at = [...document.querySelectorAll(${JSON.stringify(input)})].find(({ checked }) => checked === ${isOn});
  const own = getComputedStyle(at);
  const behind = getComputedStyle(document.body).backgroundColor;
  return { edge: own.borderTopColor, ground: own.backgroundColor, mark: getComputedStyle(at, '::before').color, behind };
})()`;

const wanted = ['edge', 'mark', 'ground', 'behind'] as const;

describe('check boxes and radio buttons', () => {
  const harness = harnessOf();

  for (const { name, input, go } of places)
    it(`keeps ${name} visible in the colors of every theme, on and off`, async () => {
      const page = await showing(harness, 'table');
      await go(page);
      for (const theme of themeNames) {
        await setTheme(page, theme);
        for (const isOn of [true, false]) {
          const found: Record<string, string> = await page.evaluate(seen(input, isOn));
          const [edge, mark, ground, behind] = wanted.map(part => {
            const colour = parseColour(found[part] ?? '');
            assert.ok(colour, part);
            return colour;
          });
          assert.ok(edge && mark && ground && behind);
          const under = onBackground(ground, behind);
          assert.ok(contrast(onBackground(edge, behind), behind) >= 3, `edge in ${theme}: ${JSON.stringify(found)}`);
          assert.ok(contrast(onBackground(mark, under), under) >= 3, `mark in ${theme}: ${JSON.stringify(found)}`);
          // Lit as the theme is, not as the browser is.
          assert.ok(contrast(under, behind) < 2, `ground in ${theme}: ${JSON.stringify(found)}`);
        }
      }
    });

  it('keeps labels in place beside check boxes, on and off', async () => {
    const page = await showing(harness, 'table', 'statistics');
    const tops = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.tab-controls label')].map(label => label.getBoundingClientRect().top)`,
    );
    assert.ok(tops.length > 1 && new Set(tops.map(Math.round)).size === 1, tops.join());
  });

  it('cuts off no check box or radio button in a narrow window', async () => {
    const page = await showing(harness, 'table', undefined, { width: 420, height: 640 });
    await places[0]?.go(page);
    const box = await page.locator('.chart-columns').boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 420, JSON.stringify(box));
  });
});

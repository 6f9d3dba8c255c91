import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { computeContrast, blendWithBackground, parseColor } from '../../src/presentation/chart/palette.ts';
import { createHarness } from './useHarness.ts';
import { showing } from './harness.ts';
import { openTab } from '../support/openTab.ts';
import { setTheme, themeNames } from './themes.ts';

/** All lists of check boxes or radio buttons, and how to open them from a table. */
const controlLists: readonly {
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

/** Reads the colors of the first control that is on, or off: border, background and mark, and the background of the page. */
const readColorsScript = (input: string, isOn: boolean) => `(() => {
  const input = [...document.querySelectorAll(${JSON.stringify(input)})].find(({ checked }) => checked === ${isOn});
  const style = getComputedStyle(input);
  const behind = getComputedStyle(document.body).backgroundColor;
  return { edge: style.borderTopColor, ground: style.backgroundColor, mark: getComputedStyle(input, '::before').color, behind };
})()`;

const colorNames = ['edge', 'mark', 'ground', 'behind'] as const;

describe('check boxes and radio buttons', () => {
  const harness = createHarness();

  for (const { name, input, go } of controlLists)
    it(`keeps ${name} visible in the colors of every theme, on and off`, async () => {
      const page = await showing(harness, 'table');
      await go(page);
      for (const theme of themeNames) {
        await setTheme(page, theme);
        for (const isOn of [true, false]) {
          const colors: Record<string, string> = await page.evaluate(readColorsScript(input, isOn));
          const [edge, mark, ground, behind] = colorNames.map(part => {
            const color = parseColor(colors[part] ?? '');
            assert.ok(color, part);
            return color;
          });
          assert.ok(edge && mark && ground && behind);
          const controlBackground = blendWithBackground(ground, behind);
          assert.ok(
            computeContrast(blendWithBackground(edge, behind), behind) >= 3,
            `edge in ${theme}: ${JSON.stringify(colors)}`,
          );
          assert.ok(
            computeContrast(blendWithBackground(mark, controlBackground), controlBackground) >= 3,
            `mark in ${theme}: ${JSON.stringify(colors)}`,
          );
          // The color scheme follows the theme and not the browser.
          assert.ok(computeContrast(controlBackground, behind) < 2, `ground in ${theme}: ${JSON.stringify(colors)}`);
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
    await controlLists[0]?.go(page);
    const box = await page.locator('.chart-columns').boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 420, JSON.stringify(box));
  });
});

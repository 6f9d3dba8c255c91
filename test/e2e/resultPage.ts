import type { Frame, Locator } from 'playwright-core';
import { openTab } from '../support/openTab.ts';
import { escaped } from './harness/pageElement.ts';
import { succeeds, until } from '../support/waiting.ts';

/** The page of a result as a person reads and works it. The frame is another one after a move or a reload. */
export class ResultPage {
  readonly frame: Frame;

  constructor(frame: Frame) {
    this.frame = frame;
  }

  /** A header by its whole label, such as "OCGT"; that of the hours has the zone in its label. */
  header(label: string): Locator {
    const exact = this.frame.locator('.grid-label', { hasText: new RegExp(`^${escaped(label)}$`) });
    return this.frame.locator('[role=columnheader]:visible').filter({ has: exact });
  }

  /** The labels of the headers in view, left to right. */
  async headers(): Promise<string[]> {
    return this.frame.evaluate<string[]>(
      `[...document.querySelectorAll('[role=columnheader]:not([hidden])')]
        .sort((a, b) => Number(a.ariaColIndex) - Number(b.ariaColIndex))
        .map(header => header.querySelector('.grid-label').textContent)`,
    );
  }

  /** A cell by its place: row 0 and column 0 are the first. */
  cell(row: number, column: number): Locator {
    return this.frame.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 1}"]:visible`);
  }

  /** The cell of a row under a header. */
  async cellUnder(label: string, row: number): Promise<Locator> {
    return this.cell(row, Number(await this.header(label).getAttribute('aria-colindex')) - 1);
  }

  /** Waits for the footer to contain the text; returns it whole. */
  async footer(text: string): Promise<string> {
    return until(
      `the footer "${text}"`,
      () => this.frame.locator('footer [role=status]').innerText(),
      now => now.includes(text),
    );
  }

  /** Waits until the page has said the text to screen readers. */
  async said(text: string | RegExp): Promise<string> {
    return until(
      `to be said: "${text}"`,
      async () => (await this.frame.locator('.visually-hidden[role=status]').allTextContents()).join(' '),
      now => (typeof text === 'string' ? now.includes(text) : text.test(now)),
    );
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.frame.page().keyboard.press(key);
  }

  /** Chooses an item of the menu `…` of the toolbar. */
  async more(label: string): Promise<void> {
    await this.chooseIn(async () => this.frame.locator('.more-button').click(), label);
  }

  /** Chooses an item of a column's menu. */
  async columnMenu(column: string, label: string): Promise<void> {
    await this.chooseIn(async () => this.header(column).click({ button: 'right' }), label);
  }

  /** Opens a menu, and chooses an item of it, or of one of its submenus, by its whole label. A menu closes when the page is resized or loses the keyboard: then it is opened again. */
  async chooseIn(open: () => Promise<void>, label: string): Promise<void> {
    const item = this.frame
      .locator('[role^=menuitem]')
      .filter({ has: this.frame.getByText(label, { exact: true }) })
      .first();
    await until(
      `the menu with "${label}"`,
      async () => {
        if (!(await item.isVisible())) await open();
        const submenus = this.frame.locator('[role=menuitem][aria-haspopup]');
        for (let at = 0; at < (await submenus.count()) && !(await item.isVisible()); at++)
          await succeeds(submenus.nth(at).click({ timeout: 5_000 }));
        return (await succeeds(item.waitFor({ timeout: 5_000 }))) && succeeds(item.click({ timeout: 45_000 }));
      },
      isChosen => isChosen,
    );
  }

  /** Waits until the cell under a header has the text. */
  async reads(label: string, row: number, text: string): Promise<void> {
    await until(
      `"${text}" under ${label}`,
      async () => (await this.cellUnder(label, row)).innerText(),
      now => now === text,
    );
  }

  async tab(name: 'table' | 'chart' | 'statistics' | 'raw'): Promise<void> {
    await openTab(this.frame, name);
  }

  /** Waits for the chart's own words to contain the text; returns them all. */
  async chartWords(text: string | RegExp): Promise<string> {
    return until(
      `the chart to say "${text}"`,
      async () => (await this.frame.locator('.chart-summary li').allTextContents()).join('\n'),
      now => (typeof text === 'string' ? now.includes(text) : text.test(now)),
    );
  }
}

import type { Frame, Locator } from 'playwright-core';
import { openTab } from '../support/openTab.ts';
import { escapeRegExp } from './harness/pageElement.ts';
import { succeeds, until } from '../support/until.ts';

/** The page of a result. After a move or a reload its frame is a new one. */
export class ResultPage {
  readonly frame: Frame;

  constructor(frame: Frame) {
    this.frame = frame;
  }

  /** Finds a column header by its whole label, such as "OCGT"; the label of the time column includes the zone. */
  findHeader(label: string): Locator {
    const exact = this.frame.locator('.grid-label', { hasText: new RegExp(`^${escapeRegExp(label)}$`) });
    return this.frame.locator('[role=columnheader]:visible').filter({ has: exact });
  }

  /** Reads the labels of the visible headers, left to right. */
  async readHeaders(): Promise<string[]> {
    return this.frame.evaluate<string[]>(
      `[...document.querySelectorAll('[role=columnheader]:not([hidden])')]
        .sort((a, b) => Number(a.ariaColIndex) - Number(b.ariaColIndex))
        .map(header => header.querySelector('.grid-label').textContent)`,
    );
  }

  /** Finds a cell by its zero-based row and column. */
  findCell(row: number, column: number): Locator {
    return this.frame.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 1}"]:visible`);
  }

  /** Finds the cell of a row in the column with that header. */
  async findCellByHeader(label: string, row: number): Promise<Locator> {
    return this.findCell(row, Number(await this.findHeader(label).getAttribute('aria-colindex')) - 1);
  }

  /** Waits until the footer contains the text. Returns the whole footer. */
  async waitForFooter(text: string): Promise<string> {
    return until(
      `the footer "${text}"`,
      () => this.frame.locator('footer [role=status]').innerText(),
      current => current.includes(text),
    );
  }

  /** Waits until the page announces the text to screen readers. */
  async waitForAnnouncement(text: string | RegExp): Promise<string> {
    return until(
      `the announcement "${text}"`,
      async () => (await this.frame.locator('.visually-hidden[role=status]').allTextContents()).join(' '),
      current => (typeof text === 'string' ? current.includes(text) : text.test(current)),
    );
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.frame.page().keyboard.press(key);
  }

  /** Chooses an item of the toolbar's `…` menu. */
  async chooseFromToolbarMenu(label: string): Promise<void> {
    await this.chooseFromMenu(async () => this.frame.locator('.more-button').click(), label);
  }

  /** Chooses an item of a column's menu. */
  async chooseFromColumnMenu(column: string, label: string): Promise<void> {
    await this.chooseFromMenu(async () => this.findHeader(column).click({ button: 'right' }), label);
  }

  /**
   * Opens a menu, and chooses an item in it or its submenus by the whole label. Opens the menu again if it closes because the page was
   * resized or lost the focus.
   */
  async chooseFromMenu(open: () => Promise<void>, label: string): Promise<void> {
    const item = this.frame
      .locator('[role^=menuitem]')
      .filter({ has: this.frame.getByText(label, { exact: true }) })
      .first();
    await until(
      `the menu with "${label}"`,
      async () => {
        if (!(await item.isVisible())) await open();
        const submenus = this.frame.locator('[role=menuitem][aria-haspopup]');
        for (let submenu = 0; submenu < (await submenus.count()) && !(await item.isVisible()); submenu++)
          await succeeds(submenus.nth(submenu).click({ timeout: 5_000 }));
        return (await succeeds(item.waitFor({ timeout: 5_000 }))) && succeeds(item.click({ timeout: 45_000 }));
      },
      isChosen => isChosen,
    );
  }

  /** Waits until the cell under a header has the text. */
  async waitForCellText(label: string, row: number, text: string): Promise<void> {
    await until(
      `the text "${text}" under the header ${label}`,
      async () => (await this.findCellByHeader(label, row)).innerText(),
      current => current === text,
    );
  }

  async openTab(name: 'table' | 'chart' | 'statistics' | 'raw'): Promise<void> {
    await openTab(this.frame, name);
  }

  /** Waits until the chart's summary contains the text. Returns the whole summary. */
  async waitForChartSummary(text: string | RegExp): Promise<string> {
    return until(
      `the chart summary "${text}"`,
      async () => (await this.frame.locator('.chart-summary li').allTextContents()).join('\n'),
      current => (typeof text === 'string' ? current.includes(text) : text.test(current)),
    );
  }
}

import type { Locator, Page } from 'playwright-core';
import { escapeRegExp, readAccessibleTexts } from './pageElement.ts';
import { waitTimeoutMs, succeeds, until } from '../../support/until.ts';

/** VS Code's quick input: quick picks, input boxes and the Command Palette. */
export class QuickInput {
  readonly #page: Page;
  readonly #box: Locator;
  readonly #rows: Locator;
  readonly #input: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#box = page.locator('.quick-input-widget:visible');
    this.#rows = this.#box.locator('.quick-input-list .monaco-list-row');
    this.#input = this.#box.locator(
      '.quick-input-filter input[type="text"], .quick-input-filter input[type="password"]',
    );
  }

  /** Waits until the box is open and its title contains the text; without a text, until it is open. */
  async waitOpen(title = ''): Promise<void> {
    await this.#input.waitFor({ timeout: waitTimeoutMs });
    if (title)
      await until(
        `the quick input "${title}"`,
        () => this.title(),
        text => text.includes(title),
      );
  }

  /** Whether the box opens within the limit. */
  async opensWithin(timeoutMs: number): Promise<boolean> {
    return succeeds(this.#input.waitFor({ timeout: timeoutMs }));
  }

  /** Waits until the box is closed. */
  async waitClosed(): Promise<void> {
    await this.#box.waitFor({ state: 'hidden', timeout: waitTimeoutMs });
  }

  /** Whether a box is open now. */
  async isOpen(): Promise<boolean> {
    return this.#box.isVisible();
  }

  /** The title with its steps, such as "Run Query (2/3): time range"; empty without one. */
  async title(): Promise<string> {
    return ((await this.#readText('.quick-input-title')) ?? '').trim();
  }

  /** The message under the input: the prompt, or the validation message while there is one. */
  async message(): Promise<string> {
    return ((await this.#readText('.quick-input-message')) ?? '').trim();
  }

  /** Waits for a message that contains the text, such as a validation message, and returns it whole. */
  async waitMessage(text: string): Promise<string> {
    return until(
      `the message "${text}"`,
      () => this.message(),
      message => message.includes(text),
    );
  }

  /** Whether the box shows its message as an error. */
  async isInvalid(): Promise<boolean> {
    return (await this.#box.locator('.monaco-inputbox.error').count()) > 0;
  }

  /** Whether the text is hidden while typed. */
  async isPassword(): Promise<boolean> {
    return (await this.#input.getAttribute('type')) === 'password';
  }

  /** The grey text of the empty input. */
  async placeholder(): Promise<string> {
    return (await this.#input.getAttribute('placeholder')) ?? '';
  }

  /** The input's value. */
  async value(): Promise<string> {
    return this.#input.inputValue();
  }

  /** The input's value without waiting for the box; empty if it is closed. */
  async valueNow(): Promise<string> {
    return this.#input.evaluateAll(([input]) => (input as { readonly value?: string } | undefined)?.value ?? '');
  }

  /** Replaces the input's value. */
  async type(text: string): Promise<void> {
    await this.waitOpen();
    await this.#input.fill(text);
  }

  /** Presses Enter. */
  async accept(): Promise<void> {
    await this.#input.press('Enter');
  }

  /** Waits until the box is open, and presses Escape until it closes: a page that loads meanwhile may receive the key. */
  async cancel(): Promise<void> {
    await this.waitOpen();
    await until(
      'the box to close',
      async () => {
        if (await this.isOpen()) await this.escape();
        return succeeds(this.#box.waitFor({ state: 'hidden', timeout: 10_000 }));
      },
      isClosed => isClosed,
    );
  }

  /** Focuses the box, which may have lost the focus to a panel that has loaded, and presses Escape. */
  async escape(): Promise<void> {
    await succeeds(this.#input.focus({ timeout: 2_000 }));
    await this.#page.keyboard.press('Escape');
  }

  /** Presses the Back button. */
  async back(): Promise<void> {
    await this.pressButton('Back');
  }

  /** Whether there is a Back button. */
  async hasBack(): Promise<boolean> {
    return (await this.#button('Back').count()) > 0;
  }

  /** Presses a button of the title bar by its tooltip. */
  async pressButton(tooltip: string): Promise<void> {
    await this.#button(tooltip).first().click({ timeout: waitTimeoutMs });
  }

  /** The accessible text of each visible item: label, description and detail. */
  async items(): Promise<string[]> {
    return readAccessibleTexts(this.#rows);
  }

  /** Waits until an item's text contains the given one; returns all visible items. */
  async waitItem(text: string): Promise<string[]> {
    return until(
      `the item "${text}"`,
      () => this.items(),
      items => items.some(item => item.includes(text)),
    );
  }

  /** Waits for the item with the given label and until the list is stable, then clicks it. */
  async pick(label: string, timeoutMs: number = waitTimeoutMs): Promise<void> {
    await this.#row(label).waitFor({ timeout: timeoutMs });
    let previous: string | undefined;
    await until(
      'the list to be stable',
      async () => {
        const items = JSON.stringify(await this.items());
        const isStable = items === previous;
        previous = items;
        return isStable;
      },
      isStable => isStable,
      timeoutMs,
    );
    // Moves the mouse away, since a tooltip could cover the row.
    await this.#page.mouse.move(0, 0);
    await this.#row(label).click({ timeout: timeoutMs });
  }

  /**
   * Chooses the item whose label was typed, and returns whether it appeared within the limit. Presses Enter if the item has the list's
   * focus, which takes half the time of a click. Waits for highlighted matches, since the list is outdated before that. A click has more
   * time, since one that times out may still happen.
   */
  async tryPickTyped(label: string, timeoutMs: number): Promise<boolean> {
    const row = this.#row(label).filter({ has: this.#page.locator('.label-name .highlight') });
    if (!(await succeeds(row.waitFor({ timeout: timeoutMs })))) return false;
    if ((await row.and(this.#page.locator('.focused')).count()) === 0) return succeeds(row.click({ timeout: 5_000 }));
    return succeeds(this.#input.press('Enter', { timeout: 5_000 }));
  }

  /** Whether the text could be typed within the limit. */
  async tryType(text: string, timeoutMs: number): Promise<boolean> {
    return succeeds(this.#input.fill(text, { timeout: timeoutMs }));
  }

  #row(label: string): Locator {
    // Matches the whole label, which is split into several elements where the typed text is highlighted.
    const exactLabel = new RegExp(`^\\s*${escapeRegExp(label)}\\s*$`);
    return this.#rows.filter({ has: this.#page.locator('.label-name', { hasText: exactLabel }) }).first();
  }

  #button(tooltip: string): Locator {
    return this.#box.locator(
      `.quick-input-titlebar [aria-label^="${tooltip}"], .quick-input-header [aria-label^="${tooltip}"]`,
    );
  }

  async #readText(selector: string): Promise<string | null> {
    const element = this.#box.locator(selector);
    return (await element.count()) > 0 && (await element.first().isVisible()) ? element.first().textContent() : null;
  }
}

import type { Locator, Page } from 'playwright-core';
import { escaped, spokenTexts } from './pageElement.ts';
import { patienceMs, succeeds, until } from '../../support/waiting.ts';

/** The box at the top of the window: quick picks, input boxes and the command palette. */
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
    await this.#input.waitFor({ timeout: patienceMs });
    if (title)
      await until(
        `the quick input "${title}"`,
        () => this.title(),
        text => text.includes(title),
      );
  }

  /** Whether the box opens within the limit. */
  async opens(limitMs: number): Promise<boolean> {
    return succeeds(this.#input.waitFor({ timeout: limitMs }));
  }

  /** Waits until the box is closed. */
  async waitClosed(): Promise<void> {
    await this.#box.waitFor({ state: 'hidden', timeout: patienceMs });
  }

  /** Whether a box is open now. */
  async isOpen(): Promise<boolean> {
    return this.#box.isVisible();
  }

  /** The title with its steps, such as "Run Query (2/3): time range"; empty without one. */
  async title(): Promise<string> {
    return ((await this.#textOf('.quick-input-title')) ?? '').trim();
  }

  /** The message under the input: the prompt, or the validation message while there is one. */
  async message(): Promise<string> {
    return ((await this.#textOf('.quick-input-message')) ?? '').trim();
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

  /** What stands in the input. */
  async value(): Promise<string> {
    return this.#input.inputValue();
  }

  /** What stands in the input at this moment; empty when the box is closed. */
  async valueNow(): Promise<string> {
    return this.#input.evaluateAll(([input]) => (input as { readonly value?: string } | undefined)?.value ?? '');
  }

  /** Replaces what stands in the input, as a person would by typing over it. */
  async type(text: string): Promise<void> {
    await this.waitOpen();
    await this.#input.fill(text);
  }

  /** Presses Enter. */
  async accept(): Promise<void> {
    await this.#input.press('Enter');
  }

  /** Waits until the box is open, and presses Escape in it until it has gone: a page that comes up meanwhile may get the key. */
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

  /** Presses Escape in the box, which may have lost the keyboard to a panel that has loaded since. */
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
    await this.#button(tooltip).first().click({ timeout: patienceMs });
  }

  /** The visible items, one string each: label, description and detail as they are read aloud. */
  async items(): Promise<string[]> {
    return spokenTexts(this.#rows);
  }

  /** Waits until an item's text contains the given one; returns all visible items. */
  async waitItem(text: string): Promise<string[]> {
    return until(
      `the item "${text}"`,
      () => this.items(),
      items => items.some(item => item.includes(text)),
    );
  }

  /** Waits for the item whose label is the given text and until the list has come to rest, then clicks it. */
  async pick(label: string, limitMs: number = patienceMs): Promise<void> {
    await this.#row(label).waitFor({ timeout: limitMs });
    let before: string | undefined;
    await until(
      'the list to come to rest',
      async () => {
        const now = JSON.stringify(await this.items());
        const rests = now === before;
        before = now;
        return rests;
      },
      rests => rests,
      limitMs,
    );
    // The tooltip of the row under a resting mouse may lie over this one.
    await this.#page.mouse.move(0, 0);
    await this.#row(label).click({ timeout: limitMs });
  }

  /**
   * Whether the item of that label, which was typed, came up within the limit and was chosen: by Enter where the list has put its focus on
   * it, as a rule, which takes half of what a click does. What was typed is marked in it: until then the list is the one from before, and
   * another item may come under the mouse. A click has more time: one that is given up may be done all the same.
   */
  async pickedAsTyped(label: string, limitMs: number): Promise<boolean> {
    const row = this.#row(label).filter({ has: this.#page.locator('.label-name .highlight') });
    if (!(await succeeds(row.waitFor({ timeout: limitMs })))) return false;
    if ((await row.and(this.#page.locator('.focused')).count()) === 0) return succeeds(row.click({ timeout: 5_000 }));
    return succeeds(this.#input.press('Enter', { timeout: 5_000 }));
  }

  /** Whether the text could be typed within the limit. */
  async typed(text: string, limitMs: number): Promise<boolean> {
    return succeeds(this.#input.fill(text, { timeout: limitMs }));
  }

  #row(label: string): Locator {
    // The whole label: a part of it may be an element of its own, where the typed text is marked.
    const whole = new RegExp(`^\\s*${escaped(label)}\\s*$`);
    return this.#rows.filter({ has: this.#page.locator('.label-name', { hasText: whole }) }).first();
  }

  #button(tooltip: string): Locator {
    return this.#box.locator(
      `.quick-input-titlebar [aria-label^="${tooltip}"], .quick-input-header [aria-label^="${tooltip}"]`,
    );
  }

  async #textOf(selector: string): Promise<string | null> {
    const place = this.#box.locator(selector);
    return (await place.count()) > 0 && (await place.first().isVisible()) ? place.first().textContent() : null;
  }
}

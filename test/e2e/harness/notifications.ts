import type { Locator, Page } from 'playwright-core';
import { patienceMs, succeeds, until } from '../../support/waiting.ts';

/** The messages at the lower right, and the modal dialog. */
export class Notifications {
  readonly #page: Page;
  readonly #items: Locator;
  readonly #list: Locator;
  readonly #bell: Locator;
  readonly #unread: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#items = page.locator(
      '.notifications-toasts .notification-list-item, .notifications-center.visible .notification-list-item',
    );
    this.#list = page.locator('.notifications-center.visible');
    this.#bell = page.locator('.statusbar-item[id="status.notifications"] a');
    this.#unread = this.#bell.locator('.codicon-bell-dot');
  }

  /** The texts of the messages on screen. */
  async texts(): Promise<string[]> {
    return this.#items.locator('.notification-list-item-message').allInnerTexts();
  }

  /** What a screen reader was told last. */
  async spoken(): Promise<string[]> {
    return this.#page.locator('.monaco-aria-container .monaco-alert').allInnerTexts();
  }

  /**
   * Waits for a message that contains the text and returns it whole. VS Code keeps the fourth message within 800 ms to its list,
   * so what a screen reader is told counts too.
   */
  async waitFor(text: string): Promise<string> {
    const texts = await until(
      `the notification "${text}"`,
      async () => {
        const all = [...(await this.texts()), ...(await this.spoken())];
        if (!all.some(one => one.includes(text))) await this.#bringBack();
        return all;
      },
      all => all.some(one => one.includes(text)),
    );
    // It is spoken a moment before it is on screen.
    const shown = this.#items.filter({ hasText: text }).first();
    await succeeds(shown.waitFor({ timeout: 10_000 }));
    return [...(await this.texts()), ...texts].find(one => one.includes(text)) ?? '';
  }

  /** Forgets what was spoken so far: it stands there until the next but one is, and a wait would take it for a new message. */
  async forgetSpoken(): Promise<void> {
    await this.#page
      .locator('.monaco-aria-container .monaco-alert')
      .evaluateAll((all: { textContent: string | null }[]) => {
        for (const one of all) one.textContent = '';
      });
  }

  /** Waits until no message is on screen, and none that has left it is unread in VS Code's list. */
  async none(): Promise<void> {
    await until(
      'no message',
      async () => [...(await this.texts()), ...((await this.#unread.count()) > 0 ? ['an unread one'] : [])],
      all => all.length === 0,
    );
  }

  /** Waits for the buttons of the message that contains the text; their labels. */
  async buttons(text: string): Promise<string[]> {
    const buttons = this.#items.filter({ hasText: text }).first().locator('.monaco-button:visible');
    return until(
      `buttons of "${text}"`,
      async () => {
        const labels = await buttons.allInnerTexts();
        if (labels.length === 0) await this.#bringBack();
        return labels;
      },
      labels => labels.length > 0 && labels.every(label => label !== ''),
    );
  }

  /** Waits for the message and presses one of its buttons. */
  async press(text: string, button: string): Promise<void> {
    const item = this.#items.filter({ hasText: text }).first();
    const place = item.locator('.monaco-button').filter({ hasText: button }).first();
    const since = Date.now();
    await until(
      `the button "${button}" of "${text}"`,
      async () => {
        if (await place.isVisible()) return succeeds(place.click({ timeout: 10_000 }));
        // One that was looked at in the list before is there still, though it is not unread.
        await this.#bringBack(Date.now() - since > 5_000 ? this.#bell : this.#unread);
        return false;
      },
      isPressed => isPressed,
    );
    if (await this.#list.isVisible()) await succeeds(this.#bell.click({ timeout: 10_000 }));
  }

  /** Shows VS Code's list where no message is on screen: each leaves by itself within a quarter of a minute, and is there then. */
  async #bringBack(sign = this.#unread): Promise<void> {
    const above = this.#page.locator('.quick-input-widget:visible, .monaco-dialog-box');
    if ((await this.#items.count()) > 0 || (await this.#list.isVisible()) || (await above.count()) > 0) return;
    if (!(await sign.isVisible())) return;
    await succeeds(sign.click({ timeout: 10_000 }));
    // The tooltip of the bell would lie over the buttons.
    await this.#page.mouse.move(0, 0);
  }

  /** Waits for the modal dialog and returns its text. */
  async dialogText(): Promise<string> {
    const box = this.#page.locator('.monaco-dialog-box');
    await box.waitFor({ timeout: patienceMs });
    return box.locator('.dialog-message-container').innerText();
  }

  /** Waits for the modal dialog, presses one of its buttons and waits until it has gone. */
  async pressInDialog(button: string): Promise<void> {
    const box = this.#page.locator('.monaco-dialog-box');
    await box.locator('.monaco-button').filter({ hasText: button }).first().click({ timeout: patienceMs });
    await box.waitFor({ state: 'hidden', timeout: patienceMs });
  }
}

import type { Locator, Page } from 'playwright-core';
import { patienceMs, succeeds, until } from './waiting.ts';

/** The messages at the lower right, and the modal dialog. */
export class Notifications {
  readonly #page: Page;
  readonly #items: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#items = page.locator('.notifications-toasts .notification-list-item');
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
      async () => [...(await this.texts()), ...(await this.spoken())],
      all => all.some(one => one.includes(text)),
    );
    // It is spoken a moment before it is on screen.
    const shown = this.#items.filter({ hasText: text }).first();
    await succeeds(shown.waitFor({ timeout: 2_000 }));
    return [...(await this.texts()), ...texts].find(one => one.includes(text)) ?? '';
  }

  /** Waits until no message is on screen, and none that has left it is unread in VS Code's list. */
  async none(): Promise<void> {
    const unread = this.#page.locator('.statusbar-item[id="status.notifications"] .codicon-bell-dot');
    await until(
      'no message',
      async () => [...(await this.texts()), ...((await unread.count()) > 0 ? ['an unread one'] : [])],
      all => all.length === 0,
    );
  }

  /** Waits for the buttons of the message that contains the text; their labels. */
  async buttons(text: string): Promise<string[]> {
    const buttons = this.#items.filter({ hasText: text }).first().locator('.monaco-button:visible');
    return until(
      `buttons of "${text}"`,
      () => buttons.allInnerTexts(),
      labels => labels.length > 0,
    );
  }

  /** Waits for the message and presses one of its buttons. */
  async press(text: string, button: string): Promise<void> {
    const item = this.#items.filter({ hasText: text }).first();
    await item.locator('.monaco-button').filter({ hasText: button }).first().click({ timeout: patienceMs });
  }

  /** Waits for the modal dialog and returns its text. */
  async dialogText(): Promise<string> {
    const box = this.#page.locator('.monaco-dialog-box');
    await box.waitFor({ timeout: patienceMs });
    return box.locator('.dialog-message-container').innerText();
  }

  /** Waits for the modal dialog and presses one of its buttons. */
  async pressInDialog(button: string): Promise<void> {
    const box = this.#page.locator('.monaco-dialog-box');
    await box.locator('.monaco-button').filter({ hasText: button }).first().click({ timeout: patienceMs });
  }
}

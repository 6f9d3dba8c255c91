import type { Locator, Page } from 'playwright-core';
import { waitTimeoutMs, succeeds, until } from '../../support/until.ts';

/** VS Code's notifications and modal dialogs. */
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

  /** The last screen reader announcements. */
  async announcements(): Promise<string[]> {
    return this.#page.locator('.monaco-aria-container .monaco-alert').allInnerTexts();
  }

  /**
   * Waits for a message that contains the text, and returns the whole message. VS Code shows a fourth message within 800 ms only in its
   * notification list, so screen reader announcements count, too.
   */
  async waitFor(text: string): Promise<string> {
    const texts = await until(
      `the notification "${text}"`,
      async () => {
        const messages = [...(await this.texts()), ...(await this.announcements())];
        if (!messages.some(message => message.includes(text))) await this.#openList();
        return messages;
      },
      messages => messages.some(message => message.includes(text)),
    );
    // The announcement comes shortly before the message is visible.
    const visibleMessage = this.#items.filter({ hasText: text }).first();
    await succeeds(visibleMessage.waitFor({ timeout: 10_000 }));
    return [...(await this.texts()), ...texts].find(message => message.includes(text)) ?? '';
  }

  /** Clears the screen reader announcements: VS Code keeps the last two, which a wait would mistake for new messages. */
  async clearAnnouncements(): Promise<void> {
    await this.#page
      .locator('.monaco-aria-container .monaco-alert')
      .evaluateAll((texts: { textContent: string | null }[]) => {
        for (const message of texts) message.textContent = '';
      });
  }

  /** Waits until no message is visible or unread in VS Code's notification list. */
  async waitForNone(): Promise<void> {
    await until(
      'no message',
      async () => [...(await this.texts()), ...((await this.#unread.count()) > 0 ? ['an unread one'] : [])],
      texts => texts.length === 0,
    );
  }

  /** Waits for the buttons of the message that contains the text. Returns their labels. */
  async buttons(text: string): Promise<string[]> {
    const buttons = this.#items.filter({ hasText: text }).first().locator('.monaco-button:visible');
    return until(
      `buttons of "${text}"`,
      async () => {
        const labels = await buttons.allInnerTexts();
        if (labels.length === 0) await this.#openList();
        return labels;
      },
      labels => labels.length > 0 && labels.every(label => label !== ''),
    );
  }

  /** Waits for the message and presses one of its buttons. */
  async press(text: string, button: string): Promise<void> {
    const item = this.#items.filter({ hasText: text }).first();
    const buttonLocator = item.locator('.monaco-button').filter({ hasText: button }).first();
    const since = Date.now();
    await until(
      `the button "${button}" of "${text}"`,
      async () => {
        if (await buttonLocator.isVisible()) return succeeds(buttonLocator.click({ timeout: 10_000 }));
        // A message that was already seen is still in the list, although it is not unread.
        await this.#openList(Date.now() - since > 5_000 ? this.#bell : this.#unread);
        return false;
      },
      isPressed => isPressed,
    );
    if (await this.#list.isVisible()) await succeeds(this.#bell.click({ timeout: 10_000 }));
  }

  /** Opens VS Code's notification list if no message is visible: messages disappear within 15 seconds, but stay in the list. */
  async #openList(opener = this.#unread): Promise<void> {
    const overlays = this.#page.locator('.quick-input-widget:visible, .monaco-dialog-box');
    if ((await this.#items.count()) > 0 || (await this.#list.isVisible()) || (await overlays.count()) > 0) return;
    if (!(await opener.isVisible())) return;
    await succeeds(opener.click({ timeout: 10_000 }));
    // The bell's tooltip would cover the buttons.
    await this.#page.mouse.move(0, 0);
  }

  /** Waits for the modal dialog and returns its text. */
  async dialogText(): Promise<string> {
    const box = this.#page.locator('.monaco-dialog-box');
    await box.waitFor({ timeout: waitTimeoutMs });
    return box.locator('.dialog-message-container').innerText();
  }

  /** Waits for the modal dialog, presses one of its buttons and waits until it has closed. */
  async pressInDialog(button: string): Promise<void> {
    const box = this.#page.locator('.monaco-dialog-box');
    await box.locator('.monaco-button').filter({ hasText: button }).first().click({ timeout: waitTimeoutMs });
    await box.waitFor({ state: 'hidden', timeout: waitTimeoutMs });
  }
}

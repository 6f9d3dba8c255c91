import type { Frame, Locator } from 'playwright-core';
import { activate, dismissAll } from './harness/activation.ts';
import { succeeds, until } from './harness/waiting.ts';
import type { Workbench } from './harness/workbench.ts';

/** A control as its page declares it. */
interface Control {
  /** What it is found by. */
  readonly selector: string;
  readonly label: string;
  /** Whether it is chosen or ticked by now: a choice that is made already changes nothing. */
  readonly isChosen: boolean;
  /** Whether it is an item that is ticked, by itself or as one among several. */
  readonly isTick?: boolean;
}

/** All controls of a toolbar, and of the row of ranges below it. */
const controlsScript = `['.toolbar', '.presets'].flatMap(row =>
  [...document.querySelectorAll(row + ' :is(button, vscode-toolbar-button)')]
    .filter(one => one.checkVisibility())
    .map(one => ({
      selector: [...one.attributes].filter(({ name }) => name.startsWith('data-')).map(({ name, value }) => row + ' [' + name + '="' + value + '"]')[0]
        ?? row + ' .' + one.className.split(' ')[0],
      label: one.title || one.textContent.trim(),
      isChosen: one.ariaSelected === 'true' || one.ariaChecked === 'true',
    })))`;

/** All items of the open menu. */
const itemsScript = `[...document.querySelectorAll('[role^=menuitem]')].map(one => ({
  selector: '',
  label: one.querySelector('.menu-label').textContent,
  isChosen: one.ariaChecked === 'true',
  isTick: one.role !== 'menuitem',
}))`;

/** Presses every control of the toolbar of the result in front, and every item of its menu, as its page declares them. */
export class PanelWalk {
  readonly #workbench: Workbench;
  readonly #requests: () => number;

  constructor(workbench: Workbench, requests: () => number) {
    this.#workbench = workbench;
    this.#requests = requests;
  }

  /** Returns what was pressed. */
  async toolbar(): Promise<string[]> {
    return this.#pressAll(
      async () => (await this.#page()).evaluate<Control[]>(controlsScript),
      async ({ selector, label }) =>
        activate(
          this.#workbench,
          label,
          async () => this.#click(async () => (await this.#page()).locator(selector).first()),
          this.#requests,
        ),
    );
  }

  /** Returns what was pressed. */
  async menu(): Promise<string[]> {
    return this.#pressAll(
      async () => this.#items(),
      async control => {
        const press = async (): Promise<void> =>
          this.#click(async () => {
            await this.#open();
            return this.#item(await this.#page(), control.label);
          });
        // What it ticks may have nothing to show in this result: the tick is seen in the menu.
        const also = async () => [this.#requests(), control.isTick && (await this.#items())];
        await activate(this.#workbench, control.label, press, also);
      },
    );
  }

  /** What is not chosen first: a choice among several is made by another one, and then pressed too. */
  async #pressAll(read: () => Promise<Control[]>, press: (control: Control) => Promise<void>): Promise<string[]> {
    const pressed: string[] = [];
    for (;;) {
      const left = (await read()).filter(({ label, selector }) => !pressed.includes(selector || label));
      const next = left.find(({ isChosen }) => !isChosen) ?? left[0];
      if (!next) return pressed;
      await press(next);
      pressed.push(next.selector || next.label);
      await dismissAll(this.#workbench, 1);
      await (await this.#page()).locator('.toolbar').waitFor();
    }
  }

  /** A box of the control before may come up after something else has shown already: it is left, and the click done again. */
  async #click(find: () => Promise<Locator>): Promise<void> {
    await until(
      'the click',
      async () => {
        if (await succeeds((await find()).click({ timeout: 5_000 }))) return true;
        await dismissAll(this.#workbench, 1);
        return false;
      },
      isDone => isDone,
    );
  }

  async #items(): Promise<Control[]> {
    await this.#open();
    const items = await (await this.#page()).evaluate<Control[]>(itemsScript);
    await this.#workbench.page.keyboard.press('Escape');
    return items;
  }

  async #open(): Promise<void> {
    const page = await this.#page();
    await until(
      'the menu',
      async () => {
        if ((await page.locator('[role=menu]:visible').count()) === 0)
          await page.locator('.toolbar .more-button').click();
        return page.locator('[role^=menuitem]:visible').count();
      },
      count => count > 0,
    );
  }

  #item(page: Frame, label: string): Locator {
    return page
      .locator('[role^=menuitem]')
      .filter({ has: page.getByText(label, { exact: true }) })
      .first();
  }

  async #page(): Promise<Frame> {
    return this.#workbench.resultFrame();
  }
}

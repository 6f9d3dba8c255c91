import type { Frame, Locator } from 'playwright-core';
import { activate, dismissAll, look, noError } from './harness/activation.ts';
import { succeeds, until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';

/** A control as its page declares it. */
interface Control {
  /** What it is found by. */
  readonly selector: string;
  readonly label: string;
  /** Whether it is chosen or ticked by now: a choice that is made already changes nothing. */
  readonly isChosen: boolean;
  /** Which of the submenus it is in. */
  readonly submenu?: number;
  /** Whether it is an item that is ticked, by itself or as one among several. */
  readonly isTick?: boolean;
}

/** All controls of the toolbar. */
const controlsScript = `[...document.querySelectorAll('.toolbar :is(button, vscode-toolbar-button)')]
    .filter(one => one.checkVisibility())
    .map(one => ({
      selector: [...one.attributes].filter(({ name }) => name.startsWith('data-')).map(({ name, value }) => '.toolbar [' + name + '="' + value + '"]')[0]
        ?? '.toolbar .' + one.className.split(' ')[0],
      label: one.title || one.textContent.trim(),
      isChosen: one.ariaSelected === 'true' || one.ariaChecked === 'true',
    }))`;

/** The items of the menu that was opened last, but for those that only open others. */
const itemsScript = `[...[...document.querySelectorAll('[role=menu]')].at(-1).querySelectorAll('[role^=menuitem]:not([aria-haspopup])')].map(one => ({
  selector: '',
  label: one.querySelector('.menu-label').textContent,
  isChosen: one.ariaChecked === 'true',
  isTick: one.role !== 'menuitem',
}))`;

const submenuLines = '[role=menuitem][aria-haspopup]';

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
    const pressed: string[] = [];
    for (;;) {
      const next = nextOf(await (await this.#page()).evaluate<Control[]>(controlsScript), pressed);
      if (!next) return pressed;
      const { selector, label } = next;
      const press = async (): Promise<void> => this.#click(async () => (await this.#page()).locator(selector).first());
      await activate(this.#workbench, label, press, this.#requests);
      pressed.push(selector);
      await this.#leave();
    }
  }

  /** Returns what was pressed. The menu is opened once for each item: to choose the next one, and to press it. `opener`: opens it. */
  async menu(opener = '.more-button'): Promise<string[]> {
    const pressed: string[] = [];
    for (;;) {
      const before = await look(this.#workbench, this.#requests);
      const items = await this.#openedItems(opener);
      const next = nextOf(items, pressed);
      if (!next) return pressed;
      await this.#click(async () => {
        await this.#open(opener);
        const page = await this.#page();
        if (next.submenu !== undefined) await page.locator(submenuLines).nth(next.submenu).click();
        return this.#item(page, next.label);
      });
      // What it ticks may have nothing to show in this result: the tick is seen in the menu.
      await until(
        `anything to show for ${next.label}`,
        async () =>
          (await look(this.#workbench, this.#requests)) !== before ||
          (next.isTick && (await this.#isOther(opener, items))),
      );
      await noError(this.#workbench);
      pressed.push(next.label);
      await this.#leave();
    }
  }

  async #leave(): Promise<void> {
    await dismissAll(this.#workbench, 1);
    await (await this.#page()).locator('.toolbar').waitFor();
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

  async #openedItems(opener: string): Promise<Control[]> {
    await this.#open(opener);
    const page = await this.#page();
    const last = await page.evaluate<Control[]>(itemsScript);
    const items: Control[] = [];
    const submenus = page.locator(submenuLines);
    for (let submenu = 0; submenu < (await submenus.count()); submenu++) {
      await this.#click(async () => Promise.resolve(submenus.nth(submenu)));
      items.push(...(await page.evaluate<Control[]>(itemsScript)).map(item => ({ ...item, submenu })));
      await this.#workbench.page.keyboard.press('Escape');
    }
    // What resets the view has something to show after what changes it.
    return [...items, ...last];
  }

  /** Whether the menu has other items or ticks by now. */
  async #isOther(opener: string, items: readonly Control[]): Promise<boolean> {
    const now = await this.#openedItems(opener);
    await this.#workbench.page.keyboard.press('Escape');
    return JSON.stringify(now) !== JSON.stringify(items);
  }

  async #open(opener: string): Promise<void> {
    const page = await this.#page();
    await until(
      'the menu',
      async () => {
        if ((await page.locator('[role=menu]:visible').count()) === 0)
          await this.#click(async () => (await this.#page()).locator(`.toolbar ${opener}`));
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

/** The next one to press: what is not chosen first, so that a choice among several is made by another one, and then pressed too. */
function nextOf(controls: readonly Control[], pressed: readonly string[]): Control | undefined {
  const left = controls.filter(({ label, selector }) => !pressed.includes(selector || label));
  return left.find(({ isChosen }) => !isChosen) ?? left[0];
}

import type { Frame, Locator } from 'playwright-core';
import { pressAndWait, dismissAll, takeSnapshot, assertNoError } from './harness/activation.ts';
import { succeeds, until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';

/** A control in a page. */
interface Control {
  /** The selector that finds it. */
  readonly selector: string;
  readonly label: string;
  /** Whether it is selected or checked, so that pressing it may change nothing. */
  readonly isSelected: boolean;
  /** The index of its submenu. */
  readonly submenu?: number;
  /** Whether it is a menu item with a check mark. */
  readonly isCheckable?: boolean;
}

/** A script that returns all controls of the toolbar. */
const controlsScript = `[...document.querySelectorAll('.toolbar :is(button, vscode-toolbar-button)')]
    .filter(element => element.checkVisibility())
    .map(element => ({
      selector: [...element.attributes].filter(({ name }) => name.startsWith('data-')).map(({ name, value }) => '.toolbar [' + name + '="' + value + '"]')[0]
        ?? '.toolbar .' + element.className.split(' ')[0],
      label: element.title || element.textContent.trim(),
      isSelected: element.ariaSelected === 'true' || element.ariaChecked === 'true',
    }))`;

/** A script that returns the items of the last opened menu, without those that open submenus. */
const itemsScript = `[...[...document.querySelectorAll('[role=menu]')].at(-1).querySelectorAll('[role^=menuitem]:not([aria-haspopup])')].map(element => ({
  selector: '',
  label: element.querySelector('.menu-label').textContent,
  isSelected: element.ariaChecked === 'true',
  isCheckable: element.role !== 'menuitem',
}))`;

const submenuItems = '[role=menuitem][aria-haspopup]';

/** Presses every control in the toolbar of the active result, and every item of its menu. */
export class PanelWalk {
  readonly #workbench: Workbench;
  readonly #requests: () => number;

  constructor(workbench: Workbench, requests: () => number) {
    this.#workbench = workbench;
    this.#requests = requests;
  }

  /** Presses all toolbar controls. Returns the selectors of those pressed. */
  async pressToolbar(): Promise<string[]> {
    const pressed: string[] = [];
    for (;;) {
      const nextControl = findNext(await (await this.#page()).evaluate<Control[]>(controlsScript), pressed);
      if (!nextControl) return pressed;
      assertBounded(pressed);
      const { selector, label } = nextControl;
      const press = async (): Promise<void> => this.#click(async () => (await this.#page()).locator(selector).first());
      await pressAndWait(this.#workbench, label, press, this.#requests);
      pressed.push(selector);
      await this.#closeAll();
    }
  }

  /** Presses all items of the menu that `opener` opens. Opens it twice for each item: to find the next one, and to press it. Returns the labels. */
  async pressMenu(opener = '.more-button'): Promise<string[]> {
    const pressed: string[] = [];
    for (;;) {
      const previousSnapshot = await takeSnapshot(this.#workbench, this.#requests);
      const items = await this.#openedItems(opener);
      const nextItem = findNext(items, pressed);
      if (!nextItem) return pressed;
      assertBounded(pressed);
      await this.#click(async () => {
        await this.#open(opener);
        const page = await this.#page();
        if (nextItem.submenu !== undefined) await page.locator(submenuItems).nth(nextItem.submenu).click();
        return this.#item(page, nextItem.label);
      });
      // An option may have no visible effect in this result, but its check mark changes in the menu.
      await until(
        `a visible effect of ${nextItem.label}`,
        async () =>
          (await takeSnapshot(this.#workbench, this.#requests)) !== previousSnapshot ||
          (nextItem.isCheckable && (await this.#hasChanged(opener, items))),
      );
      await assertNoError(this.#workbench);
      pressed.push(nextItem.label);
      await this.#closeAll();
    }
  }

  async #closeAll(): Promise<void> {
    await dismissAll(this.#workbench, 1);
    await (await this.#page()).locator('.toolbar').waitFor();
  }

  /** Clicks an element. Tries again after closing everything if a delayed input box of the previous control is in the way. */
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
    const mainItems = await page.evaluate<Control[]>(itemsScript);
    const items: Control[] = [];
    const submenus = page.locator(submenuItems);
    for (let submenu = 0; submenu < (await submenus.count()); submenu++) {
      await this.#click(async () => Promise.resolve(submenus.nth(submenu)));
      items.push(...(await page.evaluate<Control[]>(itemsScript)).map(item => ({ ...item, submenu })));
      await this.#workbench.page.keyboard.press('Escape');
    }
    // The items of the main menu come last, since Reset View has a visible effect only after changes.
    return [...items, ...mainItems];
  }

  /** Whether the menu's items or check marks have changed. */
  async #hasChanged(opener: string, items: readonly Control[]): Promise<boolean> {
    const currentItems = await this.#openedItems(opener);
    await this.#workbench.page.keyboard.press('Escape');
    return JSON.stringify(currentItems) !== JSON.stringify(items);
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

/** Returns the next control to press. Unselected ones come first, so that pressing a selected one later has an effect. */
function findNext(controls: readonly Control[], pressed: readonly string[]): Control | undefined {
  const remaining = controls.filter(({ label, selector }) => !pressed.includes(selector || label));
  return remaining.find(({ isSelected }) => !isSelected) ?? remaining[0];
}

/** The walk would never end if a control changed its label whenever it is pressed. */
function assertBounded(pressed: readonly string[]): void {
  if (pressed.length >= 100) throw new Error(`Too many controls: ${pressed.slice(-10).join(', ')}`);
}

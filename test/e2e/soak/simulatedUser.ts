import type { Frame, Locator } from 'playwright-core';
import { hostileTexts } from '../../hostile/texts.ts';
import { toPlaywrightKey } from '../contributionWalk.ts';
import { listContributions } from '../harness/contributions.ts';
import { listVisibleWebviews } from '../harness/frames.ts';
import { themes, type Theme } from '../harness/themes.ts';
import { succeeds } from '../../support/until.ts';
import type { Workbench } from '../harness/workbench.ts';
import type { RandomChoices } from './randomChoices.ts';

const contributions = listContributions();
const commands = [
  // Setting higher limits than the service's would cause requests beyond the limit.
  ...new Set(
    contributions.flatMap(entry => (entry.kind === 'palette' && !/Limits/.test(entry.label) ? [entry.label] : [])),
  ),
  ...['View: Close Editor', 'View: Split Editor Right', 'View: Split Editor Down', 'View: Close All Editors'],
  ...['View: Close Other Editors in Group', 'View: Open Next Editor', 'View: Reopen Closed Editor'],
  'View: Toggle Maximize Editor Group',
  ...Array<string>(10).fill('Grid Data: Refresh, Ignoring Archive'),
];
const keys = [
  ...contributions.flatMap(({ kind: selector, label }) => (selector === 'key' ? [toPlaywrightKey(label)] : [])),
  ...['Escape', 'Enter', 'Space', 'Tab', 'Shift+Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'],
  ...[
    'PageDown',
    'PageUp',
    'Shift+F10',
    'Alt+ArrowDown',
    'Control+a',
    'Control+c',
    'Control+f',
    'Control+Home',
    'Shift+ArrowDown',
  ],
];
const typicalTexts = [
  ...[
    'last 24 hours',
    'last 7 days',
    'yesterday',
    '2023-05',
    '2023-05-01..2023-05-07',
    '2019',
    'last 3 hours',
    '1h',
    '1d',
    '7',
  ],
  ...['ocgt', '> 1000', '', 'x', 'Morning', 'wind_mw + solar_mw', 'if(value > 0.2, 1, null)', '1e999', '-0'],
];

/** Selectors of pressable elements in a window. A kind is picked first, so that many tree items do not make buttons rare. */
const windowSelectors = [
  ...[
    '.part.sidebar .pane-header .action-label',
    '.part.sidebar .monaco-list-row',
    '.welcome-view-content .monaco-button',
  ],
  ...[
    ':is(.activitybar, .composite-bar) .action-label:is([aria-label^="Explorer"], [aria-label^="Grid Data"])',
    '.explorer-folders-view .monaco-list-row[aria-label*="."]',
  ],
  ...['.part.editor .editor-actions .action-label', '.tabs-container .tab', '.statusbar-item[id*="grid-data"] a'],
  ...[
    '.notifications-toasts .monaco-button',
    '.notifications-toasts .action-label',
    '.part.sidebar .monaco-list-row .action-label',
  ],
];
const pageSelectors = [
  ...['[role=tab]', '.toolbar :is(button, vscode-toolbar-button)', '[role=columnheader]', '[role=gridcell]'],
  ...[
    '[role=rowheader]',
    'input:not([type=checkbox], [type=radio])',
    'select',
    '.message button, .words button',
    '.notice *',
  ],
  ...[
    '[role=switch], [role=checkbox], [type=checkbox], [type=radio]',
    '[role=slider]',
    'footer button',
    'header button',
  ],
  ...[
    '.chart button',
    'canvas',
    'svg',
    'button, vscode-toolbar-button, vscode-button',
    '[tabindex="0"]',
    '[role=listbox] [role=option]',
  ],
];
const timeoutMs = 2_000;

/** A simulated user of one window, who presses random elements. */
export class SimulatedUser {
  readonly workbench: Workbench;
  /** The last entered key; undefined after a reload, when VS Code in a browser has lost it. */
  enteredKey: string | undefined;
  /** Returns the currently valid key. */
  readonly #key: () => string;

  constructor(workbench: Workbench, key: () => string) {
    this.workbench = workbench;
    this.#key = key;
  }

  /** Does one random action. Returns its description. */
  async act(random: RandomChoices): Promise<string> {
    const { page, quickInput } = this.workbench;
    if (random.chance(0.9)) {
      const dialog = page.locator('.monaco-dialog-box .monaco-button:visible');
      if ((await dialog.count()) > 0) return this.#press(random, 'dialog', dialog, 0);
      if (await quickInput.isOpen()) return this.#fillBox(random);
      // Skips entries that open VS Code's settings or hide parts of the window.
      const menu = page
        .locator('.context-view .monaco-menu .action-item:not(.disabled):visible')
        .filter({ hasNotText: /Configure|Hide/ });
      if ((await menu.count()) > 0) return this.#press(random, 'menu', menu, 0);
    }
    const percent = random.below(100);
    if (percent < 1) return this.#reload();
    if (percent < 2) return this.#theme(random);
    if (percent < 20) return this.#command(random.pick(commands));
    if (percent < 28) return this.#query(random);
    if (percent < 35) return this.#type(random);
    const frame = (await listVisibleWebviews(page)).map(entry => entry.frame);
    if (percent < 75 && frame.length > 0) return this.#inPage(random, random.pick(frame));
    return this.#pressAny(random, 'window', page, windowSelectors);
  }

  async #reload(): Promise<string> {
    await this.closeOverlays();
    await this.workbench.reload();
    this.enteredKey = undefined;
    return 'reload of the window';
  }

  async #theme(random: RandomChoices): Promise<string> {
    const theme = random.pick(Object.keys(themes)) as Theme;
    await this.closeOverlays();
    await this.workbench.setTheme(theme);
    return `theme ${theme}`;
  }

  /** Runs a command from the palette, if it is available. */
  async #command(label: string): Promise<string> {
    const { page, quickInput } = this.workbench;
    if (await quickInput.isOpen()) await quickInput.escape();
    await page.keyboard.press('F1');
    const isRun =
      (await quickInput.opensWithin(timeoutMs)) &&
      (await quickInput.tryType(`>${label}`, timeoutMs)) &&
      (await quickInput.tryPickTyped(label, timeoutMs));
    if (!isRun && (await quickInput.isOpen())) await quickInput.escape();
    return `command ${label}${isRun ? '' : ', which is not offered'}`;
  }

  /** Queries days that are not archived yet, since faults of the service need requests. */
  async #query(random: RandomChoices): Promise<string> {
    const { page, quickInput } = this.workbench;
    const dataset = random.pick(['System State', 'Grid Stress', 'System State and Stress'] as const);
    const year = 2019 + random.below(7);
    const range = random.chance(0.3) ? String(year) : `${year}-0${1 + random.below(9)}-${10 + random.below(18)}`;
    const done = await this.#command(`Grid Data: Query ${dataset}…`);
    if (await quickInput.opensWithin(timeoutMs)) {
      await this.#enter('', range);
      if (await succeeds(page.locator('.quick-input-title', { hasText: '(2/2)' }).waitFor({ timeout: timeoutMs })))
        await page.keyboard.press('Enter');
    }
    return `${done}: ${range}`;
  }

  async #type(random: RandomChoices): Promise<string> {
    const pressed = Array.from({ length: 1 + random.below(4) }, () => random.pick(keys));
    for (const key of pressed) await this.workbench.page.keyboard.press(key);
    return `keys ${pressed.join(' ')}`;
  }

  async #fillBox(random: RandomChoices): Promise<string> {
    const { page, quickInput } = this.workbench;
    // The title is missing if the box closes meanwhile.
    const [title = ''] = await page.locator('.quick-input-widget:visible .quick-input-title').allInnerTexts();
    const value = await quickInput.valueNow();
    const isSecret = await page.locator('.quick-input-widget:visible input[type=password]').isVisible();
    const box = `box "${title}"`;
    if (/limits/i.test(title) || random.chance(0.2)) {
      await quickInput.escape();
      return `${box}: Escape`;
    }
    if (isSecret && random.chance(0.7)) return this.#enter(box, this.#key(), 'the key');
    const rows = page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row:not([aria-label^=".."])');
    if (random.chance(0.6) && (await rows.count()) > 0) return this.#press(random, box, rows, 0);
    // A path stays in the proposed folder.
    if (value.startsWith('/')) return this.#enter(box, `${value.replace(/[^/]*$/, '')}soak-${random.below(5)}.csv`);
    return this.#enter(box, pickText(random));
  }

  async #enter(box: string, text: string, description = JSON.stringify(text.slice(0, 60))): Promise<string> {
    const { quickInput, page } = this.workbench;
    if (await quickInput.tryType(text, timeoutMs)) await page.keyboard.press('Enter');
    return `${box}: ${description}`;
  }

  async #inPage(random: RandomChoices, frame: Frame): Promise<string> {
    const menu = frame.locator('[role^=menuitem]:visible');
    if (random.chance(0.8) && (await menu.count()) > 0) return this.#press(random, 'menu of the page', menu, 0.02);
    return this.#pressAny(random, 'page', frame, pageSelectors);
  }

  async #pressAny(
    random: RandomChoices,
    area: string,
    root: Pick<Frame, 'locator'>,
    selectors: readonly string[],
  ): Promise<string> {
    for (let tries = 0; tries < 8; tries++) {
      const selector = random.pick(selectors);
      const elements = root.locator(selector).locator('visible=true');
      if ((await elements.count()) > 0) return this.#press(random, `${area} ${selector}`, elements, 0.15);
    }
    return `${area}: nothing there`;
  }

  /** Presses a random element: usually by a click, with probability `otherActionChance` by its menu, a double-click, keys or a drag. */
  async #press(random: RandomChoices, area: string, elements: Locator, otherActionChance: number): Promise<string> {
    const element = elements.nth(random.below(await elements.count()));
    const elementName = await element
      .evaluate<string, NamedElement>(readElementName, undefined, { timeout: timeoutMs })
      .catch(() => '?');
    const name = `${area} "${elementName}"`;
    const isInput = area.includes('input') && random.chance(0.8);
    const action = isInput
      ? 'fill'
      : random.chance(otherActionChance)
        ? random.pick(['menu', 'twice', 'keys', 'drag'] as const)
        : 'click';
    const actions = {
      click: async () => element.click({ timeout: timeoutMs }),
      menu: async () => element.click({ button: 'right', timeout: timeoutMs }),
      twice: async () => element.dblclick({ timeout: timeoutMs }),
      keys: async () => element.press(random.pick(keys), { timeout: timeoutMs }),
      drag: async () => element.dragTo(elements.nth(random.below(await elements.count())), { timeout: timeoutMs }),
      fill: async () => {
        await element.fill(pickText(random), { timeout: timeoutMs });
        if (random.chance(0.5)) await element.press('Enter', { timeout: timeoutMs });
      },
    };
    const isDone = await succeeds(actions[action]());
    // A drag that timed out still holds the mouse button.
    if (action === 'drag' && !isDone) await this.workbench.page.mouse.up();
    return `${action} ${name}${isDone ? '' : ', which is out of reach'}`;
  }

  /** Closes open input boxes, dialogs and menus. */
  async closeOverlays(): Promise<void> {
    const { page } = this.workbench;
    const overlays = page.locator(
      '.quick-input-widget:visible, .monaco-dialog-box:visible, .context-view .monaco-menu:visible',
    );
    // Closes a browser's native list, which receives all keys while it is open and cannot be detected.
    await page.keyboard.press('Escape');
    for (let tries = 0; tries < 10 && (await overlays.count()) > 0; tries++) {
      const dontSave = page.locator('.monaco-dialog-box .monaco-button', { hasText: "Don't Save" });
      if (await dontSave.isVisible()) await succeeds(dontSave.click({ timeout: timeoutMs }));
      else if (await this.workbench.quickInput.isOpen()) await this.workbench.quickInput.escape();
      else await page.keyboard.press('Escape');
    }
  }
}

/** The maximum length of typed text, since input fields need minutes for megabytes. */
const maxTypedLength = 20_000;

function pickText(random: RandomChoices): string {
  return random.chance(0.6) ? random.pick(typicalTexts) : random.pick(hostileTexts).text.slice(0, maxTypedLength);
}

/** The members of a DOM element that its name is read from, since the tests are compiled without DOM types. */
interface NamedElement {
  readonly ariaLabel: string | null;
  readonly title?: string;
  readonly innerText?: string;
  getAttribute(name: string): string | null;
}

/** Returns a name of an element for the log of actions. */
function readElementName(element: NamedElement): string {
  const name = element.ariaLabel ?? (element.title || element.innerText || element.getAttribute('class') || '');
  return name.replaceAll(/\s+/g, ' ').slice(0, 50);
}

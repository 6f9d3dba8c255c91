import type { Frame, Locator } from 'playwright-core';
import { hostileTexts } from '../../hostile/texts.ts';
import { keyOf } from '../contributionWalk.ts';
import { allContributions } from '../harness/contributions.ts';
import { shownWebviews } from '../harness/frames.ts';
import { themes, type Theme } from '../harness/themes.ts';
import { succeeds } from '../../support/waiting.ts';
import type { Workbench } from '../harness/workbench.ts';
import type { Draw } from './draw.ts';

const contributions = allContributions();
const commands = [
  // One that grants more requests than the service does would have them sent.
  ...new Set(contributions.flatMap(one => (one.place === 'palette' && !/Limits/.test(one.label) ? [one.label] : []))),
  ...['View: Close Editor', 'View: Split Editor Right', 'View: Split Editor Down', 'View: Close All Editors'],
  ...['View: Close Other Editors in Group', 'View: Open Next Editor', 'View: Reopen Closed Editor'],
  'View: Toggle Maximize Editor Group',
  ...Array<string>(10).fill('Grid Data: Refresh, Ignoring Archive'),
];
const keys = [
  ...contributions.flatMap(({ place, label }) => (place === 'key' ? [keyOf(label)] : [])),
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
const usualTexts = [
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

/** What there is to press in a window, by kind, so that many lines do not make buttons rare. */
const windowThings = [
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
const pageThings = [
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
const stepMs = 2_000;

/** Somebody at one window, who presses whatever is there. */
export class Person {
  readonly workbench: Workbench;
  /** The key that was entered last; none once VS Code in a browser has forgotten it, at a reload. */
  enteredKey: string | undefined;
  /** The key that a person would enter now. */
  readonly #key: () => string;

  constructor(workbench: Workbench, key: () => string) {
    this.workbench = workbench;
    this.#key = key;
  }

  /** Does one thing, and says what. */
  async act(draw: Draw): Promise<string> {
    const { page, quickInput } = this.workbench;
    if (draw.chance(0.9)) {
      const dialog = page.locator('.monaco-dialog-box .monaco-button:visible');
      if ((await dialog.count()) > 0) return this.#press(draw, 'dialog', dialog, 0);
      if (await quickInput.isOpen()) return this.#answerBox(draw);
      // What VS Code shows of its settings lies over everything.
      const menu = page
        .locator('.context-view .monaco-menu .action-item:not(.disabled):visible')
        .filter({ hasNotText: /Configure|Hide/ });
      if ((await menu.count()) > 0) return this.#press(draw, 'menu', menu, 0);
    }
    const dice = draw.below(100);
    if (dice < 1) return this.#reload();
    if (dice < 2) return this.#theme(draw);
    if (dice < 20) return this.#command(draw.of(commands));
    if (dice < 28) return this.#query(draw);
    if (dice < 35) return this.#type(draw);
    const frame = (await shownWebviews(page)).map(one => one.frame);
    if (dice < 75 && frame.length > 0) return this.#inPage(draw, draw.of(frame));
    return this.#pressAny(draw, 'window', page, windowThings);
  }

  async #reload(): Promise<string> {
    await this.leaveBoxes();
    await this.workbench.reload();
    this.enteredKey = undefined;
    return 'reload of the window';
  }

  async #theme(draw: Draw): Promise<string> {
    const theme = draw.of(Object.keys(themes)) as Theme;
    await this.leaveBoxes();
    await this.workbench.setTheme(theme);
    return `theme ${theme}`;
  }

  /** What the palette does not offer now is left. */
  async #command(label: string): Promise<string> {
    const { page, quickInput } = this.workbench;
    if (await quickInput.isOpen()) await quickInput.escape();
    await page.keyboard.press('F1');
    const isRun =
      (await quickInput.opens(stepMs)) &&
      (await quickInput.typed(`>${label}`, stepMs)) &&
      (await quickInput.pickedAsTyped(label, stepMs));
    if (!isRun && (await quickInput.isOpen())) await quickInput.escape();
    return `command ${label}${isRun ? '' : ', which is not offered'}`;
  }

  /** Asks for days that are not in the archive yet: a service that gets no requests has no troubles. */
  async #query(draw: Draw): Promise<string> {
    const { page, quickInput } = this.workbench;
    const dataset = draw.of(['System State', 'Grid Stress', 'System State and Stress'] as const);
    const year = 2019 + draw.below(7);
    const range = draw.chance(0.3) ? String(year) : `${year}-0${1 + draw.below(9)}-${10 + draw.below(18)}`;
    const done = await this.#command(`Grid Data: Query ${dataset}…`);
    if (await quickInput.opens(stepMs)) {
      await this.#enter('', range);
      if (await succeeds(page.locator('.quick-input-title', { hasText: '(2/2)' }).waitFor({ timeout: stepMs })))
        await page.keyboard.press('Enter');
    }
    return `${done}: ${range}`;
  }

  async #type(draw: Draw): Promise<string> {
    const pressed = Array.from({ length: 1 + draw.below(4) }, () => draw.of(keys));
    for (const key of pressed) await this.workbench.page.keyboard.press(key);
    return `keys ${pressed.join(' ')}`;
  }

  async #answerBox(draw: Draw): Promise<string> {
    const { page, quickInput } = this.workbench;
    // One that goes by itself meanwhile has none.
    const [title = ''] = await page.locator('.quick-input-widget:visible .quick-input-title').allInnerTexts();
    const value = await quickInput.valueNow();
    const isSecret = await page.locator('.quick-input-widget:visible input[type=password]').isVisible();
    const box = `box "${title}"`;
    if (/limits/i.test(title) || draw.chance(0.2)) {
      await quickInput.escape();
      return `${box}: Escape`;
    }
    if (isSecret && draw.chance(0.7)) return this.#enter(box, this.#key(), 'the key');
    const rows = page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row:not([aria-label^=".."])');
    if (draw.chance(0.6) && (await rows.count()) > 0) return this.#press(draw, box, rows, 0);
    // A path stays in the folder that is offered.
    if (value.startsWith('/')) return this.#enter(box, `${value.replace(/[^/]*$/, '')}soak-${draw.below(5)}.csv`);
    return this.#enter(box, textOf(draw));
  }

  async #enter(box: string, text: string, shown = JSON.stringify(text.slice(0, 60))): Promise<string> {
    const { quickInput, page } = this.workbench;
    if (await quickInput.typed(text, stepMs)) await page.keyboard.press('Enter');
    return `${box}: ${shown}`;
  }

  async #inPage(draw: Draw, frame: Frame): Promise<string> {
    const menu = frame.locator('[role^=menuitem]:visible');
    if (draw.chance(0.8) && (await menu.count()) > 0) return this.#press(draw, 'menu of the page', menu, 0.02);
    return this.#pressAny(draw, 'page', frame, pageThings);
  }

  async #pressAny(draw: Draw, where: string, root: Pick<Frame, 'locator'>, kinds: readonly string[]): Promise<string> {
    for (let tries = 0; tries < 8; tries++) {
      const kind = draw.of(kinds);
      const things = root.locator(kind).locator('visible=true');
      if ((await things.count()) > 0) return this.#press(draw, `${where} ${kind}`, things, 0.15);
    }
    return `${where}: nothing there`;
  }

  /** Presses one of them in one of the ways there are: most often with the mouse, else (`otherwise`) by its menu, a drag, keys or text. */
  async #press(draw: Draw, where: string, things: Locator, otherwise: number): Promise<string> {
    const thing = things.nth(draw.below(await things.count()));
    const tag = await thing.evaluate<string, Named>(nameOf, undefined, { timeout: stepMs }).catch(() => '?');
    const name = `${where} "${tag}"`;
    const fills = where.includes('input') && draw.chance(0.8);
    const way = fills ? 'fill' : draw.chance(otherwise) ? draw.of(['menu', 'twice', 'keys', 'drag'] as const) : 'click';
    const steps = {
      click: async () => thing.click({ timeout: stepMs }),
      menu: async () => thing.click({ button: 'right', timeout: stepMs }),
      twice: async () => thing.dblclick({ timeout: stepMs }),
      keys: async () => thing.press(draw.of(keys), { timeout: stepMs }),
      drag: async () => thing.dragTo(things.nth(draw.below(await things.count())), { timeout: stepMs }),
      fill: async () => {
        await thing.fill(textOf(draw), { timeout: stepMs });
        if (draw.chance(0.5)) await thing.press('Enter', { timeout: stepMs });
      },
    };
    const isDone = await succeeds(steps[way]());
    // A drag that is given up holds the button.
    if (way === 'drag' && !isDone) await this.workbench.page.mouse.up();
    return `${way} ${name}${isDone ? '' : ', which is out of reach'}`;
  }

  /** Leaves boxes, dialogs and menus that are open. */
  async leaveBoxes(): Promise<void> {
    const { page } = this.workbench;
    const open = page.locator(
      '.quick-input-widget:visible, .monaco-dialog-box:visible, .context-view .monaco-menu:visible',
    );
    // The browser's own list of a field keeps all keys while it is open, and nothing tells that it is.
    await page.keyboard.press('Escape');
    for (let tries = 0; tries < 10 && (await open.count()) > 0; tries++) {
      const dontSave = page.locator('.monaco-dialog-box .monaco-button', { hasText: "Don't Save" });
      if (await dontSave.isVisible()) await succeeds(dontSave.click({ timeout: stepMs }));
      else if (await this.workbench.quickInput.isOpen()) await this.workbench.quickInput.escape();
      else await page.keyboard.press('Escape');
    }
  }
}

/** The fields of browsers and of VS Code take minutes over megabytes. */
const longestTyped = 20_000;

function textOf(draw: Draw): string {
  return draw.chance(0.6) ? draw.of(usualTexts) : draw.of(hostileTexts).text.slice(0, longestTyped);
}

/** What the name of an element is read from; the tests' own types know no DOM. */
interface Named {
  readonly ariaLabel: string | null;
  readonly title?: string;
  readonly innerText?: string;
  getAttribute(name: string): string | null;
}

/** What an element is called, for the list of what was done. */
function nameOf(one: Named): string {
  const name = one.ariaLabel ?? (one.title || one.innerText || one.getAttribute('class') || '');
  return name.replaceAll(/\s+/g, ' ').slice(0, 50);
}

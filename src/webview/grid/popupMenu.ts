import { element } from './gridDom.ts';
import { Popup } from './popup.ts';

/** One line of a menu. */
export interface MenuItem {
  readonly label: string;
  /** The keys that do the same, as written for people: "Ctrl+C". */
  readonly shortcut?: string;
  /** Left out for an item that is no choice. */
  readonly checked?: boolean;
  /** One of several choices that follow each other, of which one is checked. */
  readonly radio?: true;
  readonly disabled?: boolean;
  readonly separatorBefore?: boolean;
  readonly run: () => void;
}

/** A line that opens a menu of its own. */
export interface Submenu {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly separatorBefore?: boolean;
}

export type MenuEntry = MenuItem | Submenu;

const forgetTypedMs = 700;
/** The mouse crosses other lines on its way from a line to its submenu. */
const hoverMs = 200;

/** Opens a menu beside an anchor, its first item focused, or another one by its place. */
export function openPopupMenu(items: readonly MenuEntry[], anchor: DOMRect, label: string, focused = 0): void {
  new PopupMenu(items, label).open(anchor, focused);
}

class PopupMenu {
  readonly #items: readonly MenuEntry[];
  readonly #parent: PopupMenu | undefined;
  readonly #popup: Popup;
  readonly #lines: readonly HTMLElement[];
  /** The one that is open, and its line. */
  #submenu: { readonly popup: Popup; readonly index: number } | undefined;
  #hovering = 0;
  #typed = '';
  #typedAt = 0;

  constructor(items: readonly MenuEntry[], label: string, parent?: PopupMenu) {
    this.#items = items;
    this.#parent = parent;
    this.#popup = new Popup('menu', 'menu', label);
    this.#lines = items.map((item, index) => this.#line(item, index));
    items.forEach(({ separatorBefore }, index) => {
      if (separatorBefore && index > 0) this.#popup.element.append(element('menu-separator', 'separator'));
      this.#popup.element.append(this.#lines[index] ?? '');
    });
    this.#popup.element.addEventListener('keydown', event => this.#pressed(event));
    // The mouse has arrived: the submenu of a line that it crossed is not opened.
    if (parent) this.#popup.element.addEventListener('pointermove', () => clearTimeout(parent.#hovering));
  }

  open(anchor: DOMRect, focused: number | undefined): void {
    this.#popup.open(anchor, this.#parent && this.#parent.#popup);
    if (focused !== undefined) this.#focus(focused);
  }

  #line(item: MenuEntry, index: number): HTMLElement {
    const { checked, radio, disabled, shortcut } = 'items' in item ? ({} as Partial<MenuItem>) : item;
    const choice = radio ? 'menuitemradio' : 'menuitemcheckbox';
    const line = element('menu-item', checked === undefined ? 'menuitem' : choice);
    line.tabIndex = -1;
    if (checked !== undefined) line.ariaChecked = String(checked);
    if (disabled) line.ariaDisabled = 'true';
    const label = part('menu-label');
    label.textContent = item.label;
    line.append(hidden(part(checked ? 'menu-check codicon codicon-check' : 'menu-check')), label);
    if (shortcut) {
      const keys = hidden(part('menu-keys'));
      const { written, spoken } = shortcutText(shortcut, navigator.platform);
      keys.textContent = written;
      line.setAttribute('aria-description', spoken);
      line.append(keys);
    }
    if ('items' in item) {
      line.ariaHasPopup = 'menu';
      line.ariaExpanded = 'false';
      line.append(hidden(part('codicon codicon-chevron-right')));
    }
    line.addEventListener('pointermove', () => this.#hover(index));
    line.addEventListener('click', () => this.#choose(index));
    return line;
  }

  #pressed(event: KeyboardEvent): void {
    const current = this.#lines.findIndex(line => line === document.activeElement);
    const count = this.#lines.length;
    const target =
      { ArrowDown: (current + 1) % count, ArrowUp: (current + count - 1) % count, Home: 0, End: count - 1 }[
        event.key
      ] ?? this.#typedTarget(event, current);
    clearTimeout(this.#hovering);
    if (target !== undefined) {
      this.#submenu?.popup.close(false);
      this.#focus(target);
    } else if (event.key === 'Enter' || event.key === ' ') this.#choose(current);
    else if (event.key === 'ArrowRight') this.#openSubmenu(current, 0);
    else if (event.key === 'ArrowLeft' && this.#parent) this.#popup.close(true);
    else if (event.key === 'Tab') this.#close();
    else return;
    event.preventDefault();
  }

  /** The item that typed letters lead to. */
  #typedTarget(event: KeyboardEvent, current: number): number | undefined {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    const continues = this.#typed !== '' && event.timeStamp - this.#typedAt < forgetTypedMs;
    if (event.key === ' ' && !continues) return undefined;
    this.#typed = continues ? this.#typed + event.key : event.key;
    this.#typedAt = event.timeStamp;
    return typedItem(
      this.#items.map(({ label }) => label),
      this.#typed,
      current,
    );
  }

  #focus(index: number): void {
    this.#lines[index]?.focus();
  }

  /** Focuses a line at once. What was open stays until the mouse rests: it may cross this line on its way to the submenu of another. */
  #hover(index: number): void {
    clearTimeout(this.#hovering);
    if (this.#submenu?.index === index) return;
    this.#focus(index);
    this.#hovering = window.setTimeout(() => this.#openSubmenu(index), hoverMs);
  }

  #choose(index: number): void {
    const item = this.#items[index];
    if (!item) return;
    if ('items' in item) this.#openSubmenu(index, 0);
    else if (!item.disabled) {
      this.#close();
      item.run();
    }
  }

  /** Opens the submenu of a line, and closes that of another. `focused`: the item of it that gets the keyboard. */
  #openSubmenu(index: number, focused?: number): void {
    this.#submenu?.popup.close(false);
    const item = this.#items[index];
    const line = this.#lines[index];
    if (!line || !item || !('items' in item) || this.#popup.closed.aborted) return;
    const menu = new PopupMenu(item.items, item.label, this);
    line.ariaExpanded = 'true';
    this.#submenu = { popup: menu.#popup, index };
    menu.#popup.closed.addEventListener('abort', () => {
      line.ariaExpanded = 'false';
      this.#submenu = undefined;
    });
    menu.open(line.getBoundingClientRect(), focused);
  }

  /** With the menus that it was opened from. */
  #close(): void {
    if (this.#parent) this.#parent.#close();
    else this.#popup.close(true);
  }
}

function part(className: string): HTMLElement {
  const span = document.createElement('span');
  span.className = className;
  return span;
}

function hidden(span: HTMLElement): HTMLElement {
  span.setAttribute('aria-hidden', 'true');
  return span;
}

/** How a shortcut such as Ctrl+Shift+C is written and spoken on a platform (`navigator.platform`): a Mac has Command in place of Ctrl. */
export function shortcutText(
  shortcut: string,
  platform: string,
): { readonly written: string; readonly spoken: string } {
  if (!platform.startsWith('Mac')) return { written: shortcut, spoken: shortcut };
  const keys = shortcut.split('+');
  const written = [keys.includes('Shift') ? '⇧' : '', keys.includes('Ctrl') ? '⌘' : '', keys.at(-1)].join('');
  return { written, spoken: shortcut.replace('Ctrl', 'Command') };
}

/** The label that typed letters mean, from the one at `current` on; one letter typed repeatedly goes through all that begin with it. */
export function typedItem(labels: readonly string[], typed: string, current: number): number | undefined {
  const wanted = typed.toLowerCase();
  const same = wanted === wanted.charAt(0).repeat(wanted.length);
  const start = same ? current + 1 : current;
  const prefix = same ? wanted.slice(0, 1) : wanted;
  for (let step = 0; step < labels.length; step++) {
    const index = (start + step + labels.length) % labels.length;
    if (labels[index]?.toLowerCase().startsWith(prefix)) return index;
  }
  return undefined;
}

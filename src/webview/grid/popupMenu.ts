import { element } from './gridDom.ts';
import { Popup } from './popup.ts';

/** An item of a menu. */
export interface MenuItem {
  readonly label: string;
  /** The equivalent keyboard shortcut, such as "Ctrl+C". */
  readonly shortcut?: string;
  /** Absent for an item that cannot be checked. */
  readonly checked?: boolean;
  /** Whether the item is one of several adjacent choices of which exactly one is checked. */
  readonly radio?: true;
  readonly disabled?: boolean;
  readonly separatorBefore?: boolean;
  readonly run: () => void;
}

/** An item that opens a submenu. */
export interface Submenu {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly separatorBefore?: boolean;
}

export type MenuEntry = MenuItem | Submenu;

const forgetTypedMs = 700;
/** Delay before a submenu opens or closes, because the mouse crosses other items on its way to a submenu. */
const hoverMs = 200;

/** Opens a menu beside an anchor and focuses the item at index `focused`. */
export function openPopupMenu(items: readonly MenuEntry[], anchor: DOMRect, label: string, focused = 0): void {
  new PopupMenu(items, label).open(anchor, focused);
}

class PopupMenu {
  readonly #items: readonly MenuEntry[];
  readonly #parent: PopupMenu | undefined;
  readonly #popup: Popup;
  readonly #lines: readonly HTMLElement[];
  /** The open submenu and the index of its item. */
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
    // The mouse has reached this submenu: items of the parent that it crossed must not open theirs.
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

  /** The index of the item that the typed letters select. */
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

  /** Focuses an item at once, but leaves another open submenu open until the mouse rests: it may only be crossing this item. */
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

  /** Opens the submenu of an item and closes any other one. `focused` is the index of the submenu item to focus. */
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

  /** Closes this menu together with the menus that it was opened from. */
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

/** Formats a shortcut such as Ctrl+Shift+C for display and for screen readers. On a Mac (by `navigator.platform`), Command replaces Ctrl. */
export function shortcutText(
  shortcut: string,
  platform: string,
): { readonly written: string; readonly spoken: string } {
  if (!platform.startsWith('Mac')) return { written: shortcut, spoken: shortcut };
  const keys = shortcut.split('+');
  const written = [keys.includes('Shift') ? '⇧' : '', keys.includes('Ctrl') ? '⌘' : '', keys.at(-1)].join('');
  return { written, spoken: shortcut.replace('Ctrl', 'Command') };
}

/** Finds the next label that begins with the typed letters, starting at `current`. A repeated letter cycles through all labels that begin with it. */
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

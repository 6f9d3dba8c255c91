import { createElement } from './gridDom.ts';
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

const typeAheadMs = 700;
/** Delay before a submenu opens or closes, because the mouse crosses other items on its way to a submenu. */
const submenuDelayMs = 200;

/** Opens a menu beside an anchor and focuses the item at index `focused`. */
export function openPopupMenu(items: readonly MenuEntry[], anchor: DOMRect, label: string, focused = 0): void {
  new PopupMenu(items, label).open(anchor, focused);
}

class PopupMenu {
  readonly #items: readonly MenuEntry[];
  readonly #parent: PopupMenu | undefined;
  readonly #popup: Popup;
  readonly #itemElements: readonly HTMLElement[];
  /** The open submenu and the index of its item. */
  #submenu: { readonly popup: Popup; readonly index: number } | undefined;
  #hoverTimer = 0;
  #typed = '';
  #typedAt = 0;

  constructor(items: readonly MenuEntry[], label: string, parent?: PopupMenu) {
    this.#items = items;
    this.#parent = parent;
    this.#popup = new Popup('menu', 'menu', label);
    this.#itemElements = items.map((item, index) => this.#createItem(item, index));
    items.forEach(({ separatorBefore }, index) => {
      if (separatorBefore && index > 0) this.#popup.element.append(createElement('menu-separator', 'separator'));
      this.#popup.element.append(this.#itemElements[index] ?? '');
    });
    this.#popup.element.addEventListener('keydown', event => this.#onKeyDown(event));
    // The mouse has reached this submenu, so the items that it crossed on its way must not open their submenus.
    if (parent) this.#popup.element.addEventListener('pointermove', () => clearTimeout(parent.#hoverTimer));
  }

  open(anchor: DOMRect, focused: number | undefined): void {
    this.#popup.open(anchor, this.#parent && this.#parent.#popup);
    if (focused !== undefined) this.#focus(focused);
  }

  #createItem(item: MenuEntry, index: number): HTMLElement {
    const { checked, radio, disabled, shortcut } = 'items' in item ? ({} as Partial<MenuItem>) : item;
    const choice = radio ? 'menuitemradio' : 'menuitemcheckbox';
    const itemElement = createElement('menu-item', checked === undefined ? 'menuitem' : choice);
    itemElement.tabIndex = -1;
    if (checked !== undefined) itemElement.ariaChecked = String(checked);
    if (disabled) itemElement.ariaDisabled = 'true';
    const label = createSpan('menu-label');
    label.textContent = item.label;
    itemElement.append(
      hideFromScreenReaders(createSpan(checked ? 'menu-check codicon codicon-check' : 'menu-check')),
      label,
    );
    if (shortcut) {
      const keys = hideFromScreenReaders(createSpan('menu-keys'));
      const { display, spoken } = formatShortcut(shortcut, navigator.platform);
      keys.textContent = display;
      itemElement.setAttribute('aria-description', spoken);
      itemElement.append(keys);
    }
    if ('items' in item) {
      itemElement.ariaHasPopup = 'menu';
      itemElement.ariaExpanded = 'false';
      itemElement.append(hideFromScreenReaders(createSpan('codicon codicon-chevron-right')));
    }
    itemElement.addEventListener('pointermove', () => this.#onHover(index));
    itemElement.addEventListener('click', () => this.#activate(index));
    return itemElement;
  }

  #onKeyDown(event: KeyboardEvent): void {
    const current = this.#itemElements.findIndex(itemElement => itemElement === document.activeElement);
    const count = this.#itemElements.length;
    const target =
      { ArrowDown: (current + 1) % count, ArrowUp: (current + count - 1) % count, Home: 0, End: count - 1 }[
        event.key
      ] ?? this.#findTypeAheadTarget(event, current);
    clearTimeout(this.#hoverTimer);
    if (target !== undefined) {
      this.#submenu?.popup.close(false);
      this.#focus(target);
    } else if (event.key === 'Enter' || event.key === ' ') this.#activate(current);
    else if (event.key === 'ArrowRight') this.#openSubmenu(current, 0);
    else if (event.key === 'ArrowLeft' && this.#parent) this.#popup.close(true);
    else if (event.key === 'Tab') this.#close();
    else return;
    event.preventDefault();
  }

  /** The index of the item that the typed letters select. */
  #findTypeAheadTarget(event: KeyboardEvent, current: number): number | undefined {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    const continues = this.#typed !== '' && event.timeStamp - this.#typedAt < typeAheadMs;
    if (event.key === ' ' && !continues) return undefined;
    this.#typed = continues ? this.#typed + event.key : event.key;
    this.#typedAt = event.timeStamp;
    return findTypedItem(
      this.#items.map(({ label }) => label),
      this.#typed,
      current,
    );
  }

  #focus(index: number): void {
    this.#itemElements[index]?.focus();
  }

  /** Focuses an item at once. A submenu of another item stays open until the mouse rests, because the mouse may only be crossing this item. */
  #onHover(index: number): void {
    clearTimeout(this.#hoverTimer);
    if (this.#submenu?.index === index) return;
    this.#focus(index);
    this.#hoverTimer = window.setTimeout(() => this.#openSubmenu(index), submenuDelayMs);
  }

  #activate(index: number): void {
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
    const itemElement = this.#itemElements[index];
    if (!itemElement || !item || !('items' in item) || this.#popup.closed.aborted) return;
    const menu = new PopupMenu(item.items, item.label, this);
    itemElement.ariaExpanded = 'true';
    this.#submenu = { popup: menu.#popup, index };
    menu.#popup.closed.addEventListener('abort', () => {
      itemElement.ariaExpanded = 'false';
      this.#submenu = undefined;
    });
    menu.open(itemElement.getBoundingClientRect(), focused);
  }

  /** Closes this menu together with the menus that it was opened from. */
  #close(): void {
    if (this.#parent) this.#parent.#close();
    else this.#popup.close(true);
  }
}

function createSpan(className: string): HTMLElement {
  const span = document.createElement('span');
  span.className = className;
  return span;
}

function hideFromScreenReaders(span: HTMLElement): HTMLElement {
  span.setAttribute('aria-hidden', 'true');
  return span;
}

/** Formats a shortcut such as Ctrl+Shift+C for display and for screen readers. On a Mac (by `navigator.platform`), Command replaces Ctrl. */
export function formatShortcut(
  shortcut: string,
  platform: string,
): { readonly display: string; readonly spoken: string } {
  if (!platform.startsWith('Mac')) return { display: shortcut, spoken: shortcut };
  const keys = shortcut.split('+');
  const display = [keys.includes('Shift') ? '⇧' : '', keys.includes('Ctrl') ? '⌘' : '', keys.at(-1)].join('');
  return { display, spoken: shortcut.replace('Ctrl', 'Command') };
}

/** Finds the next label that begins with the typed letters, starting at `current`. A repeated letter cycles through all labels that begin with it. */
export function findTypedItem(labels: readonly string[], typed: string, current: number): number | undefined {
  const query = typed.toLowerCase();
  const isRepeatedLetter = query === query.charAt(0).repeat(query.length);
  const start = isRepeatedLetter ? current + 1 : current;
  const prefix = isRepeatedLetter ? query.slice(0, 1) : query;
  for (let offset = 0; offset < labels.length; offset++) {
    const index = (start + offset + labels.length) % labels.length;
    if (labels[index]?.toLowerCase().startsWith(prefix)) return index;
  }
  return undefined;
}

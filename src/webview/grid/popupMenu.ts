import { element } from './gridDom.ts';
import { Popup } from './popup.ts';
import type { PopupOptions } from './popup.ts';
import type { ScreenBox } from './popupPlace.ts';
import { shortcutText } from './shortcutText.ts';
import { typedItem } from './typeAhead.ts';

/** One line of a menu. */
export interface MenuItem {
  readonly label: string;
  /** The keys that do the same, as written for people: "Ctrl+C". */
  readonly shortcut?: string;
  /** Left out for an item that is no choice. */
  readonly checked?: boolean;
  readonly disabled?: boolean;
  readonly separatorBefore?: boolean;
  readonly run: () => void;
}

const forgetTypedMs = 700;

/** Opens a menu beside an anchor, its first item focused; closes it again by the function given back. */
export function openPopupMenu(
  items: readonly MenuItem[],
  anchor: ScreenBox,
  label: string,
  options: PopupOptions = {},
): () => void {
  const menu = new PopupMenu(items, label, options);
  menu.open(anchor);
  return () => menu.close();
}

class PopupMenu {
  readonly #items: readonly MenuItem[];
  readonly #popup: Popup;
  readonly #lines: readonly HTMLElement[];
  #typed = '';
  #typedAt = 0;

  constructor(items: readonly MenuItem[], label: string, options: PopupOptions) {
    this.#items = items;
    this.#popup = new Popup('menu', 'menu', label, options);
    this.#lines = items.map((item, index) => this.#line(item, index));
    items.forEach(({ separatorBefore }, index) => {
      if (separatorBefore && index > 0) this.#popup.element.append(element('menu-separator', 'separator'));
      this.#popup.element.append(this.#lines[index] ?? '');
    });
    this.#popup.element.addEventListener('keydown', event => this.#pressed(event));
  }

  open(anchor: ScreenBox): void {
    this.#popup.open(anchor);
    this.#focus(0);
  }

  close(): void {
    this.#popup.close(false);
  }

  #line(item: MenuItem, index: number): HTMLElement {
    const line = element('menu-item', item.checked === undefined ? 'menuitem' : 'menuitemcheckbox');
    line.tabIndex = -1;
    if (item.checked !== undefined) line.ariaChecked = String(item.checked);
    if (item.disabled) line.ariaDisabled = 'true';
    const check = document.createElement('span');
    check.className = item.checked ? 'menu-check codicon codicon-check' : 'menu-check';
    check.setAttribute('aria-hidden', 'true');
    const label = document.createElement('span');
    label.className = 'menu-label';
    label.textContent = item.label;
    line.append(check, label);
    if (item.shortcut) {
      const keys = document.createElement('span');
      keys.className = 'menu-keys';
      const { written, spoken } = shortcutText(item.shortcut, navigator.platform);
      keys.textContent = written;
      keys.setAttribute('aria-hidden', 'true');
      line.setAttribute('aria-description', spoken);
      line.append(keys);
    }
    line.addEventListener('pointermove', () => {
      if (document.activeElement !== line) this.#focus(index);
    });
    line.addEventListener('click', () => this.#choose(index));
    return line;
  }

  #pressed(event: KeyboardEvent): void {
    const now = this.#lines.findIndex(line => line === document.activeElement);
    const target = this.#targetOf(event, now);
    if (target !== undefined) this.#focus(target);
    else if (event.key === 'Enter' || event.key === ' ') this.#choose(now);
    else if (event.key === 'Tab') this.#popup.close(true);
    else return;
    event.preventDefault();
  }

  /** The item a key leads to. */
  #targetOf(event: KeyboardEvent, now: number): number | undefined {
    const count = this.#lines.length;
    switch (event.key) {
      case 'ArrowDown':
        return (now + 1) % count;
      case 'ArrowUp':
        return (now + count - 1) % count;
      case 'Home':
        return 0;
      case 'End':
        return count - 1;
      default:
        return this.#typedTarget(event, now);
    }
  }

  #typedTarget(event: KeyboardEvent, now: number): number | undefined {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    const goesOn = this.#typed !== '' && event.timeStamp - this.#typedAt < forgetTypedMs;
    if (event.key === ' ' && !goesOn) return undefined;
    this.#typed = goesOn ? this.#typed + event.key : event.key;
    this.#typedAt = event.timeStamp;
    return typedItem(
      this.#items.map(({ label }) => label),
      this.#typed,
      now,
    );
  }

  #focus(index: number): void {
    this.#lines[index]?.focus({ preventScroll: false });
  }

  #choose(index: number): void {
    const item = this.#items[index];
    if (!item || item.disabled) return;
    this.#popup.close(true);
    item.run();
  }
}

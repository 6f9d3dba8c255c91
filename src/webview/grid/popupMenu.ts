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

const forgetTypedMs = 700;

/** Opens a menu beside an anchor, its first item focused, or another one by its place. */
export function openPopupMenu(items: readonly MenuItem[], anchor: DOMRect, label: string, focused = 0): void {
  new PopupMenu(items, label).open(anchor, focused);
}

class PopupMenu {
  readonly #items: readonly MenuItem[];
  readonly #popup: Popup;
  readonly #lines: readonly HTMLElement[];
  #typed = '';
  #typedAt = 0;

  constructor(items: readonly MenuItem[], label: string) {
    this.#items = items;
    this.#popup = new Popup('menu', 'menu', label);
    this.#lines = items.map((item, index) => this.#line(item, index));
    items.forEach(({ separatorBefore }, index) => {
      if (separatorBefore && index > 0) this.#popup.element.append(element('menu-separator', 'separator'));
      this.#popup.element.append(this.#lines[index] ?? '');
    });
    this.#popup.element.addEventListener('keydown', event => this.#pressed(event));
  }

  open(anchor: DOMRect, focused: number): void {
    this.#popup.open(anchor);
    this.#focus(focused);
  }

  #line(item: MenuItem, index: number): HTMLElement {
    const choice = item.radio ? 'menuitemradio' : 'menuitemcheckbox';
    const line = element('menu-item', item.checked === undefined ? 'menuitem' : choice);
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
    const current = this.#lines.findIndex(line => line === document.activeElement);
    const count = this.#lines.length;
    const target =
      { ArrowDown: (current + 1) % count, ArrowUp: (current + count - 1) % count, Home: 0, End: count - 1 }[
        event.key
      ] ?? this.#typedTarget(event, current);
    if (target !== undefined) this.#focus(target);
    else if (event.key === 'Enter' || event.key === ' ') this.#choose(current);
    else if (event.key === 'Tab') this.#popup.close(true);
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

  #choose(index: number): void {
    const item = this.#items[index];
    if (!item || item.disabled) return;
    this.#popup.close(true);
    item.run();
  }
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

import { createElement } from './gridDom.ts';

/** A box over the page, beside an anchor. It closes on Escape, on a press outside, and when the page is resized or loses the focus. */
export class Popup {
  readonly element: HTMLElement;
  readonly #previousFocus = getFocusedElement();
  readonly #controller = new AbortController();
  readonly #onFocusLost: () => void;

  /** `onFocusLost` is called if the previously focused element cannot be focused when the popup closes. */
  constructor(className: string, role: string, label: string, onFocusLost: () => void = () => undefined) {
    this.#onFocusLost = onFocusLost;
    this.element = createElement(`popup ${className}`, role);
    this.element.setAttribute('aria-label', label);
  }

  /** Aborted when the popup closes. */
  get closed(): AbortSignal {
    return this.#controller.signal;
  }

  /** Shows the popup, whose contents must be complete, below or above its anchor. With a `parent` it is a submenu: it opens beside the anchor and closes with its parent. */
  open(anchor: DOMRect, parent?: Popup): void {
    // `main` is a landmark, and the part of the page that belongs to the result.
    (parent?.element ?? document.querySelector('main') ?? document.body).append(this.element);
    const { offsetWidth: width, offsetHeight: height, style } = this.element;
    const view = { width: window.innerWidth, height: window.innerHeight };
    const { left, top, maxHeight } = computePopupPosition(
      parent ? computeSubmenuAnchor(anchor, width, view) : anchor,
      { width, height },
      view,
    );
    style.left = `${left}px`;
    style.top = `${top}px`;
    style.maxHeight = `${maxHeight}px`;
    parent?.closed.addEventListener('abort', () => this.close(false));
    this.#listen();
  }

  /** Removes the popup; `returnFocus` restores the focus to the previously focused element. */
  close(returnFocus: boolean): void {
    if (this.#controller.signal.aborted) return;
    this.#controller.abort();
    this.element.remove();
    if (!returnFocus) return;
    if (this.#previousFocus instanceof HTMLElement) this.#previousFocus.focus({ preventScroll: true });
    // An element that was removed or hidden does not take the focus.
    if (getFocusedElement() !== this.#previousFocus) this.#onFocusLost();
  }

  #listen(): void {
    const { signal } = this.#controller;
    const isOutside = (target: EventTarget | null) => !(target instanceof Node && this.element.contains(target));
    const onPress = (event: Event) => {
      if (isOutside(event.target)) this.close(false);
    };
    document.addEventListener('pointerdown', onPress, { signal, capture: true });
    window.addEventListener('resize', () => this.close(false), { signal });
    window.addEventListener('blur', () => this.close(false), { signal });
    this.element.addEventListener(
      'focusout',
      event => {
        if (event.relatedTarget !== null && isOutside(event.relatedTarget)) this.close(false);
      },
      { signal },
    );
    this.element.addEventListener('contextmenu', event => event.preventDefault(), { signal });
    this.element.addEventListener(
      'keydown',
      event => {
        // Keeps the page and VS Code from handling the keys of a popup, except the keys of the Command Palette.
        if (!isPaletteKey(event)) event.stopPropagation();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        this.close(true);
      },
      { signal },
    );
  }
}

function isPaletteKey({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return key === 'F1' || ((ctrlKey || metaKey) && shiftKey && key.toLowerCase() === 'p');
}

/** The focused element, inside its shadow root if it has one: the host element itself may not be focusable. */
function getFocusedElement(): Element | null {
  const focused = document.activeElement;
  return focused?.shadowRoot?.activeElement ?? focused;
}

const viewMargin = 4;

/** Returns the anchor of a submenu, to the right of a menu item or, without room there, to its left. */
function computeSubmenuAnchor(
  line: DOMRect,
  width: number,
  view: { readonly width: number },
): Pick<DOMRect, 'left' | 'top' | 'height'> {
  const { left, right, top } = line;
  const hasRoom = right + width <= view.width - viewMargin || left - width < viewMargin;
  return { left: hasRoom ? right : left - width, top, height: 0 };
}

/** Computes the position of a popup: below its anchor if it fits there, else above it, else where there is more room; never outside the view. */
export function computePopupPosition(
  anchor: Pick<DOMRect, 'left' | 'top' | 'height'>,
  popup: { readonly width: number; readonly height: number },
  view: { readonly width: number; readonly height: number },
): { readonly left: number; readonly top: number; readonly maxHeight: number } {
  const below = anchor.top + anchor.height;
  const roomBelow = view.height - viewMargin - below;
  const roomAbove = anchor.top - viewMargin;
  const isBelow = popup.height <= roomBelow || roomBelow >= roomAbove;
  const maxHeight = Math.max(0, isBelow ? roomBelow : roomAbove);
  const height = Math.min(popup.height, maxHeight);
  return {
    left: Math.max(viewMargin, Math.min(anchor.left, view.width - viewMargin - popup.width)),
    top: isBelow ? below : anchor.top - height,
    maxHeight,
  };
}

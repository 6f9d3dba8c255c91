import { element } from './gridDom.ts';

/** A box over the page, beside an anchor: closes on Escape, a press outside, and when the page loses the keyboard or changes its size. */
export class Popup {
  readonly element: HTMLElement;
  readonly #before = focusedNow();
  readonly #controller = new AbortController();
  readonly #lost: () => void;

  /** `lost`: what had the keyboard before is gone when the popup returns it. */
  constructor(className: string, role: string, label: string, lost: () => void = () => undefined) {
    this.#lost = lost;
    this.element = element(`popup ${className}`, role);
    this.element.setAttribute('aria-label', label);
  }

  /** Aborted when the popup closes. */
  get closed(): AbortSignal {
    return this.#controller.signal;
  }

  /** Shows the popup, whose contents are complete, below or above its anchor. `parent`: one that it is part of, and closes with; then it stands beside the anchor. */
  open(anchor: DOMRect, parent?: Popup): void {
    // A landmark, and the part of the page that belongs to the result.
    (parent?.element ?? document.querySelector('main') ?? document.body).append(this.element);
    const { offsetWidth: width, offsetHeight: height, style } = this.element;
    const view = { width: window.innerWidth, height: window.innerHeight };
    const { left, top, maxHeight } = popupPlace(
      parent ? besides(anchor, width, view) : anchor,
      { width, height },
      view,
    );
    style.left = `${left}px`;
    style.top = `${top}px`;
    style.maxHeight = `${maxHeight}px`;
    parent?.closed.addEventListener('abort', () => this.close(false));
    this.#listen();
  }

  /** Removes the popup; `returns` gives the keyboard back to what had it before. */
  close(returns: boolean): void {
    if (this.#controller.signal.aborted) return;
    this.#controller.abort();
    this.element.remove();
    if (!returns) return;
    if (this.#before instanceof HTMLElement) this.#before.focus({ preventScroll: true });
    // An element that is gone, or hidden, takes no keyboard.
    if (focusedNow() !== this.#before) this.#lost();
  }

  #listen(): void {
    const { signal } = this.#controller;
    const outside = (target: EventTarget | null) => !(target instanceof Node && this.element.contains(target));
    const pressed = (event: Event) => {
      if (outside(event.target)) this.close(false);
    };
    document.addEventListener('pointerdown', pressed, { signal, capture: true });
    window.addEventListener('resize', () => this.close(false), { signal });
    window.addEventListener('blur', () => this.close(false), { signal });
    this.element.addEventListener(
      'focusout',
      event => {
        if (event.relatedTarget !== null && outside(event.relatedTarget)) this.close(false);
      },
      { signal },
    );
    this.element.addEventListener('contextmenu', event => event.preventDefault(), { signal });
    this.element.addEventListener(
      'keydown',
      event => {
        // The page and VS Code must not handle the keys of a popup, but for those of the palette, which takes its place.
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

/** The focused element, inside its shadow root: the element around it may not be focusable. */
function focusedNow(): Element | null {
  const focused = document.activeElement;
  return focused?.shadowRoot?.activeElement ?? focused;
}

const margin = 4;

/** The anchor of a popup that stands to the right of a line, or to its left where there is no room. */
function besides(
  line: DOMRect,
  width: number,
  view: { readonly width: number },
): Pick<DOMRect, 'left' | 'top' | 'height'> {
  const { left, right, top } = line;
  const isRoom = right + width <= view.width - margin || left - width < margin;
  return { left: isRoom ? right : left - width, top, height: 0 };
}

/** Where a popup stands: below its anchor if it fits there, else above, else where there is most room; never outside the view. */
export function popupPlace(
  anchor: Pick<DOMRect, 'left' | 'top' | 'height'>,
  popup: { readonly width: number; readonly height: number },
  view: { readonly width: number; readonly height: number },
): { readonly left: number; readonly top: number; readonly maxHeight: number } {
  const below = anchor.top + anchor.height;
  const roomBelow = view.height - margin - below;
  const roomAbove = anchor.top - margin;
  const under = popup.height <= roomBelow || roomBelow >= roomAbove;
  const maxHeight = Math.max(0, under ? roomBelow : roomAbove);
  const height = Math.min(popup.height, maxHeight);
  return {
    left: Math.max(margin, Math.min(anchor.left, view.width - margin - popup.width)),
    top: under ? below : anchor.top - height,
    maxHeight,
  };
}

import { element } from './gridDom.ts';
import { popupPlace } from './popupPlace.ts';
import type { ScreenBox } from './popupPlace.ts';

/** How a popup is opened. */
export interface PopupOptions {
  /** Gives the keyboard back after Escape or a choice; to what had it before, if left out. */
  readonly returnFocus?: () => void;
  readonly closed?: () => void;
}

/** A box over the page, beside an anchor: closes on Escape, a press outside, and when the page loses the keyboard or changes its size. */
export class Popup {
  readonly element: HTMLElement;
  readonly #options: PopupOptions;
  readonly #before = focusedNow();
  readonly #controller = new AbortController();

  constructor(className: string, role: string, label: string, options: PopupOptions = {}) {
    this.element = element(`popup ${className}`, role);
    this.element.setAttribute('aria-label', label);
    this.#options = options;
  }

  /** Stands the popup, whose contents are complete, beside its anchor. */
  open(anchor: ScreenBox): void {
    // A landmark, and the part of the page that belongs to the result.
    (document.querySelector('main') ?? document.body).append(this.element);
    const { offsetWidth, offsetHeight, style } = this.element;
    const view = { width: window.innerWidth, height: window.innerHeight };
    const { left, top, maxHeight } = popupPlace(anchor, { width: offsetWidth, height: offsetHeight }, view);
    style.left = `${left}px`;
    style.top = `${top}px`;
    style.maxHeight = `${maxHeight}px`;
    this.#listen();
  }

  /** Takes the popup away; `returns` gives the keyboard back. */
  close(returns: boolean): void {
    if (this.#controller.signal.aborted) return;
    this.#controller.abort();
    this.element.remove();
    if (returns) this.#returnFocus();
    this.#options.closed?.();
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
        // Keys in a popup are nobody else's.
        event.stopPropagation();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        this.close(true);
      },
      { signal },
    );
  }

  #returnFocus(): void {
    if (this.#options.returnFocus) this.#options.returnFocus();
    else if (this.#before instanceof HTMLElement && this.#before.isConnected)
      this.#before.focus({ preventScroll: true });
  }
}

/** The element itself that has the keyboard: what stands around it may not be able to take it again. */
function focusedNow(): Element | null {
  const focused = document.activeElement;
  return focused?.shadowRoot?.activeElement ?? focused;
}

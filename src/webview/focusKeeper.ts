import { focusable } from './views/roving.ts';

/** The progress text. It takes the focus while the element that had it is disabled, because Enter does nothing there. */
const waitingLine = '.waiting p';

/** Selectors of the elements that get the focus by default, in order of priority: mostly the main element of the open tab. */
const defaultTargets = [
  '.message:not(.waiting) [data-action]',
  '[role=grid]',
  '.chart-plot',
  '.statistics input:checked',
  '.json',
  waitingLine,
  '[role=tab][aria-selected=true]',
] as const;

/** The first default target that can be focused now, or undefined while the page waits for the raw text. */
function defaultTarget(root: HTMLElement): HTMLElement | undefined {
  if (root.querySelector('.aside[aria-busy=true]')) return undefined;
  return (
    defaultTargets
      .map(selector => root.querySelector<HTMLElement>(selector))
      .find(target => target?.closest('[inert]') === null && target.checkVisibility()) ?? undefined
  );
}

const places = {
  grid: '[role=grid]',
  json: '.json',
  more: '.more-button',
  waiting: waitingLine,
  action: '[data-action]',
} as const;
const lastingPlaces = ['grid', 'json', 'more'] as const;

/**
 * Restores the focus after each render. A button that was removed gets the focus back when it is rendered again; until then the
 * progress text has it, or another element that can be focused. If nothing in the page has the focus when the user enters it, the default
 * target gets it. After a mouse click on an action nothing has the focus while the page waits, so that no other button looks pressed.
 * The focus is never taken from another editor.
 */
export class FocusKeeper {
  readonly #root: HTMLElement;
  readonly #focusGrid: (scrolling: 'reveal' | 'stay') => void;
  /** The name of the element that should have the focus: a `data-action` or a key of `focusTargets`. */
  #wanted: string | undefined;
  /** Whether the page itself is moving the focus, so that focus events are no choice of the user. */
  #moving = false;
  /** Whether nothing in the page has had the focus since the user entered it. */
  #arriving = true;
  /** Whether the last input was a mouse click on an action. */
  #clicked = false;

  constructor(root: HTMLElement, focusGrid: (scrolling: 'reveal' | 'stay') => void) {
    this.#root = root;
    this.#focusGrid = focusGrid;
    root.addEventListener('focusin', event => this.#focused(event));
    root.addEventListener('focusout', event => this.#blurred(event));
    document.addEventListener('pointerdown', ({ target }) => (this.#clicked = isAction(target)), { capture: true });
    document.addEventListener('keydown', () => (this.#clicked = false), { capture: true });
    window.addEventListener('blur', () => (this.#clicked = false));
    // Deferred, because the click that focused the window may focus an element itself.
    window.addEventListener('focus', () => setTimeout(() => this.#arrive()));
  }

  /** Renders and then restores the focus. */
  around(render: () => void): void {
    const wasLost = isLost();
    this.#moving = true;
    try {
      render();
    } finally {
      this.#moving = false;
    }
    // The render removed the focused element. If it cannot be restored, the default target gets the focus.
    if (isLost() && !wasLost) this.#arriving = true;
    this.#restore();
  }

  /** Moves the keyboard focus to the main element of the open tab. */
  focusContent(): void {
    const target = defaultTarget(this.#root);
    if (target) this.#give(target);
  }

  #arrive(): void {
    this.#arriving = true;
    this.#restore();
  }

  #restore(): void {
    const target = this.#targetNow();
    if (target) void this.#focus(target);
  }

  /** The element that should be focused but is not; undefined if the focus is right. */
  #targetNow(): HTMLElement | undefined {
    if (!document.hasFocus() || (this.#clicked && this.#find('waiting'))) return undefined;
    const focused = document.activeElement;
    const lost = isLost();
    if (this.#wanted === undefined) return lost && this.#arriving ? defaultTarget(this.#root) : undefined;
    const wanted = this.#find(this.#wanted);
    // The same action of the header line counts too: it may also be in the toolbar.
    if (focused?.closest('.bar') && focused instanceof HTMLElement && nameOf(focused) === this.#wanted)
      return undefined;
    if (wanted) return wanted.contains(focused) || isCancel(focused) ? undefined : wanted;
    const others = ['waiting', 'action', 'grid', 'json'];
    return lost ? (others.map(name => this.#find(name)).find(place => place !== null) ?? undefined) : undefined;
  }

  async #focus(target: HTMLElement & { readonly updateComplete?: Promise<unknown> }): Promise<void> {
    // A custom element can be focused only after it has rendered.
    await target.updateComplete;
    if (this.#targetNow() === target) this.#give(target);
  }

  #give(target: HTMLElement): void {
    this.#moving = true;
    // The grid must not scroll when the user returns to the page.
    if (target.getAttribute('role') === 'grid') this.#focusGrid(this.#wanted === undefined ? 'stay' : 'reveal');
    else focusable(target).focus({ preventScroll: true });
    this.#moving = false;
    this.#arriving = isLost();
    this.#wanted ??= nameOf(target);
  }

  #find(name: string): HTMLElement | null {
    const selector = name in places ? places[name as keyof typeof places] : `[data-action="${name}"]`;
    // The button of a message takes precedence over the same action in the toolbar.
    const found = [`.message ${selector}`, selector].flatMap(each => [
      ...this.#root.querySelectorAll<HTMLElement>(each),
    ]);
    return found.find(place => place.closest('[inert]') === null) ?? null;
  }

  #focused(event: FocusEvent): void {
    if (this.#moving || !(event.target instanceof HTMLElement)) return;
    this.#arriving = false;
    // Cancel disappears when the response arrives; the focus then returns to the element that started the request.
    if (isCancel(event.target)) return;
    this.#wanted = nameOf(event.target);
  }

  #blurred(event: FocusEvent): void {
    if (this.#moving || event.relatedTarget !== null || !(event.target instanceof HTMLElement)) return;
    // The page removed the element, or another window has the focus: the user did not leave the element.
    if (!event.target.isConnected || event.target.closest('[inert]') || !document.hasFocus()) return;
    this.#wanted = undefined;
  }
}

/** The name of an element that is restored after a render; undefined for any other element. */
function nameOf(place: HTMLElement): string | undefined {
  return place.dataset['action'] ?? lastingPlaces.find(name => place.closest(places[name]));
}

/** Whether a click on the element starts an action. */
function isAction(place: EventTarget | null): boolean {
  return place instanceof Element && place.closest(`${places.action}, [role^=menuitem]`) !== null;
}

/** Whether the element is the button that cancels the request. */
function isCancel(place: Element | null): boolean {
  return place?.closest('.waiting [data-action]') != null;
}

function isLost(): boolean {
  const focused = document.activeElement;
  return !focused || focused === document.body || focused.closest('[inert]') !== null;
}

import { focusable } from './views/roving.ts';

/** The text on what the page waits for. It has the focus while the element that had it is disabled: Enter does nothing there. */
const waitingLine = '.waiting p';

/** What gets the focus by default, the likeliest first: the main element of the open tab. */
const defaultTargets = [
  '.message:not(.waiting) [data-action]',
  '[role=grid]',
  '.chart-plot',
  '.statistics input:checked',
  '.json',
  waitingLine,
  '[role=tab][aria-selected=true]',
] as const;

/** The first default target that can be focused now; none while the page waits for the raw text. */
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
 * Keeps the focus where the person left it while the page is rendered anew: a button that is shown again gets it back, and until
 * then the text on what the page waits for, or the nearest element that can be focused. Where nothing in the page has the focus
 * when a person comes to it, the default target gets it. After a click on an action with the mouse, nothing has it while the page
 * waits, so that nothing else looks pressed. The focus is never taken from another editor.
 */
export class FocusKeeper {
  readonly #root: HTMLElement;
  readonly #focusGrid: (scrolling: 'reveal' | 'stay') => void;
  /** What should have the focus: a `data-action` or one of `places`. */
  #wanted: string | undefined;
  /** The page itself moves the focus: that is no choice of the person. */
  #moving = false;
  /** The person has come to the page and nothing in it has had the focus since. */
  #arriving = true;
  /** The last input was a click on an action with the mouse. */
  #clicked = false;

  constructor(root: HTMLElement, focusGrid: (scrolling: 'reveal' | 'stay') => void) {
    this.#root = root;
    this.#focusGrid = focusGrid;
    root.addEventListener('focusin', event => this.#focused(event));
    root.addEventListener('focusout', event => this.#blurred(event));
    document.addEventListener('pointerdown', ({ target }) => (this.#clicked = isAction(target)), { capture: true });
    document.addEventListener('keydown', () => (this.#clicked = false), { capture: true });
    window.addEventListener('blur', () => (this.#clicked = false));
    // After the press that gave the window the focus: it may focus an element itself.
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
    // The render has removed a focused element that is not one of `places`: as if the person had just come.
    if (isLost() && !wasLost) this.#arriving = true;
    this.#restore();
  }

  /** Gives the keyboard to the main element of the open tab. */
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

  /** What should be focused and is not; undefined where the focus is right. */
  #targetNow(): HTMLElement | undefined {
    if (!document.hasFocus() || (this.#clicked && this.#find('waiting'))) return undefined;
    const focused = document.activeElement;
    const lost = isLost();
    if (this.#wanted === undefined) return lost && this.#arriving ? defaultTarget(this.#root) : undefined;
    const wanted = this.#find(this.#wanted);
    // The header line may have the same action as the toolbar.
    if (focused?.closest('.bar') && focused instanceof HTMLElement && nameOf(focused) === this.#wanted)
      return undefined;
    if (wanted) return wanted.contains(focused) || isCancel(focused) ? undefined : wanted;
    const others = ['waiting', 'action', 'grid', 'json'];
    return lost ? (others.map(name => this.#find(name)).find(place => place !== null) ?? undefined) : undefined;
  }

  async #focus(target: HTMLElement & { readonly updateComplete?: Promise<unknown> }): Promise<void> {
    // A new button can be focused only after it has rendered.
    await target.updateComplete;
    if (this.#targetNow() === target) this.#give(target);
  }

  #give(target: HTMLElement): void {
    this.#moving = true;
    // A person who comes back finds the view as it was left.
    if (target.getAttribute('role') === 'grid') this.#focusGrid(this.#wanted === undefined ? 'stay' : 'reveal');
    else focusable(target).focus({ preventScroll: true });
    this.#moving = false;
    this.#arriving = isLost();
    this.#wanted ??= nameOf(target);
  }

  #find(name: string): HTMLElement | null {
    const selector = name in places ? places[name as keyof typeof places] : `[data-action="${name}"]`;
    // The button of a message comes before the same one of the toolbar.
    const found = [`.message ${selector}`, selector].flatMap(each => [
      ...this.#root.querySelectorAll<HTMLElement>(each),
    ]);
    return found.find(place => place.closest('[inert]') === null) ?? null;
  }

  #focused(event: FocusEvent): void {
    if (this.#moving || !(event.target instanceof HTMLElement)) return;
    this.#arriving = false;
    // It is hidden when the answer comes: the focus returns to the element that started the request.
    if (isCancel(event.target)) return;
    this.#wanted = nameOf(event.target);
  }

  #blurred(event: FocusEvent): void {
    if (this.#moving || event.relatedTarget !== null || !(event.target instanceof HTMLElement)) return;
    // Removed by the page, or another window has the focus: no choice of the person.
    if (!event.target.isConnected || event.target.closest('[inert]') || !document.hasFocus()) return;
    this.#wanted = undefined;
  }
}

/** The action or place of an element; undefined for one that a render may not bring back. */
function nameOf(place: HTMLElement): string | undefined {
  return place.dataset['action'] ?? lastingPlaces.find(name => place.closest(places[name]));
}

/** Whether a click on it starts an action. */
function isAction(place: EventTarget | null): boolean {
  return place instanceof Element && place.closest(`${places.action}, [role^=menuitem]`) !== null;
}

/** Whether it is the button that cancels the request. */
function isCancel(place: Element | null): boolean {
  return place?.closest('.waiting [data-action]') != null;
}

function isLost(): boolean {
  const focused = document.activeElement;
  return !focused || focused === document.body || focused.closest('[inert]') !== null;
}

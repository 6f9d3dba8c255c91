/** The sentence on what is waited for. The keyboard is there while what had it is out of reach: a second press does nothing. */
const waitingLine = '.waiting p';

/** What has the keyboard where nothing else is wanted, the likeliest first: what the open tab is about. */
const homes = [
  '.message:not(.waiting) [data-action]',
  '[role=grid]',
  '.chart-plot',
  '.statistics input:checked',
  '.json',
  waitingLine,
  '[role=tab][aria-selected=true]',
] as const;

/** The first of the page's own places for the keyboard that can take it now; none while the page waits for the raw text. */
function focusHome(root: HTMLElement): HTMLElement | undefined {
  if (root.querySelector('.aside[aria-busy=true]')) return undefined;
  return (
    homes
      .map(selector => root.querySelector<HTMLElement>(selector))
      .find(home => home?.closest('[inert]') === null && home.checkVisibility()) ?? undefined
  );
}

const places = {
  grid: '[role=grid]',
  json: '.json',
  more: '.more-button',
  waiting: waitingLine,
  action: '[data-action]',
} as const;
const lasting = ['grid', 'json', 'more'] as const;

/**
 * Keeps the keyboard where the person left it while the page changes under it: a button that comes back gets it back,
 * and until then the sentence on what is waited for, or the nearest thing that can take it. Whoever comes to the page with the keyboard and finds it nowhere gets
 * it where the page is used. Who pressed an action with the mouse has it nowhere while that is waited for: nothing else is to
 * look pressed. Nothing is taken from another editor.
 */
export class FocusKeeper {
  readonly #root: HTMLElement;
  readonly #takeGrid: (scrolling: 'reveal' | 'stay') => void;
  /** A `data-action` or one of `places`. */
  #wanted: string | undefined;
  /** The page itself moves the focus: that says nothing about what the person wants. */
  #moving = false;
  /** The person has come to the page and nothing in it has had the keyboard since. */
  #arriving = true;
  /** The last thing done here was to press an action with the mouse. */
  #clicked = false;

  constructor(root: HTMLElement, takeGrid: (scrolling: 'reveal' | 'stay') => void) {
    this.#root = root;
    this.#takeGrid = takeGrid;
    root.addEventListener('focusin', event => this.#came(event));
    root.addEventListener('focusout', event => this.#left(event));
    document.addEventListener('pointerdown', ({ target }) => (this.#clicked = isAction(target)), { capture: true });
    document.addEventListener('keydown', () => (this.#clicked = false), { capture: true });
    window.addEventListener('blur', () => (this.#clicked = false));
    // The press that brings a person here decides first where the keyboard goes.
    window.addEventListener('focus', () => setTimeout(() => this.#arrive()));
  }

  /** Runs a change of the page and then mends the focus. */
  around(render: () => void): void {
    const wasLost = isLost();
    this.#moving = true;
    try {
      render();
    } finally {
      this.#moving = false;
    }
    // Taken away by the page from a place without a name: as if the person had just come.
    if (isLost() && !wasLost) this.#arriving = true;
    this.#mend();
  }

  #arrive(): void {
    this.#arriving = true;
    this.#mend();
  }

  #mend(): void {
    const target = this.#targetNow();
    if (target) void this.#give(target);
  }

  /** What should have the keyboard and has not; undefined where all is well. */
  #targetNow(): HTMLElement | undefined {
    if (!document.hasFocus() || (this.#clicked && this.#find('waiting'))) return undefined;
    const focused = document.activeElement;
    const lost = isLost();
    if (this.#wanted === undefined) return lost && this.#arriving ? focusHome(this.#root) : undefined;
    const wanted = this.#find(this.#wanted);
    if (wanted) return wanted.contains(focused) || isStopping(focused) ? undefined : wanted;
    const others = ['waiting', 'action', 'grid', 'json'];
    return lost ? (others.map(name => this.#find(name)).find(place => place !== null) ?? undefined) : undefined;
  }

  async #give(target: HTMLElement & { readonly updateComplete?: Promise<unknown> }): Promise<void> {
    // A new button can take the keyboard only after it has drawn itself.
    await target.updateComplete;
    if (this.#targetNow() !== target) return;
    this.#moving = true;
    // Whoever comes back finds the view as it was left.
    if (target.getAttribute('role') === 'grid') this.#takeGrid(this.#wanted === undefined ? 'stay' : 'reveal');
    else (target.shadowRoot?.querySelector('button') ?? target).focus({ preventScroll: true });
    this.#moving = false;
    this.#arriving = isLost();
    this.#wanted ??= nameOf(target);
  }

  #find(name: string): HTMLElement | null {
    const selector = isPlace(name) ? places[name] : `[data-action="${name}"]`;
    // A sentence offers what helps with it; the toolbar over it offers what is always there.
    const found = [`.message ${selector}`, selector].flatMap(one => [...this.#root.querySelectorAll<HTMLElement>(one)]);
    return found.find(place => place.closest('[inert]') === null) ?? null;
  }

  #came(event: FocusEvent): void {
    if (this.#moving || !(event.target instanceof HTMLElement)) return;
    this.#arriving = false;
    // It goes with the waiting: the answer gives the keyboard back to what it was asked with.
    if (isStopping(event.target)) return;
    this.#wanted = nameOf(event.target);
  }

  #left(event: FocusEvent): void {
    if (this.#moving || event.relatedTarget !== null || !(event.target instanceof HTMLElement)) return;
    // Taken away by the page, or lent to another window: no change of mind.
    if (!event.target.isConnected || event.target.closest('[inert]') || !document.hasFocus()) return;
    this.#wanted = undefined;
  }
}

/** What the keeper calls a place; undefined where it is not one that comes back. */
function nameOf(place: HTMLElement): string | undefined {
  return place.dataset['action'] ?? lasting.find(name => place.closest(places[name]));
}

/** Whether it asks for something to be done: what is waited for then began with it. */
function isAction(place: EventTarget | null): boolean {
  return place instanceof Element && place.closest(`${places.action}, [role^=menuitem]`) !== null;
}

/** The way to stop what is waited for. */
function isStopping(place: Element | null): boolean {
  return place?.closest('.waiting [data-action]') != null;
}

function isPlace(name: string): name is keyof typeof places {
  return Object.hasOwn(places, name);
}

function isLost(): boolean {
  const focused = document.activeElement;
  return !focused || focused === document.body || focused.closest('[inert]') !== null;
}

import { focusable } from './views/roving.ts';

/** The progress text. It takes the focus while the element that had it is disabled, because Enter does nothing there. */
const progressSelector = '.waiting p';

/** Selectors of the elements that get the focus by default, in order of priority: mostly the main element of the open tab. */
const defaultTargets = [
  '.message:not(.waiting) [data-action]',
  '[role=grid]',
  '.chart-plot',
  '.statistics input:checked',
  '.json',
  progressSelector,
  '[role=tab][aria-selected=true]',
] as const;

/** The first default target that can be focused now, or undefined while the page waits for the raw text. */
function findDefaultTarget(root: HTMLElement): HTMLElement | undefined {
  if (root.querySelector('.aside[aria-busy=true]')) return undefined;
  return (
    defaultTargets
      .map(selector => root.querySelector<HTMLElement>(selector))
      .find(target => target?.closest('[inert]') === null && target.checkVisibility()) ?? undefined
  );
}

const focusTargets = {
  grid: '[role=grid]',
  json: '.json',
  more: '.more-button',
  waiting: progressSelector,
  action: '[data-action]',
} as const;
const persistentTargets = ['grid', 'json', 'more'] as const;

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
  #targetName: string | undefined;
  /** Whether the page itself is moving the focus, so that focus events do not come from the user. */
  #isMovingFocus = false;
  /** Whether nothing in the page has had the focus since the user entered it. */
  #hasEntered = true;
  /** Whether the last input was a mouse click on an action. */
  #hasClickedAction = false;

  constructor(root: HTMLElement, focusGrid: (scrolling: 'reveal' | 'stay') => void) {
    this.#root = root;
    this.#focusGrid = focusGrid;
    root.addEventListener('focusin', event => this.#onFocusIn(event));
    root.addEventListener('focusout', event => this.#onFocusOut(event));
    document.addEventListener('pointerdown', ({ target }) => (this.#hasClickedAction = isAction(target)), {
      capture: true,
    });
    document.addEventListener('keydown', () => (this.#hasClickedAction = false), { capture: true });
    window.addEventListener('blur', () => (this.#hasClickedAction = false));
    // Deferred, because the click that focused the window may focus an element itself.
    window.addEventListener('focus', () => setTimeout(() => this.#onEnter()));
  }

  /** Renders and then restores the focus. */
  preserveFocus(render: () => void): void {
    const wasFocusLost = isFocusLost();
    this.#isMovingFocus = true;
    try {
      render();
    } finally {
      this.#isMovingFocus = false;
    }
    // The render removed the focused element. If it cannot be restored, the default target gets the focus.
    if (isFocusLost() && !wasFocusLost) this.#hasEntered = true;
    this.#restore();
  }

  /** Moves the keyboard focus to the main element of the open tab. */
  focusContent(): void {
    const target = findDefaultTarget(this.#root);
    if (target) this.#moveFocus(target);
  }

  #onEnter(): void {
    this.#hasEntered = true;
    this.#restore();
  }

  #restore(): void {
    const target = this.#findTarget();
    if (target) void this.#focus(target);
  }

  /** The element that should be focused but is not; undefined if the focus is right. */
  #findTarget(): HTMLElement | undefined {
    if (!document.hasFocus() || (this.#hasClickedAction && this.#find('waiting'))) return undefined;
    const focused = document.activeElement;
    const isLost = isFocusLost();
    if (this.#targetName === undefined) return isLost && this.#hasEntered ? findDefaultTarget(this.#root) : undefined;
    const target = this.#find(this.#targetName);
    // The same action of the header line counts too: it may also be in the toolbar.
    if (focused?.closest('.bar') && focused instanceof HTMLElement && findTargetName(focused) === this.#targetName)
      return undefined;
    if (target) return target.contains(focused) || isCancel(focused) ? undefined : target;
    const fallbacks = ['waiting', 'action', 'grid', 'json'];
    return isLost
      ? (fallbacks.map(name => this.#find(name)).find(element => element !== null) ?? undefined)
      : undefined;
  }

  async #focus(target: HTMLElement & { readonly updateComplete?: Promise<unknown> }): Promise<void> {
    // A custom element can be focused only after it has rendered.
    await target.updateComplete;
    if (this.#findTarget() === target) this.#moveFocus(target);
  }

  #moveFocus(target: HTMLElement): void {
    this.#isMovingFocus = true;
    // The grid must not scroll when the user returns to the page.
    if (target.getAttribute('role') === 'grid') this.#focusGrid(this.#targetName === undefined ? 'stay' : 'reveal');
    else focusable(target).focus({ preventScroll: true });
    this.#isMovingFocus = false;
    this.#hasEntered = isFocusLost();
    this.#targetName ??= findTargetName(target);
  }

  #find(name: string): HTMLElement | null {
    const selector = name in focusTargets ? focusTargets[name as keyof typeof focusTargets] : `[data-action="${name}"]`;
    // The button of a message takes precedence over the same action in the toolbar.
    const candidates = [`.message ${selector}`, selector].flatMap(scopedSelector => [
      ...this.#root.querySelectorAll<HTMLElement>(scopedSelector),
    ]);
    return candidates.find(element => element.closest('[inert]') === null) ?? null;
  }

  #onFocusIn(event: FocusEvent): void {
    if (this.#isMovingFocus || !(event.target instanceof HTMLElement)) return;
    this.#hasEntered = false;
    // Cancel disappears when the response arrives; the focus then returns to the element that started the request.
    if (isCancel(event.target)) return;
    this.#targetName = findTargetName(event.target);
  }

  #onFocusOut(event: FocusEvent): void {
    if (this.#isMovingFocus || event.relatedTarget !== null || !(event.target instanceof HTMLElement)) return;
    // The page removed the element, or another window has the focus: the user did not leave the element.
    if (!event.target.isConnected || event.target.closest('[inert]') || !document.hasFocus()) return;
    this.#targetName = undefined;
  }
}

/** The name of an element that is restored after a render; undefined for any other element. */
function findTargetName(element: HTMLElement): string | undefined {
  return element.dataset['action'] ?? persistentTargets.find(name => element.closest(focusTargets[name]));
}

/** Whether a click on the element starts an action. */
function isAction(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`${focusTargets.action}, [role^=menuitem]`) !== null;
}

/** Whether the element is the button that cancels the request. */
function isCancel(element: Element | null): boolean {
  return element?.closest('.waiting [data-action]') != null;
}

function isFocusLost(): boolean {
  const focused = document.activeElement;
  return !focused || focused === document.body || focused.closest('[inert]') !== null;
}

/** Text fields and lists are not among them: these have uses of their own for the arrow keys, and stay tab stops. */
const controls = 'button, vscode-button, vscode-toolbar-button, input[type=checkbox]';

/** The groups, and which control of each is the tab stop. */
const stops = new WeakMap<Element, HTMLElement | undefined>();

/**
 * Makes the buttons and check boxes in an element one tab stop, within which the arrow keys, Home and End move (ARIA Authoring
 * Practices, toolbar and tabs). The stop is the open tab, or else the control that was focused last. A group within a group has a
 * stop of its own. Given to Lit as `ref(rove)`.
 */
export function rove(group: Element | undefined): void {
  if (!(group instanceof HTMLElement) || stops.has(group)) return;
  stops.set(group, undefined);
  let last: Control | undefined;
  let hasFocus = false;
  const items = (): readonly Control[] =>
    [...group.querySelectorAll<Control>(controls)].filter(item => groupOf(item) === group);
  const settle = (): void => {
    const all = items();
    const before = last && all.slice(0, all.indexOf(last) + 1).findLast(isUsable);
    const stop = all.find(({ ariaSelected }) => ariaSelected === 'true') ?? before ?? all.find(isUsable);
    stops.set(group, stop);
    for (const item of all) focusable(item).tabIndex = item === stop ? 0 : -1;
    // A button that its own click has disabled leaves the keyboard nowhere.
    if (hasFocus && last?.isConnected && !isUsable(last)) focusIn(group);
  };
  const settleWhenRendered = (): void =>
    void Promise.all(items().map(async ({ updateComplete }) => updateComplete)).then(settle);
  group.addEventListener('focusin', ({ target }) => {
    const item = items().find(one => one === target);
    hasFocus = item !== undefined;
    last = item ?? last;
    settle();
  });
  group.addEventListener('focusout', () => (hasFocus = last !== undefined && !isUsable(last)));
  group.addEventListener('keydown', event => {
    const usable = items().filter(isUsable);
    const index = usable.findIndex(item => item === event.target);
    if (index < 0 || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const end = usable.length - 1;
    const [previous, next] = [index === 0 ? end : index - 1, index === end ? 0 : index + 1];
    const to = { ArrowRight: next, ArrowDown: next, ArrowLeft: previous, ArrowUp: previous, Home: 0, End: end }[
      event.key
    ];
    const target = usable[to ?? -1];
    if (!target) return;
    event.preventDefault();
    focusable(target).focus();
    if (target.role === 'tab') target.click();
  });
  const attributeFilter = ['aria-selected', 'class', 'disabled', 'hidden', 'inert'];
  new MutationObserver(settleWhenRendered).observe(group, { subtree: true, childList: true, attributeFilter });
  // Where there is less room, the style sheet hides buttons.
  new ResizeObserver(settle).observe(group);
  // What is in the group is rendered by then.
  queueMicrotask(settleWhenRendered);
}

/** Gives the keyboard to a part of the page: to the tab stop of its group, or to the first element that is one. Returns whether it could. */
export function focusIn(part: HTMLElement): boolean {
  const stop = stops.get(part) ?? [part, ...part.querySelectorAll<HTMLElement>('*')].find(isTabStop);
  if (stop) focusable(stop).focus();
  return stop !== undefined;
}

type Control = HTMLElement & { readonly updateComplete?: Promise<unknown> };

function groupOf(item: Element): Element | undefined {
  let group = item.parentElement;
  while (group && !stops.has(group)) group = group.parentElement;
  return group ?? undefined;
}

/** Whether the arrow keys may go there. Dropped parts of the header line are out of sight. */
function isUsable(item: HTMLElement): boolean {
  return item.checkVisibility() && !item.matches('[disabled], [inert], .dropped *');
}

function isTabStop(element: HTMLElement): boolean {
  return element.getAttribute('tabindex') === '0' && element.checkVisibility();
}

/** The element that takes the focus: the button of a toolbar button is in its shadow tree. */
export function focusable(item: HTMLElement): HTMLElement {
  return item.shadowRoot?.querySelector('button') ?? item;
}

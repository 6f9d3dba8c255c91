/** The controls of a group. Text fields and lists are excluded: they handle the arrow keys themselves and stay tab stops. */
const controlSelector = 'button, vscode-button, vscode-toolbar-button, input[type=checkbox]';

/** The control that is the tab stop of each group. */
const tabStops = new WeakMap<Element, HTMLElement | undefined>();

/**
 * Makes the buttons and check boxes in an element a single tab stop, in which the arrow keys, Home and End move the focus (roving
 * tabindex of the ARIA Authoring Practices). The stop is the open tab, or else the control that was focused last. A nested group has
 * a separate stop. Used in Lit templates as `ref(rove)`.
 */
export function rove(group: Element | undefined): void {
  if (!(group instanceof HTMLElement) || tabStops.has(group)) return;
  tabStops.set(group, undefined);
  let lastFocused: Control | undefined;
  let hasFocus = false;
  const listControls = (): readonly Control[] =>
    [...group.querySelectorAll<Control>(controlSelector)].filter(item => findGroup(item) === group);
  const updateTabStop = (): void => {
    const groupControls = listControls();
    const previousControl =
      lastFocused && groupControls.slice(0, groupControls.indexOf(lastFocused) + 1).findLast(isUsable);
    const stop =
      groupControls.find(({ ariaSelected }) => ariaSelected === 'true') ??
      previousControl ??
      groupControls.find(isUsable);
    tabStops.set(group, stop);
    for (const item of groupControls) focusable(item).tabIndex = item === stop ? 0 : -1;
    // A button loses the focus if its click disables it.
    if (hasFocus && lastFocused?.isConnected && !isUsable(lastFocused)) focusIn(group);
  };
  const updateWhenRendered = (): void =>
    void Promise.all(listControls().map(async ({ updateComplete }) => updateComplete)).then(updateTabStop);
  group.addEventListener('focusin', ({ target }) => {
    const item = listControls().find(candidate => candidate === target);
    hasFocus = item !== undefined;
    lastFocused = item ?? lastFocused;
    updateTabStop();
  });
  group.addEventListener('focusout', () => (hasFocus = lastFocused !== undefined && !isUsable(lastFocused)));
  group.addEventListener('keydown', event => {
    const usableControls = listControls().filter(isUsable);
    const index = usableControls.findIndex(item => item === event.target);
    if (index < 0 || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const end = usableControls.length - 1;
    const previous = index === 0 ? end : index - 1;
    const next = index === end ? 0 : index + 1;
    const targetIndex = {
      ArrowRight: next,
      ArrowDown: next,
      ArrowLeft: previous,
      ArrowUp: previous,
      Home: 0,
      End: end,
    }[event.key];
    const target = usableControls[targetIndex ?? -1];
    if (!target) return;
    event.preventDefault();
    focusable(target).focus();
    if (target.role === 'tab') target.click();
  });
  const attributeFilter = ['aria-selected', 'class', 'disabled', 'hidden', 'inert'];
  new MutationObserver(updateWhenRendered).observe(group, { subtree: true, childList: true, attributeFilter });
  // The stylesheet hides buttons in a narrow page.
  new ResizeObserver(updateTabStop).observe(group);
  // Deferred, because the content of the group is not rendered yet.
  queueMicrotask(updateWhenRendered);
}

/** Moves the focus into a part of the page: to the tab stop of its group, or to the first tab stop in it. Returns whether there is one. */
export function focusIn(part: HTMLElement): boolean {
  const stop = tabStops.get(part) ?? [part, ...part.querySelectorAll<HTMLElement>('*')].find(isTabStop);
  if (stop) focusable(stop).focus();
  return stop !== undefined;
}

type Control = HTMLElement & { readonly updateComplete?: Promise<unknown> };

function findGroup(item: Element): Element | undefined {
  let group = item.parentElement;
  while (group && !tabStops.has(group)) group = group.parentElement;
  return group ?? undefined;
}

/** Whether the arrow keys can focus a control. Hidden parts of the header line are skipped. */
function isUsable(item: HTMLElement): boolean {
  return item.checkVisibility() && !item.matches('[disabled], [inert], .dropped *');
}

function isTabStop(element: HTMLElement): boolean {
  return element.getAttribute('tabindex') === '0' && element.checkVisibility();
}

/** Returns the element that can be focused, which for a toolbar button is in its shadow tree. */
export function focusable(item: HTMLElement): HTMLElement {
  return item.shadowRoot?.querySelector('button') ?? item;
}

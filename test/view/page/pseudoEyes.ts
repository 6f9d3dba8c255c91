import { hasUnmarked } from '../../l10n/unmarked.ts';

const attributes = ['title', 'aria-label', 'aria-description', 'aria-valuetext', 'placeholder', 'alt', 'label'];
const silent: ReadonlySet<string> = new Set(['STYLE', 'SCRIPT', 'TITLE']);

/** Texts, tooltips and labels that did not go through the translation; `known` are the host's words and the data. */
export function unmarked(known: readonly string[]): string[] {
  const found = new Set<string>();
  for (const element of allElements(document.body)) {
    for (const text of textsOf(element)) if (hasUnmarked(text, known)) found.add(`${nameOf(element)}: ${text.trim()}`);
  }
  return [...found];
}

/** Texts of which a part is out of sight with no way to see it. */
export function cutOff(): string[] {
  const found = new Set<string>();
  for (const element of allElements(document.body)) {
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.textContent?.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const cut = cutBy(element, range.getBoundingClientRect());
      if (cut) found.add(`${nameOf(element)} “${node.textContent.trim()}” by ${cut}`);
    }
  }
  return [...found];
}

/** What is drawn and what is only said, also inside of elements with a tree of their own. */
function* allElements(root: Element | ShadowRoot): Generator<Element> {
  for (const element of root.querySelectorAll('*')) {
    if (silent.has(element.tagName)) continue;
    yield element;
    if (element.shadowRoot) yield* allElements(element.shadowRoot);
  }
}

function textsOf(element: Element): string[] {
  const own = [...element.childNodes].flatMap(node =>
    node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : [],
  );
  return [...own, ...attributes.map(name => element.getAttribute(name) ?? '')].filter(text => text.trim() !== '');
}

/** What takes a part of a text out of sight, for good: neither scrolling nor a tooltip brings it back. */
function cutBy(element: Element, text: DOMRect): string | undefined {
  if (text.width === 0 || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    return undefined;
  let [across, down] = [true, true];
  for (let outer: Element | null = element; outer && outer !== document.body; outer = parentOf(outer)) {
    const style = getComputedStyle(outer);
    const box = outer.getBoundingClientRect();
    const isInline = style.display === 'inline' || style.display === 'contents';
    if (isInline) continue;
    // For screen readers only.
    if (style.clipPath === 'inset(50%)') return undefined;
    if (style.overflowX === 'auto' || style.overflowX === 'scroll') across = false;
    if (style.overflowY === 'auto' || style.overflowY === 'scroll') down = false;
    const sides = across && style.overflowX !== 'visible' && (text.left < box.left - 1 || text.right > box.right + 1);
    const ends = down && style.overflowY !== 'visible' && (text.top < box.top - 2 || text.bottom > box.bottom + 2);
    // As the unit of a narrow header.
    const isLeftOut = text.top >= box.bottom - 2;
    if (sides || ends)
      return (isLeftOut || style.textOverflow === 'ellipsis') && hasTooltip(element) ? undefined : nameOf(outer);
    // Cells lie in layers that are moved under the scroller's edge.
    if (style.position === 'fixed' || outer.matches('[role=gridcell], [role=columnheader]')) return undefined;
  }
  return across && text.right > window.innerWidth + 1 ? 'the window' : undefined;
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/** A cell gets its own with the pointer or the focus. */
function hasTooltip(element: Element): boolean {
  if (element.closest('[role=gridcell]')) return true;
  for (let outer: Element | null = element; outer; outer = parentOf(outer))
    if (outer.getAttribute('title')) return true;
  return false;
}

function nameOf(element: Element): string {
  const classes = [...element.classList].map(name => `.${name}`).join('');
  return `${element.tagName.toLowerCase()}${classes}`;
}

import { hasUnmarked } from '../../l10n/unmarked.ts';

const attributes = ['title', 'aria-label', 'aria-description', 'aria-valuetext', 'placeholder', 'alt', 'label'];
const ignoredTags: ReadonlySet<string> = new Set(['STYLE', 'SCRIPT', 'TITLE']);

/** Lists texts, tooltips and labels that are not translated. `known` has the texts that come from the host and the data. */
export function listUntranslatedTexts(known: readonly string[]): string[] {
  const descriptions = new Set<string>();
  for (const element of iterateElements(document.body)) {
    for (const text of listTexts(element))
      if (hasUnmarked(text, known)) descriptions.add(`${describeElement(element)}: ${text.trim()}`);
  }
  return [...descriptions];
}

/** Lists texts that are partly cut off, unless scrolling or a tooltip shows the whole text. */
export function listCutOffTexts(): string[] {
  const descriptions = new Set<string>();
  for (const element of iterateElements(document.body)) {
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.textContent?.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const clippingElement = findClippingElement(element, range.getBoundingClientRect());
      if (clippingElement)
        descriptions.add(`${describeElement(element)} “${node.textContent.trim()}” by ${clippingElement}`);
    }
  }
  return [...descriptions];
}

/** Iterates over all elements that may have text, including those for screen readers and those in shadow trees. */
function* iterateElements(root: Element | ShadowRoot): Generator<Element> {
  for (const element of root.querySelectorAll('*')) {
    if (ignoredTags.has(element.tagName)) continue;
    yield element;
    if (element.shadowRoot) yield* iterateElements(element.shadowRoot);
  }
}

function listTexts(element: Element): string[] {
  const textNodes = [...element.childNodes].flatMap(node =>
    node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : [],
  );
  return [...textNodes, ...attributes.map(name => element.getAttribute(name) ?? '')].filter(text => text.trim() !== '');
}

/** Returns the element that cuts off a part of a text, unless scrolling or a tooltip shows it. */
function findClippingElement(element: Element, text: DOMRect): string | undefined {
  if (text.width === 0 || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    return undefined;
  let checksHorizontally = true;
  let checksVertically = true;
  for (
    let ancestor: Element | null = element;
    ancestor && ancestor !== document.body;
    ancestor = findParent(ancestor)
  ) {
    const style = getComputedStyle(ancestor);
    const box = ancestor.getBoundingClientRect();
    const isInline = style.display === 'inline' || style.display === 'contents';
    if (isInline) continue;
    // The text is for screen readers only.
    if (style.clipPath === 'inset(50%)') return undefined;
    if (style.overflowX === 'auto' || style.overflowX === 'scroll') checksHorizontally = false;
    if (style.overflowY === 'auto' || style.overflowY === 'scroll') checksVertically = false;
    const isCutHorizontally =
      checksHorizontally && style.overflowX !== 'visible' && (text.left < box.left - 1 || text.right > box.right + 1);
    const isCutVertically =
      checksVertically && style.overflowY !== 'visible' && (text.top < box.top - 2 || text.bottom > box.bottom + 2);
    // A part that does not fit is hidden completely, such as the unit of a narrow header.
    const isHidden = text.top >= box.bottom - 2;
    if (isCutHorizontally || isCutVertically)
      return (isHidden || style.textOverflow === 'ellipsis') && hasTooltip(element)
        ? undefined
        : describeElement(ancestor);
    // Cells are not compared with the scroller, because their layers extend beyond its edges.
    if (style.position === 'fixed' || ancestor.matches('[role=gridcell], [role=columnheader]')) return undefined;
  }
  return checksHorizontally && text.right > window.innerWidth + 1 ? 'the window' : undefined;
}

function findParent(element: Element): Element | null {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/** Whether the element has a tooltip. Every cell has one when it is hovered or focused. */
function hasTooltip(element: Element): boolean {
  if (element.closest('[role=gridcell]')) return true;
  for (let ancestor: Element | null = element; ancestor; ancestor = findParent(ancestor))
    if (ancestor.getAttribute('title')) return true;
  return false;
}

function describeElement(element: Element): string {
  const classes = [...element.classList].map(name => `.${name}`).join('');
  return `${element.tagName.toLowerCase()}${classes}`;
}

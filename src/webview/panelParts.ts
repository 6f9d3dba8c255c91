import { focusIn } from './views/roving.ts';

/** Selectors of the parts of the page that F6 cycles through, in order. */
const parts = [
  '.toolbar',
  '.bar',
  '.coverage',
  '.message',
  '.chart-plot',
  '[role=grid]',
  '.json',
  '.chart-legend',
] as const;

/**
 * Moves the focus to the next or the previous part of the page. Returns false after the last and before the first part: there VS Code
 * handles the key and moves the focus to the next part of the window.
 */
export function focusNextPart(root: HTMLElement, back: boolean): boolean {
  const visibleParts = parts
    .flatMap(part => [...root.querySelectorAll<HTMLElement>(part)])
    .filter(part => part.checkVisibility() && !part.closest('[inert]'));
  const focused = document.activeElement ?? root;
  const current = visibleParts.findIndex(part => part.contains(focused));
  const direction = back ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  // The focused element may be between two parts, such as a control of a tab.
  const candidates = visibleParts.filter((part, index) =>
    current < 0 ? focused.compareDocumentPosition(part) & direction : back ? index < current : index > current,
  );
  return (back ? candidates.reverse() : candidates).some(focusIn);
}

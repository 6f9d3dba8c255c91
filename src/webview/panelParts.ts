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
export function goToPart(root: HTMLElement, back: boolean): boolean {
  const all = parts
    .flatMap(part => [...root.querySelectorAll<HTMLElement>(part)])
    .filter(part => part.checkVisibility() && !part.closest('[inert]'));
  const focused = document.activeElement ?? root;
  const current = all.findIndex(part => part.contains(focused));
  const place = back ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  // The focused element may be between two parts, such as a control of a tab.
  const others = all.filter((part, index) =>
    current < 0 ? focused.compareDocumentPosition(part) & place : back ? index < current : index > current,
  );
  return (back ? others.reverse() : others).some(focusIn);
}

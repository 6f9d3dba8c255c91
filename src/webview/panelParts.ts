import { focusIn } from './views/roving.ts';

/** The parts of the page that F6 goes to, in its order. */
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
 * Gives the keyboard to the next part of the page, or to the one before. Returns false at the ends, where the key is VS Code's, which goes
 * to the next part of the window.
 */
export function goToPart(root: HTMLElement, back: boolean): boolean {
  const all = parts
    .flatMap(part => [...root.querySelectorAll<HTMLElement>(part)])
    .filter(part => part.checkVisibility() && !part.closest('[inert]'));
  const focused = document.activeElement ?? root;
  const current = all.findIndex(part => part.contains(focused));
  const place = back ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  // What stands between two parts, such as the controls of a tab, is none of them.
  const others = all.filter((part, index) =>
    current < 0 ? focused.compareDocumentPosition(part) & place : back ? index < current : index > current,
  );
  return (back ? others.reverse() : others).some(focusIn);
}

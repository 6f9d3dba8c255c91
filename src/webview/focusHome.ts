/** The sentence on what is waited for. The keyboard is there while what had it is out of reach: a second press does nothing. */
export const waitingLine = '.waiting p';

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
export function focusHome(root: HTMLElement): HTMLElement | undefined {
  if (root.querySelector('.aside[aria-busy=true]')) return undefined;
  return (
    homes
      .map(selector => root.querySelector<HTMLElement>(selector))
      .find(home => home?.closest('[inert]') === null && home.checkVisibility()) ?? undefined
  );
}

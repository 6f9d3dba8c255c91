const fitted = new WeakSet<Element>();

/**
 * Keeps the parts of a header line on one line: where there is no room, whole parts go, those with the highest `data-spare`
 * first, and the button behind the line counts them. What went stays in the document for screen readers, and in the line's
 * tooltip; the button unfolds it. Where even what must stay is too long, the line wraps.
 */
export function keepFitted(bar: Element | undefined): void {
  const line = bar?.querySelector<HTMLElement>('.parts');
  const more = bar?.querySelector<HTMLElement>('.more-parts');
  if (!line || !more || fitted.has(line)) return;
  fitted.add(line);
  const fit = (): void => fitParts(line, more);
  new ResizeObserver(fit).observe(line.parentElement ?? line);
  new MutationObserver(fit).observe(line, { childList: true, characterData: true, subtree: true });
}

function fitParts(line: HTMLElement, more: HTMLElement): void {
  const items = [...line.querySelectorAll<HTMLElement>('.item')];
  const spareOf = (item: HTMLElement): number => Number(item.dataset['spare']);
  const spare = items.filter(item => spareOf(item) > 0).sort((a, b) => spareOf(b) - spareOf(a));
  const isWhole = more.ariaExpanded === 'true';
  const drop = (count: number): void => {
    const dropped = new Set(isWhole ? [] : spare.slice(0, count));
    const first = items.find(item => !dropped.has(item));
    for (const item of items) {
      item.classList.toggle('dropped', dropped.has(item));
      item.classList.toggle('first', item === first);
    }
    more.hidden = count === 0;
    more.textContent = `+${count}`;
  };
  // Measured on one line.
  line.classList.add('one-line');
  let count = 0;
  drop(count);
  while (!isWhole && count < spare.length && line.scrollWidth > line.clientWidth) drop(++count);
  if (isWhole) {
    more.hidden = line.scrollWidth <= line.clientWidth;
    more.textContent = '−';
  }
  line.classList.toggle('one-line', line.scrollWidth <= line.clientWidth);
}

/** Unfolds what went, or folds it again. */
export function toggleParts({ currentTarget: more }: Event): void {
  const line = more instanceof HTMLElement ? more.parentElement?.querySelector<HTMLElement>('.parts') : undefined;
  if (!line || !(more instanceof HTMLElement)) return;
  more.ariaExpanded = more.ariaExpanded === 'true' ? 'false' : 'true';
  fitParts(line, more);
}

import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { t } from '@vscode/l10n';
import type { ActionOffer, HeaderPart, Silence } from '../../shared/protocol.ts';
import { waitingButtons, type Act } from './actionButtons.ts';
import { elapsed } from './elapsed.ts';

/** One line above the content: where it comes from, and what is missing. Where it is narrow, whole parts give way. */
export function headerLine(parts: readonly HeaderPart[], act: Act): TemplateResult {
  const label = t('Show Full Line');
  return html`<div class="bar" ${ref(keepFitted)}>
    <p class="parts" title=${parts.map(({ text }) => text).join(' · ')}>
      ${parts.map((part, index) => headerPart(part, index === parts.length - 1, act))}
    </p>
    <button
      class="more-parts"
      hidden
      aria-expanded="false"
      aria-label=${label}
      title=${label}
      @click=${toggleParts}
    ></button>
  </div>`;
}

/** The same line while a request is out: what it waits for, and the way to stop it. */
export function waitingLine(
  { detail, silence, actions }: { detail: string; silence?: Silence | undefined; actions: readonly ActionOffer[] },
  act: Act,
): TemplateResult {
  return html`<div class="bar waiting">
    <p class="parts" tabindex="-1" title=${detail}>${detail} <span role="timer">${elapsed(silence)}</span></p>
    <div class="words">${waitingButtons(actions, act)}</div>
  </div>`;
}

/** The dot stands behind a part: where the line wraps, none begins with one. */
function headerPart(part: HeaderPart, isLast: boolean, act: Act): TemplateResult {
  const { text, tooltip, tone, action, spare = 0 } = part;
  const sign =
    tone === 'warning'
      ? html`<span class="codicon codicon-warning" role="img" aria-label=${t('Warning')}></span> `
      : nothing;
  const words = html`${sign}${text}`;
  return html`<span class="item" data-spare=${spare}
    >${
      action
        ? html`<button class="part" data-action=${action} title=${tooltip ?? nothing} @click=${() => act(action)}>
            ${words}
          </button>`
        : html`<span class=${tone === 'warning' ? 'part warning' : 'part'} title=${tooltip ?? nothing}>${words}</span>`
    }${isLast ? nothing : html`<span class="dot"> · </span>`}</span
  >`;
}

const fitted = new WeakSet<Element>();

/**
 * Keeps the parts of a header line on one line: where there is no room, whole parts go, those with the highest `data-spare`
 * first, until the rest fits, and the button behind the line counts them. What went stays in the document for screen readers,
 * and in the line's tooltip; the button unfolds it. Where even what must stay is too long, the line wraps.
 */
function keepFitted(bar: Element | undefined): void {
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
  const dropped = new Set<HTMLElement>();
  const show = (): void => {
    const last = items.findLast(item => !dropped.has(item));
    for (const item of items) {
      item.classList.toggle('dropped', dropped.has(item));
      item.classList.toggle('last', item === last);
    }
    more.hidden = dropped.size === 0;
    more.textContent = `+${dropped.size}`;
  };
  const fits = (): boolean => line.scrollWidth <= line.clientWidth;
  // Measured on one line.
  line.classList.add('one-line');
  show();
  for (const item of spare) {
    if (isWhole || fits()) break;
    dropped.add(item);
    show();
  }
  // A long part leaves room for shorter ones: they come back, the most useful first.
  for (const item of [...dropped].reverse()) {
    dropped.delete(item);
    show();
    if (fits()) continue;
    dropped.add(item);
    show();
  }
  if (isWhole) {
    more.hidden = fits();
    more.textContent = '−';
  }
  line.classList.toggle('one-line', fits());
}

/** Unfolds what went, or folds it again. */
function toggleParts({ currentTarget: more }: Event): void {
  const line = more instanceof HTMLElement ? more.parentElement?.querySelector<HTMLElement>('.parts') : undefined;
  if (!line || !(more instanceof HTMLElement)) return;
  more.ariaExpanded = more.ariaExpanded === 'true' ? 'false' : 'true';
  fitParts(line, more);
}

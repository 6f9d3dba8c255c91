import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { t } from '@vscode/l10n';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import type { ActionOffer, HeaderPart, Silence } from '../../shared/protocol.ts';
import { wordButtons, type Act } from './actionButtons.ts';
import { rove } from './roving.ts';

/** One line above the content: where it comes from, and what is missing. Where it is narrow, whole parts are hidden. */
export function headerLine(parts: readonly HeaderPart[], act: Act): TemplateResult {
  const hasButtons = parts.some(({ action }) => action);
  return html`<div
    class="bar"
    role=${hasButtons ? 'toolbar' : nothing}
    aria-label=${hasButtons ? t('About This Result') : nothing}
    ${ref(keepFitted)}
    ${ref(rove)}
  >
    <p class="parts" title=${parts.map(({ text }) => text).join(' · ')}>
      ${parts.map((part, index) => headerPart(part, index === parts.length - 1, act))}
    </p>
    <button class="more-parts" hidden aria-expanded="false" title=${t('Show Full Line')} @click=${toggleParts}></button>
  </div>`;
}

/** The same line while a request is under way: what it waits for, and the buttons that cancel it. */
export function waitingLine(
  { detail, silence, actions }: { detail: string; silence?: Silence | undefined; actions: readonly ActionOffer[] },
  act: Act,
): TemplateResult {
  return html`<div class="bar waiting">
    <p class="parts" tabindex="-1" title=${detail}>${detail} <span role="timer">${elapsed(silence)}</span></p>
    <div class="words">${wordButtons(actions, act, true)}</div>
  </div>`;
}

/** The dot is part of the item before it, so that no line begins with one where the text wraps. */
function headerPart(part: HeaderPart, isLast: boolean, act: Act): TemplateResult {
  const { text, tooltip, tone, action, spare = 0 } = part;
  const icon =
    tone === 'warning'
      ? html`<span class="codicon codicon-warning" role="img" aria-label=${t('Warning')}></span> `
      : nothing;
  const words = html`${icon}${text}`;
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
 * Keeps the parts of a header line on one line: where there is no room, whole parts are hidden, those with the highest
 * `data-spare` first, until the others fit, and the button after the line counts them and shows them. Hidden parts stay in the
 * document for screen readers, and in the line's tooltip. Where even the parts that must stay are too long, the line wraps.
 */
function keepFitted(bar: Element | undefined): void {
  const line = bar?.querySelector<HTMLElement>('.parts');
  const more = bar?.querySelector<HTMLElement>('.more-parts');
  if (!line || !more || fitted.has(line)) return;
  fitted.add(line);
  const sizes = new ResizeObserver(() => fitParts(line, more));
  const observe = (): void => {
    sizes.disconnect();
    // A font that comes later makes parts longer.
    for (const one of [line.parentElement ?? line, ...line.children]) sizes.observe(one);
  };
  observe();
  new MutationObserver(observe).observe(line, { childList: true, characterData: true, subtree: true });
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
  // A long part leaves room for shorter ones: these are shown again, the most useful first.
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

/** Shows the hidden parts, or hides them again. */
function toggleParts({ currentTarget: more }: Event): void {
  const line = more instanceof HTMLElement ? more.parentElement?.querySelector<HTMLElement>('.parts') : undefined;
  if (!line || !(more instanceof HTMLElement)) return;
  more.ariaExpanded = more.ariaExpanded === 'true' ? 'false' : 'true';
  fitParts(line, more);
}

/** Most answers are there by then. */
const shownAfterMs = 5_000;

/** How long a wait lasts so far, and when it times out; nothing in the first seconds. Updates itself each second. */
class Elapsed extends AsyncDirective {
  #silence: Silence | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  render(silence: Silence | undefined): unknown {
    this.#silence = silence;
    this.reconnected();
    return this.#words();
  }

  protected override reconnected(): void {
    this.#timer ??= setInterval(() => this.setValue(this.#words()), 1_000);
  }

  protected override disconnected(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #words(): unknown {
    if (!this.#silence) return nothing;
    const { since, endsAfterMs } = this.#silence;
    const ms = Date.now() - since;
    if (ms < shownAfterMs) return nothing;
    return t('{0} s so far. Requests time out after {1} s.', Math.floor(ms / 1_000), endsAfterMs / 1_000);
  }
}

export const elapsed = directive(Elapsed);

import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { t } from '@vscode/l10n';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import type { ActionOffer, HeaderPart, Silence } from '../../shared/protocol.ts';
import { textButtons, type Act } from './actionButtons.ts';
import { rove } from './roving.ts';

/** Renders the line above the content, which shows the origin of the rows and missing hours. If space is short, it hides whole parts. */
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

/** Renders the line that replaces the header during a request: its progress and a button to cancel it. */
export function waitingLine(
  { detail, silence, actions }: { detail: string; silence?: Silence | undefined; actions: readonly ActionOffer[] },
  act: Act,
): TemplateResult {
  return html`<div class="bar waiting">
    <p class="parts" tabindex="-1" title=${detail}>${detail} <span role="timer">${elapsed(silence)}</span></p>
    <div class="words">${textButtons(actions, act, true)}</div>
  </div>`;
}

/** Renders a part with the dot after it. Both are one item, so that no line starts with a dot if the text wraps. */
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

const fittedLines = new WeakSet<Element>();

/**
 * Keeps the parts of a header on one line. If space is short, it hides whole parts, starting with the highest `data-spare`. The button after
 * the line then shows their number and expands the line. Hidden parts stay in the document for screen readers, and in the tooltip. If the
 * parts without `data-spare` are too long for one line, the line wraps.
 */
function keepFitted(bar: Element | undefined): void {
  const line = bar?.querySelector<HTMLElement>('.parts');
  const more = bar?.querySelector<HTMLElement>('.more-parts');
  if (!line || !more || fittedLines.has(line)) return;
  fittedLines.add(line);
  const sizes = new ResizeObserver(() => fitParts(line, more));
  const observe = (): void => {
    sizes.disconnect();
    // The parts are also observed, because their width changes when a font has loaded.
    for (const element of [line.parentElement ?? line, ...line.children]) sizes.observe(element);
  };
  observe();
  new MutationObserver(observe).observe(line, { childList: true, characterData: true, subtree: true });
}

function fitParts(line: HTMLElement, more: HTMLElement): void {
  const items = [...line.querySelectorAll<HTMLElement>('.item')];
  const getSpare = (item: HTMLElement): number => Number(item.dataset['spare']);
  const spareItems = items.filter(item => getSpare(item) > 0).sort((a, b) => getSpare(b) - getSpare(a));
  const showsAll = more.ariaExpanded === 'true';
  const hiddenItems = new Set<HTMLElement>();
  const update = (): void => {
    const last = items.findLast(item => !hiddenItems.has(item));
    for (const item of items) {
      item.classList.toggle('dropped', hiddenItems.has(item));
      item.classList.toggle('last', item === last);
    }
    more.hidden = hiddenItems.size === 0;
    more.textContent = `+${hiddenItems.size}`;
  };
  const fits = (): boolean => line.scrollWidth <= line.clientWidth;
  // Forces one line, so that the overflow can be measured.
  line.classList.add('one-line');
  update();
  for (const item of spareItems) {
    if (showsAll || fits()) break;
    hiddenItems.add(item);
    update();
  }
  // If the last hidden part is long, shorter ones may fit again. Those with the lowest `data-spare` are tried first.
  for (const item of [...hiddenItems].reverse()) {
    hiddenItems.delete(item);
    update();
    if (fits()) continue;
    hiddenItems.add(item);
    update();
  }
  if (showsAll) {
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

/** The delay before the elapsed time is shown. Most responses arrive before this. */
const elapsedDelayMs = 5_000;

/** Renders the elapsed time and the timeout of a request after a delay. Updates every second. */
class Elapsed extends AsyncDirective {
  #silence: Silence | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  render(silence: Silence | undefined): unknown {
    this.#silence = silence;
    this.reconnected();
    return this.#format();
  }

  protected override reconnected(): void {
    this.#timer ??= setInterval(() => this.setValue(this.#format()), 1_000);
  }

  protected override disconnected(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #format(): unknown {
    if (!this.#silence) return nothing;
    const { since, endsAfterMs } = this.#silence;
    const ms = Date.now() - since;
    if (ms < elapsedDelayMs) return nothing;
    return t('{0} s so far. Requests time out after {1} s.', Math.floor(ms / 1_000), endsAfterMs / 1_000);
  }
}

export const elapsed = directive(Elapsed);

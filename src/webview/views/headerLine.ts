import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { t } from '@vscode/l10n';
import type { ActionOffer, HeaderPart, Silence } from '../../shared/protocol.ts';
import { waitingButtons } from './actionButtons.ts';
import type { Act } from './actionButtons.ts';
import { elapsed } from './elapsed.ts';
import { keepFitted, toggleParts } from './fitParts.ts';

/** One line above the content: where it comes from, and what is missing. Where it is narrow, whole parts give way. */
export function headerLine(parts: readonly HeaderPart[], act: Act): TemplateResult {
  const label = t('Show the Whole Line');
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

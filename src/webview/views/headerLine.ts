import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import type { ActionOffer, HeaderPart } from '../../shared/protocol.ts';
import { toolbarButtons, waitingButtons } from './actionButtons.ts';
import type { Act } from './actionButtons.ts';

/** One line above the content: where it comes from, and what can be done. Wraps where it is narrow. */
export function headerLine(parts: readonly HeaderPart[], actions: readonly ActionOffer[], act: Act): TemplateResult {
  return html`<div class="bar">
    <p class="parts" title=${parts.map(({ text }) => text).join(' · ')}>${parts.map(headerPart)}</p>
    ${actions.length ? html`<div class="tools" role="toolbar" aria-label=${t('Actions')}>${toolbarButtons(actions, act)}</div>` : nothing}
  </div>`;
}

/** The same line while a request is out: what it waits for, and the way to stop it. */
export function waitingLine(detail: string, actions: readonly ActionOffer[], act: Act): TemplateResult {
  return html`<div class="bar waiting">
    <p class="parts" tabindex="-1" title=${detail}>${detail}</p>
    <div class="words">${waitingButtons(actions, act)}</div>
  </div>`;
}

function headerPart({ text, tooltip, tone }: HeaderPart, index: number): TemplateResult {
  const warning = tone === 'warning';
  return html`${index > 0 ? html`<span class="dot"> · </span>` : nothing}<span
      class=${warning ? 'part warning' : 'part'}
      title=${tooltip ?? nothing}
      >${warning ? html`<span class="codicon codicon-warning" role="img" aria-label=${t('Warning')}></span> ` : nothing}${text}</span
    >`;
}

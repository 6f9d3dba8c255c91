import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ActionOffer, Silence } from '../../shared/protocol.ts';
import { waitingButtons, wordButtons } from './actionButtons.ts';
import type { Act } from './actionButtons.ts';
import { elapsed } from './elapsed.ts';

/** What stands in the table's place: an icon, one sentence, what to do next. */
export interface Message {
  readonly kind: 'error' | 'empty' | 'loading';
  readonly sentence: string;
  readonly silence?: Silence | undefined;
  readonly actions: readonly ActionOffer[];
}

const icons = { error: 'codicon-error', empty: 'codicon-info', loading: 'codicon-loading codicon-modifier-spin' };

/** An error is announced at once, emptiness when the reader is idle, and waiting by the page itself, which counts no seconds aloud. */
export function messageView({ kind, sentence, silence, actions }: Message, act: Act = () => undefined): TemplateResult {
  const role = kind === 'error' ? 'alert' : kind === 'empty' ? 'status' : nothing;
  const loading = kind === 'loading';
  const buttons = loading ? waitingButtons(actions, act) : wordButtons(actions, act);
  return html`<div class="message ${kind} ${loading ? 'waiting' : ''}">
    <span class="codicon ${icons[kind]}" aria-hidden="true"></span>
    <p role=${role} tabindex=${loading ? -1 : nothing}>
      ${sentence}${loading ? html` <span role="timer">${elapsed(silence)}</span>` : nothing}
    </p>
    ${actions.length ? html`<div class="words">${buttons}</div>` : nothing}
  </div>`;
}

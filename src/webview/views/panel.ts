import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import type { ViewState, ActionOffer, Silence } from '../../shared/protocol.ts';
import { type Act, wordButtons } from './actionButtons.ts';
import { headerLine, waitingLine, elapsed } from './headerLine.ts';
import { icon } from './icon.ts';
/** A state with content that stays visible, dimmed, while the next one loads. */
export type ContentState = Extract<ViewState, { view: 'table' | 'json' }>;

/** All that the page shows. */
interface PanelModel {
  readonly state: ViewState;
  /** The last content. */
  readonly content: ContentState | undefined;
  /** What the rows of a table are, as they are resampled; undefined without one. */
  readonly title: string | undefined;
  /** Why the last action failed. */
  readonly notice: string | undefined;
  /** A text for screen readers only. */
  readonly spoken: string;
  readonly footer: string;
  /** The toolbar, which keeps its place; disabled while the next answer loads over the one before. */
  readonly tools: TemplateResult | undefined;
  /** A result between header and footer. */
  readonly body: TemplateResult;
  readonly act: Act;
  readonly dismiss: () => void;
}

/** The page from top to bottom. Every state uses the same places. */
export function panel(model: PanelModel): TemplateResult {
  const { state, content, act } = model;
  const loading = state.view === 'loading';
  const old = loading && state.content === 'earlier';
  const shown = loading || state.view === content?.view ? content : undefined;
  return html`
    <header>
      <div class=${loading && shown ? 'held old' : 'held'} ?inert=${loading && shown}>${model.tools ?? nothing}</div>
      ${loading && shown ? waitingLine(state, act) : headerLine(state.header, act)}
    </header>
    ${model.notice === undefined ? nothing : notice(model.notice, model.dismiss)}
    <main>
      <h1 class="visually-hidden">${state.title}</h1>
      ${shown ? html`<p class="printed">${printedLine(shown, model.title ?? shown.title)}</p>` : nothing}
      <div class="progress">
        ${loading ? html`<vscode-progress-bar aria-label=${t('Loading')}></vscode-progress-bar>` : nothing}
      </div>
      ${
        shown
          ? html`<div class=${old ? 'content old' : 'content'} ?inert=${old}>${model.body}</div>`
          : message(state, act)
      }
    </main>
    <footer><span role="status">${model.footer}</span></footer>
    <div class="visually-hidden" role="status">${model.spoken}</div>
  `;
}

/** Printed above the content, in place of the header: whose data it is, its dates, and whether it is Sample Data. */
function printedLine(content: ContentState, title: string): string {
  if (content.view === 'json') return [title, ...content.header.map(({ text }) => text)].join(' · ');
  const { origin } = content;
  const connection = title.includes(` · ${origin.connection}`) ? [] : [origin.connection];
  return [...(origin.mark ? [origin.mark] : []), title, ...connection, origin.dates].join(' · ');
}

function message(state: ViewState, act: Act) {
  switch (state.view) {
    case 'loading':
      return messageView(
        { kind: 'loading', sentence: state.detail, silence: state.silence, actions: state.actions },
        act,
      );
    case 'empty':
    case 'error':
      return messageView({ kind: state.view, sentence: state.sentence, actions: state.actions }, act);
    case 'table':
    case 'json':
      return nothing;
  }
}

function notice(sentence: string, dismiss: () => void): TemplateResult {
  return html`<div class="notice">
    ${icon('error')}
    <p role="alert">${sentence}</p>
    <vscode-toolbar-button
      icon="close"
      label=${t('Dismiss')}
      title=${t('Dismiss')}
      @click=${dismiss}
    ></vscode-toolbar-button>
  </div>`;
}

/** What stands in the table's place: an icon, one sentence, what to do next. */
interface Message {
  readonly kind: 'error' | 'empty' | 'loading';
  readonly sentence: string;
  readonly silence?: Silence | undefined;
  readonly actions: readonly ActionOffer[];
}

const icons = { error: 'error', empty: 'info', loading: 'loading codicon-modifier-spin' };

/** Screen readers announce an error at once and emptiness when idle; waiting is announced by the page, without the seconds. */
export function messageView({ kind, sentence, silence, actions }: Message, act: Act = () => undefined): TemplateResult {
  const role = kind === 'error' ? 'alert' : kind === 'empty' ? 'status' : nothing;
  const loading = kind === 'loading';
  return html`<div class="message ${kind} ${loading ? 'waiting' : ''}">
    ${icon(icons[kind])}
    <p role=${role} tabindex=${loading ? -1 : nothing}>
      ${sentence}${loading ? html` <span role="timer">${elapsed(silence)}</span>` : nothing}
    </p>
    ${actions.length ? html`<div class="words">${wordButtons(actions, act, loading)}</div>` : nothing}
  </div>`;
}

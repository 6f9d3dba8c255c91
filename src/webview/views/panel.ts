import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import type { ViewState, ActionOffer, Silence } from '../../shared/protocol.ts';
import { type Act, textButtons } from './actionButtons.ts';
import { headerLine, waitingLine, elapsed } from './headerLine.ts';
import { icon } from './icon.ts';

/** A state with content that stays visible, dimmed, while the next one loads. */
export type ContentState = Extract<ViewState, { view: 'table' | 'json' }>;

/** The data that the page renders. */
interface PanelModel {
  readonly state: ViewState;
  /** The most recent table or text. */
  readonly content: ContentState | undefined;
  /** The title of a table with a description of its rows; undefined if there is no table. */
  readonly title: string | undefined;
  /** The error message of the last action. */
  readonly notice: string | undefined;
  /** A text for screen readers only. */
  readonly announcement: string;
  readonly footer: string;
  /** The toolbar. It is disabled while the next result loads and the previous one stays visible. */
  readonly tools: TemplateResult | undefined;
  /** The result between header and footer. */
  readonly body: TemplateResult;
  readonly act: Act;
  readonly dismiss: () => void;
}

/** Renders the page. The structure is the same in all states. */
export function renderPanel(model: PanelModel): TemplateResult {
  const { state, content, act } = model;
  const isLoading = state.view === 'loading';
  const isOutdated = isLoading && state.content === 'earlier';
  const visibleContent = isLoading || state.view === content?.view ? content : undefined;
  return html`
    <header>
      <div class=${isLoading && visibleContent ? 'held old' : 'held'} ?inert=${isLoading && visibleContent}>
        ${model.tools ?? nothing}
      </div>
      ${isLoading && visibleContent ? waitingLine(state, act) : headerLine(state.header, act)}
    </header>
    ${model.notice === undefined ? nothing : renderNotice(model.notice, model.dismiss)}
    <main>
      <h1 class="visually-hidden">${state.title}</h1>
      ${visibleContent ? html`<p class="printed">${formatPrintedLine(visibleContent, model.title ?? visibleContent.title)}</p>` : nothing}
      <div class="progress">
        ${isLoading ? html`<vscode-progress-bar aria-label=${t('Loading')}></vscode-progress-bar>` : nothing}
      </div>
      ${
        visibleContent
          ? html`<div class=${isOutdated ? 'content old' : 'content'} ?inert=${isOutdated}>${model.body}</div>`
          : renderMessage(state, act)
      }
    </main>
    <footer><span role="status">${model.footer}</span></footer>
    <div class="visually-hidden" role="status">${model.announcement}</div>
  `;
}

/** Formats the line that replaces the header in print: the title, the connection, the dates, and a mark for Sample Data. */
function formatPrintedLine(content: ContentState, title: string): string {
  if (content.view === 'json') return [title, ...content.header.map(({ text }) => text)].join(' · ');
  const { origin } = content;
  const connection = title.includes(` · ${origin.connection}`) ? [] : [origin.connection];
  return [...(origin.mark ? [origin.mark] : []), title, ...connection, origin.dates].join(' · ');
}

function renderMessage(state: ViewState, act: Act) {
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

function renderNotice(sentence: string, dismiss: () => void): TemplateResult {
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

/** A message that replaces the table: an icon, a sentence and buttons. */
interface Message {
  readonly kind: 'error' | 'empty' | 'loading';
  readonly sentence: string;
  readonly silence?: Silence | undefined;
  readonly actions: readonly ActionOffer[];
}

const icons = { error: 'error', empty: 'info', loading: 'loading codicon-modifier-spin' };

/**
 * Renders a message. Its role makes screen readers announce an error immediately, and an empty result when they are idle. Progress has no
 * role, since the page announces it separately, without the seconds.
 */
export function messageView({ kind, sentence, silence, actions }: Message, act: Act = () => undefined): TemplateResult {
  const role = kind === 'error' ? 'alert' : kind === 'empty' ? 'status' : nothing;
  const isLoading = kind === 'loading';
  return html`<div class="message ${kind} ${isLoading ? 'waiting' : ''}">
    ${icon(icons[kind])}
    <p role=${role} tabindex=${isLoading ? -1 : nothing}>
      ${sentence}${isLoading ? html` <span role="timer">${elapsed(silence)}</span>` : nothing}
    </p>
    ${actions.length ? html`<div class="words">${textButtons(actions, act, isLoading)}</div>` : nothing}
  </div>`;
}

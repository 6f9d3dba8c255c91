import { html, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { ViewState } from '../../shared/protocol.ts';
import { jsonView } from '../views/jsonView.ts';
import { messageView } from '../views/panel.ts';
import { resultTabs, type ResultTab } from '../../shared/view.ts';
import { tabs } from './toolbar.ts';

type TextState = Extract<ViewState, { view: 'json' }>;

const textTabs = resultTabs.filter(tab => !['split', 'forecast', 'events'].includes(tab));

/** A response without a table. The Raw tab opens first and shows its text. The other tabs explain why there is no table. */
export class TextResult {
  readonly #render: () => void;
  #state: TextState | undefined;
  #tab: ResultTab = 'raw';

  constructor(render: () => void) {
    this.#render = render;
  }

  show(state: TextState): void {
    this.#state = state;
    this.#tab = 'raw';
  }

  tabs(): TemplateResult {
    return tabs(this.#tab, textTabs, tab => {
      this.#tab = tab;
      this.#render();
    });
  }

  body(): TemplateResult {
    const state = this.#state;
    const tab = this.#tab;
    return html`<div class="tab" id="result-${tab}" role="tabpanel" aria-labelledby="tab-${tab}">
      ${tab === 'raw' ? rawText(state) : messageView({ kind: 'empty', sentence: state?.sentence ?? '', actions: [] })}
    </div>`;
  }
}

function rawText({ sentence, text }: Partial<TextState> = {}): TemplateResult {
  return html`<div class="raw-head"><p class="raw-note" role="status">${sentence}</p></div>
    ${guard([text], () => jsonView(text ?? ''))}`;
}

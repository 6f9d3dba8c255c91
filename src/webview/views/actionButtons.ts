import { html } from 'lit';
import type { TemplateResult } from 'lit';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import type { ActionOffer, PanelAction } from '../../shared/protocol.ts';
import { actionIcons } from './codicons.ts';

/** Called when the person chooses an action. */
export type Act = (action: PanelAction) => void;

/** Small icon buttons, for the header line. */
export function toolbarButtons(actions: readonly ActionOffer[], act: Act): TemplateResult[] {
  return actions.map(
    ({ action, label }) =>
      html`<vscode-toolbar-button
        data-action=${action}
        icon=${actionIcons[action]}
        label=${label}
        title=${label}
        @click=${() => act(action)}
      ></vscode-toolbar-button>`,
  );
}

/** Buttons with words, the first the likeliest, for a message. */
export function wordButtons(actions: readonly ActionOffer[], act: Act, firstIsPrimary = true): TemplateResult[] {
  return actions.map(
    ({ action, label }, index) =>
      html`<vscode-button data-action=${action} ?secondary=${index > 0 || !firstIsPrimary} @click=${() => act(action)}
        >${label}</vscode-button
      >`,
  );
}

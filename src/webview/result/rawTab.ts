import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { t } from '@vscode/l10n';
import type { RawResponse } from '../../shared/protocol.ts';
import { archivedSteps } from '../coverage/coverageWords.ts';
import type { Act } from '../views/actionButtons.ts';
import { jsonView } from '../views/jsonView.ts';
import { requestList } from './requestList.ts';
import type { TableState } from './shownRows.ts';

export interface RawTabModel {
  readonly state: TableState | undefined;
  /** Undefined until the host has sent it. */
  readonly raw: RawResponse | undefined;
  readonly locale: string;
  readonly act: Act;
}

/** The response as received, and the requests that brought it. */
export function rawTab({ state, raw, locale, act }: RawTabModel): TemplateResult {
  if (!state || !raw) return html`<p class="aside" role="status" aria-busy="true">${t('Loading…')}</p>`;
  const { text, requests } = raw;
  if (text === '')
    return html`<p class="aside" role="status">
      ${t('All of these rows came from the archive, so there is no response to show. Refresh, Ignoring Archive asks for one.')}
    </p>`;
  const { coverage, interval } = state;
  const archived = coverage && archivedSteps(coverage, interval, locale);
  return html`<div class="raw-head">
      ${
        archived === undefined
          ? nothing
          : html`<p class="raw-note">${t('This is the last response; {0} came from the archive.', archived)}</p>`
      }
      <button class="raw-open" data-action="openResponse" @click=${() => act('openResponse')}>
        <span class="codicon codicon-json" aria-hidden="true"></span>${t('Open Response in Editor')}
      </button>
    </div>
    ${requestList(requests, state, locale)} ${guard([text], () => jsonView(text))}`;
}

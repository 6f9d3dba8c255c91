import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { t } from '@vscode/l10n';
import { createTimeFormatter } from '../../core/time/timeFormatter.ts';
import type { RawResponse, DisplayZone } from '../../shared/protocol.ts';
import type { RequestTrace } from '../../shared/result.ts';
import { createCountFormatter } from '../../presentation/columns/numberColumnFormat.ts';
import { formatArchivedIntervals } from '../../presentation/coverage/coverageFormatter.ts';
import type { Act } from '../views/actionButtons.ts';
import { icon } from '../views/icon.ts';
import { jsonView } from '../views/jsonView.ts';
import type { TableState } from '../../shared/protocol.ts';

interface RawTabModel {
  readonly state: TableState | undefined;
  /** The response; undefined until the host has sent it. */
  readonly raw: RawResponse | undefined;
  readonly locale: string;
  readonly act: Act;
}

/** Renders the Raw tab: the response as received, and the requests. */
export function rawTab({ state, raw, locale, act }: RawTabModel): TemplateResult {
  if (!state || !raw) return html`<p class="aside" role="status" aria-busy="true">${t('Loading…')}</p>`;
  const { text } = raw;
  if (text === '')
    return html`<p class="aside" role="status">
      ${t("All rows came from the archive, so there is no response to show. Run 'Refresh, Ignoring Archive' to request one.")}
    </p>`;
  const { coverage, interval, tools } = state;
  // The host provides another label for data files.
  const { label } = tools.actions.find(({ action }) => action === 'openResponse') ?? {
    label: t('Open Response in Editor'),
  };
  const archived = coverage && formatArchivedIntervals(coverage, interval, locale);
  return html`<div class="raw-head">
      ${
        archived === undefined
          ? nothing
          : html`<p class="raw-note">${t('This is the last response; {0} came from the archive.', archived)}</p>`
      }
      <button class="link-button" data-action="openResponse" @click=${() => act('openResponse')}>
        ${icon('json')}${label}
      </button>
    </div>
    ${requestList(raw, state, locale)} ${guard([text], () => jsonView(text))}`;
}

/** Renders the table of requests. The count includes failed attempts, as in the header. */
function requestList(
  { requests, requestsSpent }: RawResponse,
  { zone }: Pick<TableState, 'zone'>,
  locale: string,
): TemplateResult | typeof nothing {
  if (requests.length === 0) return nothing;
  const count = requestsSpent === 1 ? t('1 request') : t('{0} requests', requestsSpent);
  const formatters = createFormatters(zone, locale);
  return html`<details class="requests">
    <summary>${t('{0}: hours, timing and headers', count)}</summary>
    <div class="requests-scroll">
      <table aria-label=${t('Requests')}>
        <thead>
          <tr>
            <th scope="col">${t('Requested ({0})', zone.label)}</th>
            <th scope="col">${t('Status')}</th>
            <th scope="col">${t('Sent ({0})', zone.label)}</th>
            <th scope="col">${t('First byte')}</th>
            <th scope="col">${t('Total')}</th>
            <th scope="col">${t('Size')}</th>
            <th scope="col">${t('Address and headers')}</th>
          </tr>
        </thead>
        <tbody>
          ${requests.map(request => requestRow(request, formatters))}
        </tbody>
      </table>
    </div>
  </details>`;
}

function createFormatters({ timeZone }: DisplayZone, locale: string) {
  const parts = { year: true, time: true };
  return {
    hour: createTimeFormatter(locale, timeZone, parts),
    second: createTimeFormatter(locale, timeZone, { ...parts, seconds: true }),
    number: createCountFormatter(locale),
  };
}

function requestRow(
  { start, end, status, sentAt, firstByteMs, totalMs, bytes, attempt, url, headers }: RequestTrace,
  { hour, second, number }: ReturnType<typeof createFormatters>,
): TemplateResult {
  const attemptText = attempt > 1 ? ` ${t('try {0}', attempt)}` : '';
  return html`<tr>
    <th scope="row">${hour(start)} – ${hour(end)}</th>
    <td>${status}${attemptText}</td>
    <td>${second(sentAt)}</td>
    <td class="requests-number">${t('{0} ms', number(firstByteMs))}</td>
    <td class="requests-number">${t('{0} ms', number(totalMs))}</td>
    <td class="requests-number">${t('{0} bytes', number(bytes))}</td>
    <td>
      <details>
        <summary>${url}</summary>
        <dl>
          ${headers.map(
            ([name, value]) =>
              html`<div>
                <dt>${name}</dt>
                <dd>${value}</dd>
              </div>`,
          )}
        </dl>
      </details>
    </td>
  </tr>`;
}

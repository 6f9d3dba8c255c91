import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { timeFormatter } from '../../core/timeFormatter.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { RequestTrace } from '../../shared/result.ts';
import type { TableState } from './shownRows.ts';

/** The requests behind an answer: which hours each was for, how long it took, what its headers said. Nothing where there was none. */
export function requestList(
  requests: readonly RequestTrace[],
  { zone }: Pick<TableState, 'zone'>,
  locale: string,
): TemplateResult | typeof nothing {
  if (requests.length === 0) return nothing;
  const count = requests.length === 1 ? t('1 request') : t('{0} requests', requests.length);
  const write = writers(zone, locale);
  return html`<details class="requests">
    <summary>${t('{0}: hours, timing and headers', count)}</summary>
    <div class="requests-scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">${t('Asked for ({0})', zone.label)}</th>
            <th scope="col">${t('Status')}</th>
            <th scope="col">${t('Sent ({0})', zone.label)}</th>
            <th scope="col">${t('First byte')}</th>
            <th scope="col">${t('Whole')}</th>
            <th scope="col">${t('Size')}</th>
            <th scope="col">${t('Address and headers')}</th>
          </tr>
        </thead>
        <tbody>
          ${requests.map(request => requestRow(request, write))}
        </tbody>
      </table>
    </div>
  </details>`;
}

interface Writers {
  readonly hour: (ms: number) => string;
  readonly second: (ms: number) => string;
  readonly number: (value: number) => string;
}

function writers({ timeZone }: DisplayZone, locale: string): Writers {
  const parts = { year: true, time: true, seconds: false, milliseconds: false };
  const numbers = new Intl.NumberFormat(locale);
  return {
    hour: timeFormatter(locale, timeZone, parts),
    second: timeFormatter(locale, timeZone, { ...parts, seconds: true }),
    number: value => numbers.format(value),
  };
}

function requestRow(
  { start, end, status, sentAt, firstByteMs, totalMs, bytes, attempt, url, headers }: RequestTrace,
  { hour, second, number }: Writers,
): TemplateResult {
  const tries = attempt > 1 ? html` <span class="requests-try">${t('try {0}', attempt)}</span>` : nothing;
  return html`<tr>
    <th scope="row">${hour(start)} – ${hour(end)}</th>
    <td>${status}${tries}</td>
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

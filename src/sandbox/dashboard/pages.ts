import { html } from 'hono/html';
import type { RateLimitScope } from '../../core/query/catalogue.ts';
import { hourMs } from '../../shared/durations.ts';
import type { FaultInjector } from '../faults/faultInjector.ts';
import { describeFault, faultKinds } from '../faults/faultRules.ts';
import type { CreatedKey, KeyInfo, KeyRing } from '../keys/keyRing.ts';
import { scopes, type Limits, type ScopeLimit } from '../keys/scopes.ts';
import type { RequestCount, UsageMeter } from '../keys/usage.ts';
import { endpoints } from '../server/endpoints.ts';
import type { PublishedData } from '../server/view.ts';

/** The path of the dashboard. Its pages use relative URLs, because a proxy may add a path before it. */
export const dashboardPath = '/dashboard';

/** The data, keys and limits that the dashboard shows and changes. */
export interface DashboardSource extends PublishedData {
  readonly keys: KeyRing;
  /** The requests of each key in the last hour. */
  readonly usage: UsageMeter;
  /** The limits of keys without custom limits. */
  readonly limits: Limits;
  /** The length of the rolling window of the limits. */
  readonly windowMs: number;
  /** Undefined if faults cannot be switched on. */
  readonly faults: FaultInjector | undefined;
  /** Whether everybody on this machine is signed in. */
  readonly noSignIn?: boolean;
}

type Html = ReturnType<typeof html>;
/** The notice at the top of a page. */
interface Notice {
  readonly text: string;
  readonly failed?: boolean;
}

/** The maximum number of listed keys, because counting the requests of each takes time. */
const maxListed = 200;

/** Renders a page; `headerContent` is next to its title. */
const page = (title: string, body: Html, notice?: Notice, headerContent: Html | string = ''): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="dashboard/icon.svg" />
        <link rel="stylesheet" href="dashboard/style.css" />
      </head>
      <body>
        <header>
          <h1>Grid data sandbox</h1>
          ${headerContent}
        </header>
        <p
          role="status"
          id="said"
          tabindex="-1"
          class="${notice ? 'notice' : ''} ${notice?.failed ? 'failed' : ''}"
          ${notice ? 'autofocus' : ''}
        >
          ${notice?.text ?? ''}
        </p>
        <main>${body}</main>
      </body>
    </html>`;

/** Renders the instructions to sign in. */
export function signInPage(text?: string): Html {
  return page(
    'Grid data sandbox',
    html`<h2>Sign in with a link</h2>
      <p>The dashboard has no password. Each link signs you in once, within ten minutes.</p>
      <ul>
        <li>In VS Code, run the command <strong>Grid Data: Open Dashboard</strong> for the sandbox.</li>
        <li>In the terminal in which the sandbox runs, press <kbd>Enter</kbd> and open the address it prints.</li>
      </ul>`,
    text === undefined ? undefined : { text },
  );
}

/** Renders a page that opens the dashboard. A redirect does not work: a browser does not send the new cookie after a link of another site. */
export function openedPage(): Html {
  return html`<!doctype html> <meta http-equiv="refresh" content="0; url=dashboard" /> <title>Grid data sandbox</title>
    <a href="dashboard">Open the dashboard</a>`;
}

/** Renders the main page. `created` is the key that was just created, whose value only this page shows. */
export function mainPage(
  source: DashboardSource,
  notice?: Notice,
  created?: CreatedKey & { readonly name: string },
): Html {
  const headerContent = html`<p class="quiet">As of ${formatUtc(source.publication.now)} UTC</p>
    <a href="dashboard">Refresh</a>
    ${source.noSignIn ? '' : html`<form method="post" action="dashboard"><button name="action" value="signOut">Sign out</button></form>`}`;
  const body = html`<p class="quiet">${describeData(source)}</p>
    <section aria-labelledby="keys-title">
      <h2 id="keys-title">API keys</h2>
      ${created ? createdKey(created) : ''}
      <form method="post" action="dashboard" class="line">
        <input type="hidden" name="action" value="create" />
        <label for="name">Name of a new key</label>
        <input id="name" name="name" required maxlength="100" autocomplete="off" spellcheck="false" />
        <button class="first">Create key</button>
        <details>
          <summary>Custom limits and access</summary>
          ${renderTermsFields(source)}
        </details>
      </form>
      ${renderKeyTable(source)}
      <form method="post" action="dashboard" class="line">
        <input type="hidden" name="action" value="revoke" />
        <label for="which">Prefix or name of a key to revoke</label>
        <input id="which" name="which" required maxlength="100" autocomplete="off" spellcheck="false" />
        <button>Revoke…</button>
      </form>
    </section>
    <section aria-labelledby="faults-title">
      <h2 id="faults-title">Faults</h2>
      ${renderFaultForm(source.faults)}
    </section>`;
  return page('Grid data sandbox', body, notice, headerContent);
}

function createdKey({ name, value }: CreatedKey & { readonly name: string }): Html {
  return html`<div class="created" role="group" aria-labelledby="created-title">
    <p id="created-title">Key “${name}” is active. Copy it now: it cannot be shown again.</p>
    <p class="line">
      <label for="value">Value (shown only once)</label>
      <input id="value" class="key" readonly autocomplete="off" spellcheck="false" value="${value}" />
      <button type="button" id="copy" class="first" hidden>Copy key</button> <a href="dashboard">Done</a>
    </p>
    <script type="module" src="dashboard/copy.js"></script>
  </div>`;
}

function renderKeyTable(source: DashboardSource): Html {
  const keys = source.keys.list();
  const activeKeys = keys.filter(({ revoked }) => !revoked);
  // Active keys come before revoked ones, the newest first.
  const listedKeys = [...activeKeys.toReversed(), ...keys.filter(({ revoked }) => revoked).toReversed()].slice(
    0,
    maxListed,
  );
  if (listedKeys.length === 0)
    return html`<p>There is no key yet. Create one, and send it in the header <code>X-API-KEY</code>.</p>`;
  const columns = ['Name', 'Prefix', 'Created (UTC)', 'Last used (UTC)', 'Limits and requests', 'Actions'];
  const unlistedCount = keys.length - listedKeys.length;
  return html`${table(
    'keys-title',
    columns,
    listedKeys.map(key => renderKeyRow(key, source)),
  )}
  ${unlistedCount > 0 ? html`<p class="quiet">${formatCount(unlistedCount, 'key')} more, not listed.</p>` : ''}`;
}

function renderKeyRow(key: KeyInfo, source: DashboardSource): Html {
  const { name, prefix, created, lastUsed, revoked } = key;
  const usage = source.usage.getUsage(prefix);
  const actions = html`<a href="dashboard?limits=${prefix}" aria-label="Limits of ${name}, ${prefix}…">Limits…</a>
    <form method="post" action="dashboard">
      <input type="hidden" name="action" value="revoke" />
      <input type="hidden" name="which" value="${prefix}" />
      <button aria-label="Revoke ${name}, ${prefix}…">Revoke…</button>
    </form>`;
  return html`<tr class="${revoked ? 'revoked' : ''}">
    <th scope="row">${name}</th>
    <td class="key">${prefix}…</td>
    <td>${formatUtc(created)}</td>
    <td>${lastUsed === undefined ? 'never' : formatUtc(lastUsed)}</td>
    <td>
      ${scopes.map(scope => {
        const { lastMinute, lastHour } = usage[scope];
        const requestCounts = `${formatRequestCount(lastMinute)} in the last minute, ${formatRequestCount(lastHour)} in the last hour`;
        return html`<div>${scope}: ${formatAllowance(key, scope, source)}</div>
          <div class="quiet">${requestCounts}</div>`;
      })}
    </td>
    <td>${revoked ? 'revoked' : actions}</td>
  </tr>`;
}

/** Renders a table that scrolls in a narrow window. */
const table = (title: string, columns: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="scroll" role="group" tabindex="0" aria-labelledby="${title}">
    <table aria-labelledby="${title}">
      <thead>
        <tr>
          ${columns.map(column => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;

/** Renders the page for access and limits of a key. */
export function limitsPage(source: DashboardSource, key: KeyInfo): Html {
  const title = `Limits of ${formatKey(key)}`;
  return page(
    title,
    html`<h2>${title}</h2>
      <form method="post" action="dashboard">
        <input type="hidden" name="action" value="limits" />
        <input type="hidden" name="prefix" value="${key.prefix}" />
        ${renderTermsFields(source, key)}
        <p class="line"><button class="first">Save limits</button> <a href="dashboard">Cancel</a></p>
      </form>`,
  );
}

/** Renders the confirmation before keys are revoked. */
export function revokePage(prefixOrName: string, keys: readonly KeyInfo[]): Html {
  const [first] = keys;
  const title = keys.length === 1 && first ? `Revoke ${formatKey(first)}?` : `Revoke ${keys.length} keys?`;
  return page(
    title,
    html`<h2>${title}</h2>
      ${
        keys.length > 1
          ? html`<ul>
              ${keys.map(key => html`<li>${formatKey(key)}</li>`)}
            </ul>`
          : ''
      }
      <p>
        This cannot be undone. Every request with ${keys.length > 1 ? 'one of them' : 'it'} is refused (401) from that
        moment on.
      </p>
      <form method="post" action="dashboard" class="line">
        <input type="hidden" name="action" value="revoke" />
        <input type="hidden" name="which" value="${prefixOrName}" />
        <input type="hidden" name="confirmed" value="yes" /><button class="danger">Revoke</button>
        <a href="dashboard">Cancel</a>
      </form>`,
  );
}

const formatKey = ({ name, prefix }: KeyInfo): string => `“${name}” (${prefix}…)`;

/** Renders the fields for access and limits of a key, or of a new one. */
function renderTermsFields({ limits, windowMs }: DashboardSource, key?: KeyInfo): Html {
  return html`<p class="quiet" id="terms">
      Requests allowed in any ${formatWindow(windowMs)}, or “none” for no limit. An empty field means the limit of the
      sandbox. Without access, requests are refused (403).
    </p>
    ${scopes.map(scope => {
      const customLimit = key?.limits[scope];
      const datasets = endpoints.filter(endpoint => endpoint.scope === scope).map(({ title }) => title.toLowerCase());
      return html`<fieldset class="line">
        <legend>${scope} (${datasets.join(', ')})</legend>
        <label
          ><input
            type="checkbox"
            name="scope"
            value="${scope}"
            ${key?.scopes.includes(scope) === false ? '' : 'checked'}
          />
          Access</label
        >
        <label for="limit-${scope}">Requests</label>
        <input
          id="limit-${scope}"
          name="limit-${scope}"
          value="${customLimit === undefined ? '' : formatTypedLimit(customLimit)}"
          placeholder="sandbox: ${formatTypedLimit(limits[scope])}"
          pattern="\\s*(none|[0-9]{1,10})\\s*"
          title="A whole number, or none for no limit"
          aria-describedby="terms"
          autocomplete="off"
        />
      </fieldset>`;
    })}`;
}

function renderFaultForm(faults: FaultInjector | undefined): Html {
  if (!faults) return html`<p>Off. Start the sandbox with --faults to inject faults.</p>`;
  const formatShare = (rate: number): string => `${Number((rate * 100).toPrecision(6))} %`;
  const rows = faults.rules.map(
    rule =>
      html`<tr>
        <th scope="row">${describeFault(rule)}</th>
        <td>${faultKinds[rule.kind].meaning}</td>
        <td>${formatShare(rule.rate)}</td>
        <td>${rule.scope ?? 'all'}</td>
        <td>${(faults.metCounts[rule.kind] ?? 0).toLocaleString('en')}</td>
      </tr>`,
  );
  const ruleText = faults.rules
    .map(rule => `${describeFault(rule)}${rule.rate === 1 ? '' : `@${rule.rate}`}${rule.scope ? `/${rule.scope}` : ''}`)
    .join(',');
  const columns = ['Fault', 'Effect', 'Share of requests', 'Scope', 'Affected requests'];
  return html`<p>
      ${rows.length > 0 ? 'Switched on. Affected responses name the fault in the header X-Sandbox-Fault.' : 'Allowed; none is switched on.'}
    </p>
    <form method="post" action="dashboard" class="line">
      <input type="hidden" name="action" value="faults" />
      <label for="rules">Faults, or none</label>
      <input
        id="rules"
        name="rules"
        required
        maxlength="1000"
        autocomplete="off"
        spellcheck="false"
        value="${ruleText}"
        placeholder="latency=800@0.2,error=503@0.05/features"
        aria-describedby="grammar"
      />
      <button>Set faults</button>
      <p id="grammar" class="quiet">
        As after --faults: KIND[=AMOUNT][@RATE][/SCOPE], joined by commas; --help lists the kinds. “none” switches all
        off.
      </p>
    </form>
    ${rows.length > 0 ? table('faults-title', columns, rows) : ''}`;
}

/** Describes the data that is served. */
function describeData({ source, publication }: PublishedData): string {
  const end = publication.endHour(source);
  const hours = `${source.kind === 'synthetic' ? 'Synthetic' : 'Replayed'} hours (${source.identity})`;
  if (end <= source.firstHour) return `${hours}. Nothing is published yet.`;
  const first = formatUtc(source.firstHour * hourMs).slice(0, 16);
  const last = formatUtc((end - 1) * hourMs).slice(0, 16);
  return `${hours} from ${first} to ${last} UTC are published. ${source.note}`;
}

function formatAllowance(key: KeyInfo, scope: RateLimitScope, { limits, windowMs }: DashboardSource): string {
  if (!key.scopes.includes(scope)) return 'no access';
  const { [scope]: limit = limits[scope] } = key.limits;
  return limit === null ? 'no limit' : `${limit.toLocaleString('en')} in ${formatWindow(windowMs)}`;
}

/** Formats a limit as fields and the command line accept it. */
const formatTypedLimit = (limit: ScopeLimit): string => (limit === null ? 'none' : String(limit));
const formatWindow = (windowMs: number): string => `${(windowMs / 1000).toLocaleString('en')} s`;
const formatCount = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
const formatRequestCount = ({ accepted, refused }: RequestCount): string =>
  `${accepted.toLocaleString('en')}${refused === 0 ? '' : ` + ${refused.toLocaleString('en')} refused`}`;
/** Formats UTC milliseconds to the second, without the zone. */
const formatUtc = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

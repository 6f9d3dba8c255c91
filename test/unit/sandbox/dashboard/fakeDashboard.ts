import { createApp } from '../../../../src/sandbox/server/app.ts';
import { createDashboard } from '../../../../src/sandbox/dashboard/dashboardApp.ts';
import { DashboardSessions } from '../../../../src/sandbox/dashboard/sessions.ts';
import type { FaultInjector } from '../../../../src/sandbox/faults/faultInjector.ts';
import { KeyRing } from '../../../../src/sandbox/keys/keyRing.ts';
import { Publication } from '../../../../src/sandbox/data/source.ts';
import { documentedLimits } from '../../../../src/sandbox/keys/scopes.ts';
import { SyntheticSource } from '../../../../src/sandbox/synthetic/syntheticSource.ts';
import { ScopedThrottle } from '../../../../src/sandbox/server/throttle.ts';
import { UsageMeter } from '../../../../src/sandbox/keys/usage.ts';
import { assertDocumented } from '../../../support/documentedResponses.ts';
import { countingBytes, fakeClock, port } from '../fakes.ts';

type Headers = Readonly<Record<string, string>>;

/** The headers that a browser sends when it submits a form of the dashboard. */
export const dashboardHeaders: Headers = { origin: `http://127.0.0.1:${port}` };

/** The names and values of form fields. A name may occur several times. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** Encodes fields for the body of a form or the query of a URL. */
export const encodeFields = (form: Fields): URLSearchParams =>
  new URLSearchParams(form.map(([name, value]): [string, string] => [name, value]));

interface RequestOptions {
  readonly form?: Fields;
  readonly headers?: Headers;
}

/** Creates the sandbox service with its dashboard. It has no socket and uses a fake clock. */
export function fakeDashboard({
  windowMs = 60_000,
  faults = undefined as FaultInjector | undefined,
  noSignIn = false,
} = {}) {
  const clock = fakeClock();
  const bytes = countingBytes();
  const keys = new KeyRing(clock, bytes);
  const sessions = new DashboardSessions(clock, bytes);
  const usage = new UsageMeter(clock);
  const publication = new Publication(clock);
  const throttle = new ScopedThrottle(clock, windowMs);
  const source = new SyntheticSource(1);
  const parts = {
    source,
    publication,
    keys,
    usage,
    limits: documentedLimits,
    windowMs,
    faults,
    sessions,
    noSignIn,
    port,
    throttle,
  };
  const app = createApp({ ...parts, dashboard: createDashboard(parts) });
  const host = `127.0.0.1:${port}`;
  const send = async (method: string, path: string, { form, headers = {} }: RequestOptions = {}): Promise<Response> => {
    const response = await app.request(new URL(path, `http://${host}`), {
      method,
      headers: { host, ...headers },
      ...(form && { body: encodeFields(form) }),
    });
    // The description of the API does not contain the responses of the dashboard.
    if (path.startsWith('/api/')) {
      const { status, headers: responseHeaders } = response;
      assertDocumented({ method, path, status, headers: responseHeaders, body: await response.clone().text() });
    }
    return response;
  };
  return {
    app,
    clock,
    keys,
    usage,
    publication,
    sessions,
    send,
    /** Opens a page of the dashboard with the cookie of a session. */
    open: async (path: string, cookie: string): Promise<string> =>
      (await send('GET', `/dashboard${path}`, { headers: { cookie } })).text(),
    /** Submits a form of the dashboard. */
    post: async (action: string, cookie: string, ...form: Fields): Promise<Response> =>
      send('POST', '/dashboard', { form: [['action', action], ...form], headers: { ...dashboardHeaders, cookie } }),
    /** Signs in and returns the cookie of the session. */
    signIn: async (headers: Headers = {}): Promise<string> => {
      const response = await send('GET', `/dashboard?token=${sessions.issueToken()}`, { headers });
      return response.headers.get('set-cookie')?.split(';')[0] ?? '';
    },
  };
}

/** Returns the visible text of a page in one line. */
export function getVisibleText(page: string): string {
  const text = page.slice(page.indexOf('<body>')).replace(/<[^>]*>/g, ' ');
  const entities = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  const plain = text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: keyof typeof entities) => entities[name]);
  return plain.replace(/\s+/g, ' ').trim();
}

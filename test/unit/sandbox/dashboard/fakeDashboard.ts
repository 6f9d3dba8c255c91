import { createApp } from '../../../../src/sandbox/server/app.ts';
import { createDashboard } from '../../../../src/sandbox/dashboard/dashboardApp.ts';
import { DashboardSessions } from '../../../../src/sandbox/dashboard/sessions.ts';
import type { DashboardState } from '../../../../src/sandbox/dashboard/shape.ts';
import type { FaultInjector } from '../../../../src/sandbox/faults/faultInjector.ts';
import { KeyRing } from '../../../../src/sandbox/keys/keyRing.ts';
import { Publication } from '../../../../src/sandbox/data/source.ts';
import { documentedLimits } from '../../../../src/sandbox/keys/scopes.ts';
import { SyntheticSource } from '../../../../src/sandbox/synthetic/syntheticSource.ts';
import { ScopedThrottle } from '../../../../src/sandbox/server/throttle.ts';
import { UsageMeter } from '../../../../src/sandbox/keys/usage.ts';
import { assertDescribed } from '../../../support/describedAnswers.ts';
import { countingBytes, fakeClock, port } from '../fakes.ts';

type Headers = Readonly<Record<string, string>>;

/** What the page sends with everything it asks for. */
export const pageHeaders: Headers = { 'x-sandbox-dashboard': '1', origin: `http://127.0.0.1:${port}` };

interface Call {
  readonly body?: unknown;
  readonly headers?: Headers;
}

/** The service with its dashboard, without a socket, on a fake clock. */
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
  const send = async (method: string, path: string, { body, headers = {} }: Call = {}): Promise<Response> => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const described = text !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    };
    const response = await app.request(path, {
      method,
      headers: { host, ...described, ...headers },
      ...(text !== undefined && { body: text }),
    });
    // The dashboard's own answers are no part of the API.
    if (path.startsWith('/api/')) {
      const { status, headers: answered } = response;
      assertDescribed({ method, path, status, headers: answered, body: await response.clone().text() });
    }
    return response;
  };
  /** As the page asks, with the cookie of a session. */
  const ask = async (method: string, path: string, cookie: string, body?: unknown): Promise<Response> =>
    send(method, `/dashboard/api/${path}`, { body, headers: { ...pageHeaders, cookie } });
  return {
    clock,
    keys,
    usage,
    publication,
    sessions,
    send,
    ask,
    /** The cookie of a new session. */
    signIn: async (): Promise<string> => {
      const body = { token: sessions.issueToken() };
      const response = await send('POST', '/dashboard/api/session', { body, headers: pageHeaders });
      return response.headers.get('set-cookie')?.split(';')[0] ?? '';
    },
    state: async (cookie: string, key = ''): Promise<DashboardState> => {
      const response = await ask('GET', key === '' ? 'state' : `state?key=${key}`, cookie);
      return (await response.json()) as DashboardState;
    },
  };
}

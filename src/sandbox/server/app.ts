import type { HttpBindings } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { setTimeout as sleep } from 'node:timers/promises';
import { dashboardPath, type DashboardSource } from '../dashboard/pages.ts';
import { endpoints, type SandboxRoute } from './endpoints.ts';
import { type Faults, htmlReply, oversized, resetConnection, sendTruncated } from '../faults/faultInjector.ts';
import { describeFault } from '../faults/faultRules.ts';
import { openApiDocument } from '../openapi/document.ts';
import { allowed, jsonReply, methodNotAllowed } from './reply.ts';
import type { ScopedThrottle } from './throttle.ts';
import { viewRange } from './view.ts';

/** The parts of the service. */
export interface AppParts extends DashboardSource {
  readonly throttle: ScopedThrottle;
  readonly port: number;
  /** The web page; the API works without it. */
  readonly dashboard?: Hono;
}

type Env = { readonly Bindings: HttpBindings };

/** The whole service as a function from request to response. */
export function createApp(parts: AppParts): Hono<Env> {
  const app = new Hono<Env>();
  const document = openApiDocument(`http://127.0.0.1:${parts.port}`, parts.limits, parts.windowMs);
  app.use(compress());
  app.use(ownOriginOnly);
  for (const endpoint of endpoints)
    app.all(endpoint.path, async context => answer(context.req.raw, endpoint, parts, context.env));
  app.get('/openapi.json', () => jsonReply(200, document));
  const { notices } = parts.source;
  app.get('/healthz', () => jsonReply(200, { status: 'ok', ...(notices.length > 0 && { notices }) }));
  for (const path of ['/openapi.json', '/healthz']) app.all(path, ({ req }) => methodNotAllowed(req.method));
  if (parts.dashboard) app.route(dashboardPath, parts.dashboard);
  app.notFound(() => jsonReply(404, { error: 'not_found', detail: 'Not found.' }));
  app.onError(() => jsonReply(500, { error: 'server_error', detail: 'A server error occurred.' }));
  return app;
}

/**
 * Authentication, permission, throttle, then the view: Django REST framework's order, so a 401 or 403 costs nothing and a
 * 400 does. Of the faults only the storm comes before the throttle, which counts no request that it refuses.
 */
async function answer(
  request: Request,
  endpoint: SandboxRoute,
  parts: AppParts,
  wire: HttpBindings,
): Promise<Response> {
  const value = request.headers.get('x-api-key');
  const key = value ? parts.keys.authenticate(value) : undefined;
  if (key === undefined) {
    const detail = value ? 'Invalid API key.' : 'Authentication credentials were not provided.';
    return jsonReply(401, { detail }, { 'www-authenticate': 'X-API-KEY', ...allowed });
  }
  const { scope } = endpoint;
  if (!key.scopes.includes(scope))
    return jsonReply(403, { detail: 'You do not have permission to perform this action.' }, allowed);
  const faults = parts.faults?.draw(scope);
  const headers = {
    ...allowed,
    ...(faults && faults.all.length > 0 && { 'x-sandbox-fault': faults.all.map(describeFault).join(', ') }),
  };
  const stormSeconds = faults?.amount('storm');
  if (faults && stormSeconds !== undefined) {
    parts.faults?.count(faults);
    return throttled(stormSeconds, headers);
  }
  const { [scope]: limit = parts.limits[scope] } = key.limits;
  const admission = parts.throttle.admit(scope, key.prefix, limit);
  parts.usage.record(key.prefix, scope, admission.admitted ? 'accepted' : 'refused');
  if (!admission.admitted) return throttled(admission.waitSeconds, allowed);
  if (!faults || faults.all.length === 0) return view(request, endpoint, parts, allowed);
  parts.faults?.count(faults);
  // Without keeping the process alive.
  await sleep(faults.amount('latency') ?? 0, undefined, { ref: false });
  if (faults.amount('reset') !== undefined) return resetConnection(wire);
  const errorStatus = faults.amount('error');
  if (errorStatus !== undefined)
    return jsonReply(errorStatus, { error: 'server_error', detail: 'A server error occurred.' }, headers);
  const htmlStatus = faults.amount('html');
  if (htmlStatus !== undefined) return htmlReply(htmlStatus, headers);
  const whole = await view(request, endpoint, parts, headers, faults);
  const megabytes = faults.amount('oversize');
  const large = megabytes === undefined ? whole : oversized(whole, megabytes);
  return faults.amount('truncate') === undefined ? large : sendTruncated(large, wire);
}

async function view(
  request: Request,
  endpoint: SandboxRoute,
  parts: AppParts,
  headers: Readonly<Record<string, string>>,
  faults?: Faults,
): Promise<Response> {
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return viewRange(new URL(request.url).searchParams, endpoint, parts, headers, faults);
    case 'OPTIONS':
      return jsonReply(200, { name: endpoint.name, description: '', renders: ['application/json'] }, headers);
    default:
      return methodNotAllowed(request.method, headers);
  }
}

/** Django's message, without a time where it has none. */
function throttled(seconds: number | undefined, headers: Readonly<Record<string, string>>): Response {
  const unit = seconds === 1 ? 'second' : 'seconds';
  const when = seconds === undefined ? '' : ` Expected available in ${seconds} ${unit}.`;
  return jsonReply(
    429,
    { detail: `Request was throttled.${when}` },
    { ...(seconds && { 'retry-after': String(seconds) }), ...headers },
  );
}

/** The names of this machine for itself, with any port: browsers reach the sandbox through a proxy or a forwarded port, too. */
const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

/**
 * Accepts only requests that were meant for this machine. A web page can make its own host name resolve to 127.0.0.1 (DNS
 * rebinding) but cannot change the Host header; a page of another origin is recognized by its Origin header.
 */
const ownOriginOnly: MiddlewareHandler = async (context, next) => {
  const host = context.req.header('host')?.toLowerCase() ?? '';
  if (!ownHost.test(host)) {
    const detail =
      'The Host header is not an address of this machine. Open the sandbox as 127.0.0.1 or localhost, in a browser on the machine that runs it.';
    return jsonReply(400, { error: 'bad_request', detail });
  }
  const origin = context.req.header('origin')?.toLowerCase();
  if (origin !== undefined && origin !== `http://${host}`)
    return jsonReply(403, { error: 'forbidden', detail: 'The sandbox does not answer to web pages.' });
  return next();
};

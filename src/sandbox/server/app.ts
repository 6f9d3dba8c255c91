import type { HttpBindings } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { setTimeout as sleep } from 'node:timers/promises';
import { dashboardPath, type DashboardSource } from '../dashboard/pages.ts';
import { endpoints, type SandboxRoute } from './endpoints.ts';
import { type Faults, htmlReply, createOversized, resetConnection, sendTruncated } from '../faults/faultInjector.ts';
import { describeFault } from '../faults/faultRules.ts';
import { createOpenApiDocument } from '../openapi/document.ts';
import { allowHeader, jsonReply, methodNotAllowed } from './reply.ts';
import type { ScopedThrottle } from './throttle.ts';
import { respondWithRange } from './view.ts';

/** The parts that the service is composed of. */
export interface AppParts extends DashboardSource {
  readonly throttle: ScopedThrottle;
  readonly port: number;
  /** The web page; the API works without it. */
  readonly dashboard?: Hono;
}

type Env = { readonly Bindings: HttpBindings };

/** Creates the HTTP application of the service. */
export function createApp(parts: AppParts): Hono<Env> {
  const app = new Hono<Env>();
  const document = createOpenApiDocument(`http://127.0.0.1:${parts.port}`, parts.limits, parts.windowMs);
  app.use(compress());
  app.use(requireLocalOrigin);
  for (const endpoint of endpoints)
    app.all(endpoint.path, async context => handleRequest(context.req.raw, endpoint, parts, context.env));
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
 * Checks authentication, permission and throttle before it responds, in the order of Django REST framework: the throttle
 * counts a 400, but not a 401 or 403. The fault `storm` comes before the throttle, which does not count rejected requests.
 */
async function handleRequest(
  request: Request,
  endpoint: SandboxRoute,
  parts: AppParts,
  bindings: HttpBindings,
): Promise<Response> {
  const keyValue = request.headers.get('x-api-key');
  const key = keyValue ? parts.keys.authenticate(keyValue) : undefined;
  if (key === undefined) {
    const detail = keyValue ? 'Invalid API key.' : 'Authentication credentials were not provided.';
    return jsonReply(401, { detail }, { 'www-authenticate': 'X-API-KEY', ...allowHeader });
  }
  const { scope } = endpoint;
  if (!key.scopes.includes(scope))
    return jsonReply(403, { detail: 'You do not have permission to perform this action.' }, allowHeader);
  const faults = parts.faults?.draw(scope);
  const headers = {
    ...allowHeader,
    ...(faults && faults.rules.length > 0 && { 'x-sandbox-fault': faults.rules.map(describeFault).join(', ') }),
  };
  const stormSeconds = faults?.amount('storm');
  if (faults && stormSeconds !== undefined) {
    parts.faults?.countMet(faults);
    return createThrottledReply(stormSeconds, headers);
  }
  const { [scope]: limit = parts.limits[scope] } = key.limits;
  const admission = parts.throttle.admit(scope, key.prefix, limit);
  parts.usage.record(key.prefix, scope, admission.admitted ? 'accepted' : 'refused');
  if (!admission.admitted) return createThrottledReply(admission.waitSeconds, allowHeader);
  if (!faults || faults.rules.length === 0) return respond(request, endpoint, parts, allowHeader);
  parts.faults?.countMet(faults);
  // `ref: false`, so that a delayed response does not keep the process alive.
  await sleep(faults.amount('latency') ?? 0, undefined, { ref: false });
  if (faults.amount('reset') !== undefined) return resetConnection(bindings);
  const errorStatus = faults.amount('error');
  if (errorStatus !== undefined)
    return jsonReply(errorStatus, { error: 'server_error', detail: 'A server error occurred.' }, headers);
  const htmlStatus = faults.amount('html');
  if (htmlStatus !== undefined) return htmlReply(htmlStatus, headers);
  const response = await respond(request, endpoint, parts, headers, faults);
  const megabytes = faults.amount('oversize');
  const enlarged = megabytes === undefined ? response : createOversized(response, megabytes);
  return faults.amount('truncate') === undefined ? enlarged : sendTruncated(enlarged, bindings);
}

async function respond(
  request: Request,
  endpoint: SandboxRoute,
  parts: AppParts,
  headers: Readonly<Record<string, string>>,
  faults?: Faults,
): Promise<Response> {
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return respondWithRange(new URL(request.url).searchParams, endpoint, parts, headers, faults);
    case 'OPTIONS':
      return jsonReply(200, { name: endpoint.name, description: '', renders: ['application/json'] }, headers);
    default:
      return methodNotAllowed(request.method, headers);
  }
}

/** A 429 with Django's message, which has no time if the wait is unknown. */
function createThrottledReply(seconds: number | undefined, headers: Readonly<Record<string, string>>): Response {
  const unit = seconds === 1 ? 'second' : 'seconds';
  const hint = seconds === undefined ? '' : ` Expected available in ${seconds} ${unit}.`;
  return jsonReply(
    429,
    { detail: `Request was throttled.${hint}` },
    { ...(seconds && { 'retry-after': String(seconds) }), ...headers },
  );
}

/** Matches the loopback names of this machine with any port, because requests may come through a proxy or a forwarded port. */
const localHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

/**
 * Accepts only requests that were meant for this machine. A web page can make its own host name resolve to 127.0.0.1 (DNS
 * rebinding) but cannot change the Host header; a page of another origin is recognized by its Origin header.
 */
const requireLocalOrigin: MiddlewareHandler = async (context, next) => {
  const host = context.req.header('host')?.toLowerCase() ?? '';
  if (!localHost.test(host)) {
    const detail =
      'The Host header is not an address of this machine. Open the sandbox as 127.0.0.1 or localhost, in a browser on the machine that runs it.';
    return jsonReply(400, { error: 'bad_request', detail });
  }
  const origin = context.req.header('origin')?.toLowerCase();
  if (origin !== undefined && origin !== `http://${host}`)
    return jsonReply(403, { error: 'forbidden', detail: 'The sandbox does not respond to web pages.' });
  return next();
};

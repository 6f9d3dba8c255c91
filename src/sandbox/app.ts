import { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { Clock } from '../core/ports.ts';
import { endpoints } from './endpoints.ts';
import type { Endpoint } from './endpoints.ts';
import { formatInstant } from '../core/instant.ts';
import { hourMs } from './hours.ts';
import type { KeyRing } from './keyRing.ts';
import { ownOriginOnly } from './ownOrigin.ts';
import { readRangeQuery } from './query.ts';
import type { RangeQuery } from './query.ts';
import { jsonReply } from './reply.ts';
import { hoursBetween } from './source.ts';
import type { HourSource } from './source.ts';
import type { ScopedThrottle } from './throttle.ts';

/** What the service is made of. `delayHours`: so many hours the upstream feed is late. */
export interface AppParts {
  readonly source: HourSource;
  readonly keys: KeyRing;
  readonly throttle: ScopedThrottle;
  readonly clock: Pick<Clock, 'now'>;
  readonly port: number;
  readonly delayHours: number;
}

const allowed = { allow: 'GET, HEAD, OPTIONS' };

/** The whole service as a function from request to response. */
export function createApp(parts: AppParts): Hono {
  const app = new Hono();
  app.use(compress());
  app.use(ownOriginOnly(parts.port));
  for (const endpoint of endpoints) app.all(endpoint.path, context => answer(context.req.raw, endpoint, parts));
  app.notFound(() => jsonReply(404, { error: 'not_found', detail: 'Not found.' }));
  app.onError(() => jsonReply(500, { error: 'server_error', detail: 'A server error occurred.' }));
  return app;
}

/** Authentication, then throttle, then the view: Django REST framework's order, so a 401 costs nothing and a 400 does. */
async function answer(request: Request, endpoint: Endpoint, parts: AppParts): Promise<Response> {
  const value = request.headers.get('x-api-key');
  const key = value ? parts.keys.authenticate(value) : undefined;
  if (key === undefined) {
    const detail = value ? 'Invalid API key.' : 'Authentication credentials were not provided.';
    return jsonReply(401, { detail }, { 'www-authenticate': 'X-API-KEY', ...allowed });
  }
  const admission = parts.throttle.admit(endpoint.scope, key);
  if (!admission.admitted) return throttled(admission.waitSeconds);
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return view(new URL(request.url).searchParams, endpoint, parts);
    case 'OPTIONS':
      return jsonReply(200, { name: endpoint.name, description: '', renders: ['application/json'] }, allowed);
    default:
      return jsonReply(405, { detail: `Method "${request.method}" not allowed.` }, allowed);
  }
}

function throttled(seconds: number): Response {
  const unit = seconds === 1 ? 'second' : 'seconds';
  const detail = `Request was throttled. Expected available in ${seconds} ${unit}.`;
  return jsonReply(429, { detail }, { 'retry-after': String(seconds), ...allowed });
}

async function view(params: URLSearchParams, endpoint: Endpoint, parts: AppParts): Promise<Response> {
  const query = readRangeQuery(params, endpoint.intervals);
  if ('error' in query) return jsonReply(400, query, allowed);
  const { source, clock, delayHours } = parts;
  // An hour is published when it is over.
  const published = Math.min(Math.floor(clock.now() / hourMs) - delayHours, source.endHour);
  const hours = await hoursBetween(
    source,
    Math.ceil(query.start / hourMs),
    Math.min(Math.ceil(query.end / hourMs), published),
  );
  const data = endpoint.records(hours, query.interval, params);
  return jsonReply(200, { meta: metaOf(query, endpoint, parts, published), data }, allowed);
}

function metaOf(query: RangeQuery, endpoint: Endpoint, { source, delayHours }: AppParts, published: number): object {
  return {
    dataset: endpoint.dataset,
    interval: query.interval,
    start: formatInstant(query.start),
    end: formatInstant(query.end),
    timezone: 'UTC',
    schema_version: '1.0',
    ...endpoint.meta(query.interval),
    ...(delayHours > 0 &&
      query.end > published * hourMs && {
        data_delay: true,
        last_available: formatInstant((published - 1) * hourMs),
      }),
    source: source.kind,
    note: source.note,
  };
}

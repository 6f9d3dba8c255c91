import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as v from 'valibot';
import { limitTextsShape, scopesShape, type KeyTerms } from '../keys/keyRing.ts';
import { readFaultRules } from '../faults/faultRules.ts';
import { keyNameRule, readKeyName, limitRule } from '../keys/scopes.ts';
import { jsonReply } from '../server/reply.ts';
import { SandboxError } from '../sandboxError.ts';
import { dashboardState, type DashboardSource } from './dashboardState.ts';
import type { DashboardSessions } from './sessions.ts';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface DashboardParts extends DashboardSource {
  readonly sessions: DashboardSessions;
  /** Everybody on this machine is signed in. */
  readonly noSignIn?: boolean;
  readonly port: number;
}

/** Where the service mounts it. Its page names its files relative to that, since a proxy may put another path before it. */
export const dashboardPath = '/dashboard';
/** Neither a form nor a script of another origin can send it: the browser's preflight request is refused. */
const ownHeader = 'x-sandbox-dashboard';

const mostBytes = 4_096;

const securityHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const tokenShape = v.object({ token: v.pipe(v.string(), v.maxLength(100)) });
const shortText = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(100));
const termsEntries = { scopes: v.optional(scopesShape), limits: v.optional(limitTextsShape) };
const keyShape = v.object({ name: v.pipe(v.string(), v.transform(readKeyName), v.string()), ...termsEntries });
const termsShape = v.object({ prefix: shortText, ...termsEntries });
const whichShape = v.object({ which: shortText });
const faultsShape = v.object({ rules: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(1_000)) });

/** The dashboard: a page that anybody may load, and its API, which needs a session. */
export function createDashboard(parts: DashboardParts): Hono {
  const { keys, sessions } = parts;
  const app = new Hono();
  // Browsers share cookies among the ports of a host: the name includes the port.
  const cookie = `sandbox_dashboard_${parts.port}`;
  const sessionOf = (context: Context): string | undefined => getCookie(context, cookie);
  const signedIn: MiddlewareHandler = async (context, next) =>
    parts.noSignIn === true || sessions.isOpen(sessionOf(context))
      ? next()
      : jsonReply(401, { detail: 'Sign in with a new link.' });

  app.use('*', guarded);
  app.get('/', () => pageReply('index.html'));
  for (const name of pageFiles) app.get(`/${name}`, () => pageReply(name));

  app.use('/api/*', ownPageOnly);
  app.post('/api/session', async context => {
    const body = await bodyOf(context, tokenShape);
    const session = body && sessions.exchange(body.token);
    if (session === undefined)
      return jsonReply(401, { detail: 'This link was already used or has expired. Get a new one.' });
    const before = sessionOf(context);
    if (before !== undefined) sessions.end(before);
    // Without a path it is that of the request, in the browser's view.
    setCookie(context, cookie, session, { httpOnly: true, sameSite: 'Strict', path: '' });
    return context.body(null, 204);
  });
  app.use('/api/*', signedIn);
  app.delete('/api/session', context => {
    const session = sessionOf(context);
    if (session !== undefined) sessions.end(session);
    deleteCookie(context, cookie, { path: '' });
    return context.body(null, 204);
  });
  app.get('/api/state', context => jsonReply(200, dashboardState(parts, context.req.query('key'))));
  app.post('/api/keys', async context => {
    const body = await bodyOf(context, keyShape);
    if (!body) return wrongBody(`Enter a name of ${keyNameRule}, and limits: ${limitRule}.`);
    const { name, ...terms } = body;
    return jsonReply(201, { name, ...keys.create(name, terms as KeyTerms) });
  });
  app.post('/api/keys/terms', async context => {
    const body = await bodyOf(context, termsShape);
    if (!body) return wrongBody(`Enter a limit: ${limitRule}.`);
    const { prefix, ...terms } = body;
    return keys.setTerms(prefix, terms as KeyTerms)
      ? context.body(null, 204)
      : jsonReply(404, { detail: 'No active key has this prefix. It was revoked meanwhile.' });
  });
  // Not in a URL: somebody may paste a whole key here.
  app.post('/api/keys/matching', async context => {
    const body = await bodyOf(context, whichShape);
    if (!body) return wrongBody();
    const matching = keys
      .list()
      .filter(({ revoked, prefix, name }) => !revoked && (prefix === body.which || name === body.which));
    return jsonReply(
      200,
      matching.map(({ name, prefix }) => ({ name, prefix })),
    );
  });
  app.post('/api/keys/revoke', async context => {
    const body = await bodyOf(context, whichShape);
    if (!body) return wrongBody();
    const revoked = keys.revoke(body.which);
    return revoked > 0
      ? jsonReply(200, { revoked })
      : jsonReply(404, { detail: 'No active key has this prefix or name.' });
  });
  app.post('/api/faults', async context => {
    if (!parts.faults) return jsonReply(409, { detail: 'Start the sandbox with --faults to switch faults.' });
    const body = await bodyOf(context, faultsShape);
    if (!body) return wrongBody('Enter faults, or none, in at most 1,000 characters.');
    const rules = readFaultRules(body.rules);
    if (typeof rules === 'string') return wrongBody(rules);
    parts.faults.set(rules);
    return context.body(null, 204);
  });
  app.onError(error => {
    if (error instanceof SandboxError) return jsonReply(409, { detail: error.message });
    throw error;
  });
  return app;
}

const guarded: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(securityHeaders)) context.res.headers.set(name, value);
};

/** For the cookie, a page of another port of this machine is the same site; it lacks the header, and sends its origin. */
const ownPageOnly: MiddlewareHandler = async (context, next) => {
  const site = context.req.header('sec-fetch-site') ?? 'same-origin';
  return context.req.header(ownHeader) === '1' && site === 'same-origin'
    ? next()
    : jsonReply(403, { detail: "Only the dashboard's own page may request this." });
};

/** Undefined for anything but a small JSON body of that shape with its length declared. */
async function bodyOf<T>(context: Context, shape: v.GenericSchema<unknown, T>): Promise<T | undefined> {
  const length = Number(context.req.header('content-length'));
  if (context.req.header('content-type') !== 'application/json' || !(length <= mostBytes)) return undefined;
  const read = v.safeParse(shape, await context.req.json<unknown>().catch(() => undefined));
  return read.success ? read.output : undefined;
}

function wrongBody(detail = 'Enter a text of 1 to 100 characters.'): Response {
  return jsonReply(400, { detail });
}

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

// The build puts the page, in fewer files, beside the bundle that this file becomes part of.
const folder = join(import.meta.dirname, 'page');

/** The files that a browser may load besides the document. */
const pageFiles = readdirSync(folder).filter(name => /\.(?:css|js|svg)$/.test(name));

async function pageReply(name: string): Promise<Response> {
  const ending = name.slice(name.lastIndexOf('.') + 1) as keyof typeof types;
  const body = await readFile(join(folder, name));
  return new Response(body, { headers: { 'content-type': types[ending], 'content-length': String(body.byteLength) } });
}

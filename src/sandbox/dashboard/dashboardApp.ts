import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { parseFaultRules } from '../faults/faultRules.ts';
import type { KeyTerms } from '../keys/keyRing.ts';
import { keyNameRule, limitRule, parseKeyName, parseRequestLimit, scopes, type Limits } from '../keys/scopes.ts';
import { SandboxError } from '../sandboxError.ts';
import { copyScript, iconSvg, styles } from './assets.ts';
import { mainPage, limitsPage, openedPage, revokePage, signInPage, type DashboardSource } from './pages.ts';
import type { DashboardSessions } from './sessions.ts';

interface DashboardParts extends DashboardSource {
  readonly sessions: DashboardSessions;
  readonly port: number;
}

const maxFormBytes = 4_096;

const securityHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  // With no-referrer a browser sends a form without its origin.
  referrerPolicy: 'same-origin',
  xFrameOptions: 'DENY',
  strictTransportSecurity: false,
});

const disableCaching: MiddlewareHandler = async (context, next) => {
  await next();
  context.res.headers.set('cache-control', 'no-store');
};

/** The notices after an action, by the name in the address. */
const noticeTexts: Readonly<Record<string, string>> = {
  revoked: 'Revoked: every request with that key is refused from now on.',
  limits: 'Limits saved. They apply from the next request on.',
  faults: 'These faults are switched on.',
  none: 'All faults are switched off.',
  open: 'You are already signed in.',
};

/**
 * Creates the dashboard: pages with forms, which require a session that begins with a link. All pages have the same address and
 * use relative URLs, because a proxy may add a path before it.
 */
export function createDashboard(parts: DashboardParts): Hono {
  const { keys, sessions, noSignIn = false } = parts;
  const app = new Hono();
  // Browsers share cookies among the ports of a host: the name includes the port.
  const cookie = `sandbox_dashboard_${parts.port}`;
  const getSession = (context: Context): string => getCookie(context, cookie) ?? '';
  const isSignedIn = (context: Context): boolean => noSignIn || sessions.isOpen(getSession(context));
  const redirectWithNotice = (context: Context, notice: string): Response =>
    context.redirect(`dashboard?done=${notice}`, 303);
  const showError = async (context: Context, text: string, status: 400 | 404 | 409 = 400): Promise<Response> =>
    context.html(mainPage(parts, { text, failed: true }), status);

  const signIn = (context: Context, token: string): Response | Promise<Response> => {
    const session = sessions.exchange(token);
    if (session === undefined)
      return isSignedIn(context)
        ? redirectWithNotice(context, 'open')
        : context.html(signInPage('This link was already used or has expired. Get a new one.'), 401);
    sessions.end(getSession(context));
    // An empty path means the path of the request as the browser sees it, which a proxy may have changed.
    setCookie(context, cookie, session, { httpOnly: true, sameSite: 'Strict', path: '' });
    return context.html(openedPage());
  };

  /** The handlers of the forms, by the name of the action. */
  const actions: Readonly<Record<string, (context: Context, form: FormData) => Response | Promise<Response>>> = {
    signOut(context) {
      sessions.end(getSession(context));
      deleteCookie(context, cookie, { path: '' });
      return context.html(signInPage('You are signed out.'));
    },
    create(context, form) {
      const name = parseKeyName(getField(form, 'name'));
      const terms = parseTerms(form);
      if (name === undefined || !terms)
        return showError(context, `Enter a name of ${keyNameRule}, and limits: ${limitRule}.`);
      return context.html(mainPage(parts, undefined, { name, ...keys.create(name, terms) }), 201);
    },
    limits(context, form) {
      const terms = parseTerms(form);
      if (!terms) return showError(context, `Enter a limit: ${limitRule}.`);
      return keys.setTerms(getField(form, 'prefix'), terms)
        ? redirectWithNotice(context, 'limits')
        : showError(context, unknownPrefix, 404);
    },
    // The text must not be in an address, because somebody may paste a whole key here.
    revoke(context, form) {
      const prefixOrName = getField(form, 'which');
      const matches = keys
        .list()
        .filter(({ revoked, prefix, name }) => !revoked && [prefix, name].includes(prefixOrName));
      if (matches.length === 0) return showError(context, 'No active key has this prefix or name.', 404);
      if (getField(form, 'confirmed') !== 'yes') return context.html(revokePage(prefixOrName, matches));
      keys.revoke(prefixOrName);
      return redirectWithNotice(context, 'revoked');
    },
    faults(context, form) {
      if (!parts.faults) return showError(context, 'Start the sandbox with --faults to switch faults.', 409);
      const text = getField(form, 'rules');
      const rules = text === '' ? 'Enter faults, or none.' : parseFaultRules(text);
      if (typeof rules === 'string') return showError(context, rules);
      parts.faults.set(rules);
      return redirectWithNotice(context, rules.length > 0 ? 'faults' : 'none');
    },
  };

  app.use(securityHeaders, disableCaching, csrf(), bodyLimit({ maxSize: maxFormBytes }));
  app.get('/style.css', context => context.body(styles, 200, { 'content-type': 'text/css; charset=utf-8' }));
  app.get('/copy.js', context => context.body(copyScript, 200, { 'content-type': 'text/javascript; charset=utf-8' }));
  app.get('/icon.svg', context => context.body(iconSvg, 200, { 'content-type': 'image/svg+xml' }));
  app.get('/', context => {
    // VS Code writes the = of an address that it opens as %3D.
    const [, token] = /[?&]token(?:=|%3D)([\w-]*)/i.exec(context.req.url) ?? [];
    if (token !== undefined) return signIn(context, token);
    if (!isSignedIn(context)) return context.html(signInPage(), 401);
    const prefix = context.req.query('limits');
    const key = keys.list().find(candidate => !candidate.revoked && candidate.prefix === prefix);
    if (prefix !== undefined)
      return key ? context.html(limitsPage(parts, key)) : showError(context, unknownPrefix, 404);
    const text = noticeTexts[context.req.query('done') ?? ''];
    return context.html(mainPage(parts, text === undefined ? undefined : { text }));
  });
  app.post('/', async context => {
    if (!isSignedIn(context)) return context.html(signInPage(), 401);
    // Any other body is treated as an empty form.
    const form = await context.req.formData().catch(() => new FormData());
    const action = new Map(Object.entries(actions)).get(getField(form, 'action'));
    return action ? action(context, form) : showError(context, 'This is no form of the dashboard.');
  });
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    if (error instanceof SandboxError) return showError(context, error.message, 409);
    throw error;
  });
  return app;
}

const unknownPrefix = 'No active key has this prefix. It was revoked meanwhile.';

function getField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** Parses the terms of a key from a form; returns undefined if a limit is invalid. An empty limit is that of the sandbox. */
function parseTerms(form: FormData): Required<KeyTerms> | undefined {
  const allowedScopes = scopes.filter(scope => form.getAll('scope').includes(scope));
  const limitTexts = allowedScopes
    .map(scope => [scope, getField(form, `limit-${scope}`)] as const)
    .filter(([, text]) => text !== '');
  const limits = limitTexts.map(([scope, text]) => [scope, parseRequestLimit(text)] as const);
  if (limits.some(([, limit]) => limit === undefined)) return undefined;
  return { scopes: allowedScopes, limits: Object.fromEntries(limits) as Partial<Limits> };
}

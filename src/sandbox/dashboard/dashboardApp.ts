import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { readFaultRules } from '../faults/faultRules.ts';
import type { KeyTerms } from '../keys/keyRing.ts';
import { keyNameRule, limitRule, readKeyName, readLimit, scopes, type Limits } from '../keys/scopes.ts';
import { SandboxError } from '../sandboxError.ts';
import { copyScript, iconSvg, styles } from './assets.ts';
import { boardPage, limitsPage, openedPage, revokePage, signInPage, type DashboardSource } from './pages.ts';
import type { DashboardSessions } from './sessions.ts';

interface DashboardParts extends DashboardSource {
  readonly sessions: DashboardSessions;
  readonly port: number;
}

const maxBytes = 4_096;

const headers = secureHeaders({
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

const noStore: MiddlewareHandler = async (context, next) => {
  await next();
  context.res.headers.set('cache-control', 'no-store');
};

/** What was done, by the name that the address has after it. */
const notices: Readonly<Record<string, string>> = {
  revoked: 'Revoked: every request with that key is refused from now on.',
  limits: 'Limits saved. They apply from the next request on.',
  faults: 'These faults are switched on.',
  none: 'All faults are switched off.',
  open: 'You are already signed in.',
};

/**
 * The dashboard: pages with forms, which need a session that a link begins. All have the one address, and name it and their files
 * relative to that, since a proxy may put another path before it.
 */
export function createDashboard(parts: DashboardParts): Hono {
  const { keys, sessions, noSignIn = false } = parts;
  const app = new Hono();
  // Browsers share cookies among the ports of a host: the name includes the port.
  const cookie = `sandbox_dashboard_${parts.port}`;
  const sessionOf = (context: Context): string => getCookie(context, cookie) ?? '';
  const isSignedIn = (context: Context): boolean => noSignIn || sessions.isOpen(sessionOf(context));
  const done = (context: Context, notice: string): Response => context.redirect(`dashboard?done=${notice}`, 303);
  const failed = async (context: Context, text: string, status: 400 | 404 | 409 = 400): Promise<Response> =>
    context.html(boardPage(parts, { text, failed: true }), status);

  const signIn = (context: Context, token: string): Response | Promise<Response> => {
    const session = sessions.exchange(token);
    if (session === undefined)
      return isSignedIn(context)
        ? done(context, 'open')
        : context.html(signInPage('This link was already used or has expired. Get a new one.'), 401);
    sessions.end(sessionOf(context));
    // Without a path it is that of the request, in the browser's view.
    setCookie(context, cookie, session, { httpOnly: true, sameSite: 'Strict', path: '' });
    return context.html(openedPage());
  };

  /** What each form does, by the name of its action. */
  const actions: Readonly<Record<string, (context: Context, form: FormData) => Response | Promise<Response>>> = {
    signOut(context) {
      sessions.end(sessionOf(context));
      deleteCookie(context, cookie, { path: '' });
      return context.html(signInPage('You are signed out.'));
    },
    create(context, form) {
      const [name, terms] = [readKeyName(textOf(form, 'name')), termsOf(form)];
      if (name === undefined || !terms)
        return failed(context, `Enter a name of ${keyNameRule}, and limits: ${limitRule}.`);
      return context.html(boardPage(parts, undefined, { name, ...keys.create(name, terms) }), 201);
    },
    limits(context, form) {
      const terms = termsOf(form);
      if (!terms) return failed(context, `Enter a limit: ${limitRule}.`);
      return keys.setTerms(textOf(form, 'prefix'), terms)
        ? done(context, 'limits')
        : failed(context, noSuchPrefix, 404);
    },
    // Not in an address: somebody may paste a whole key here.
    revoke(context, form) {
      const which = textOf(form, 'which');
      const found = keys.list().filter(({ revoked, prefix, name }) => !revoked && [prefix, name].includes(which));
      if (found.length === 0) return failed(context, 'No active key has this prefix or name.', 404);
      if (textOf(form, 'confirmed') !== 'yes') return context.html(revokePage(which, found));
      keys.revoke(which);
      return done(context, 'revoked');
    },
    faults(context, form) {
      if (!parts.faults) return failed(context, 'Start the sandbox with --faults to switch faults.', 409);
      const text = textOf(form, 'rules');
      const rules = text === '' ? 'Enter faults, or none.' : readFaultRules(text);
      if (typeof rules === 'string') return failed(context, rules);
      parts.faults.set(rules);
      return done(context, rules.length > 0 ? 'faults' : 'none');
    },
  };

  app.use(headers, noStore, csrf(), bodyLimit({ maxSize: maxBytes }));
  app.get('/style.css', context => context.body(styles, 200, { 'content-type': 'text/css; charset=utf-8' }));
  app.get('/copy.js', context => context.body(copyScript, 200, { 'content-type': 'text/javascript; charset=utf-8' }));
  app.get('/icon.svg', context => context.body(iconSvg, 200, { 'content-type': 'image/svg+xml' }));
  app.get('/', context => {
    // VS Code writes the = of an address that it opens as %3D.
    const [, token] = /[?&]token(?:=|%3D)([\w-]*)/i.exec(context.req.url) ?? [];
    if (token !== undefined) return signIn(context, token);
    if (!isSignedIn(context)) return context.html(signInPage(), 401);
    const prefix = context.req.query('limits');
    const key = keys.list().find(one => !one.revoked && one.prefix === prefix);
    if (prefix !== undefined) return key ? context.html(limitsPage(parts, key)) : failed(context, noSuchPrefix, 404);
    const text = notices[context.req.query('done') ?? ''];
    return context.html(boardPage(parts, text === undefined ? undefined : { text }));
  });
  app.post('/', async context => {
    if (!isSignedIn(context)) return context.html(signInPage(), 401);
    // Empty for anything but a form.
    const form = await context.req.formData().catch(() => new FormData());
    const action = new Map(Object.entries(actions)).get(textOf(form, 'action'));
    return action ? action(context, form) : failed(context, 'This is no form of the dashboard.');
  });
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    if (error instanceof SandboxError) return failed(context, error.message, 409);
    throw error;
  });
  return app;
}

const noSuchPrefix = 'No active key has this prefix. It was revoked meanwhile.';

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** What a key may do; an empty limit is the sandbox's. Undefined where one is no limit. */
function termsOf(form: FormData): Required<KeyTerms> | undefined {
  const open = scopes.filter(scope => form.getAll('scope').includes(scope));
  const typed = open.map(scope => [scope, textOf(form, `limit-${scope}`)] as const).filter(([, text]) => text !== '');
  const limits = typed.map(([scope, text]) => [scope, readLimit(text)] as const);
  if (limits.some(([, limit]) => limit === undefined)) return undefined;
  return { scopes: open, limits: Object.fromEntries(limits) as Partial<Limits> };
}

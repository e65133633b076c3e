import { Readable } from 'node:stream';
import Router from '@koa/router';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import { actAs, ownerActor } from '../../app/audit/audit.js';
import { Refusal, ServiceError } from '../../platform/errors.js';
import { seeOther } from '../../platform/http/answer.js';
import { createHttpApp } from '../../platform/http/app.js';
import { rejectWhenBroken } from '../../platform/http/request.js';
import { sendAsset } from './assets.js';
import { sendRefusal } from './errors.js';
import type { AddRoutes, RouteDeps, WebState } from './page.js';
import { isSecure, sessionCookieName, SIGN_IN_NEEDED } from './routes.js';

/** The web app: pages and documents for agents. */
export function createWeb(deps: RouteDeps, parts: readonly AddRoutes[]): Koa<WebState> {
  const { publicUrl } = deps;
  const router = new Router<WebState>({ exclusive: 'specificity', strict: true, sensitive: true });
  for (const addPart of parts) addPart(router, deps);

  const app = createHttpApp<WebState>({
    ...deps,
    name: 'web',
    initialState: { session: null, deps, constantPages: new Map() },
    headers: securityHeaders(publicUrl),
    sendRefusal,
  });
  app.use(serveAssets);
  app.use(requireSameOrigin(publicUrl, router));
  app.use(authenticate(sessionCookieName(publicUrl)));
  app.use(parseForms());
  app.use(refuseUnrouted);
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}

/** Allows only what we serve ourselves, and no frames. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Two years, as the preload list requires. Subdomains may not be ours. */
const STRICT_TRANSPORT_SECURITY = 'max-age=63072000';

/** Headers of every response (OWASP Secure Headers Project). */
function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    ...(isSecure(publicUrl) && { 'Strict-Transport-Security': STRICT_TRANSPORT_SECURITY }),
  };
}

/** Also served at the root, where browsers and phones look. */
const AT_ROOT = new Set(['/favicon.ico', '/apple-touch-icon.png']);
const PREFIX = '/assets/';

const serveAssets: Middleware<WebState> = async (ctx, next) => {
  const { path, method, state } = ctx;
  const isAsset = AT_ROOT.has(path) || path.startsWith(PREFIX);
  if (isAsset && (method === 'GET' || method === 'HEAD')) {
    state.route = '/assets/*';
    if (sendAsset(ctx, path.slice(path.startsWith(PREFIX) ? PREFIX.length : 1))) return;
  }
  await next();
};

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses forged requests (OWASP, "Cross-Site Request Forgery Prevention", fetch metadata). Unsafe methods need a Sec-Fetch-Site of our
 * own pages or, from browsers without it, our Origin. A client that sends neither header is refused. Without a route there is nothing to
 * forge, and the answer is 404 or 405.
 */
function requireSameOrigin(publicUrl: string, router: Router<WebState>): Middleware<WebState> {
  const { origin: ownOrigin } = new URL(publicUrl);
  return async (ctx, next) => {
    if (!SAFE_METHODS.has(ctx.method) && router.match(ctx.path, ctx.method).route) {
      const site = ctx.get('Sec-Fetch-Site');
      const isOwn = site === '' ? ctx.get('Origin') === ownOrigin : site === 'same-origin' || site === 'none';
      if (!isOwn) throw new Refusal(403, 'foreign_origin', 'This form was not sent from our pages.');
    }
    await next();
  };
}

/**
 * Loads the session of a request, ignoring the cookie of an ended one. Redirects a visitor who needs an account to the sign-in page,
 * which leads back.
 */
function authenticate(cookieName: string): Middleware<WebState> {
  return async (ctx, next) => {
    const { state, ip } = ctx;
    const token = ctx.cookies.get(cookieName);
    state.sessionToken = token;
    state.session = token ? await state.deps.signIn.authenticate(token, ip) : null;
    try {
      await actAs(ownerActor(ip, ctx.get('User-Agent')), next);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === SIGN_IN_NEEDED)) throw error;
      seeOther(ctx, ctx.method === 'GET' ? `/sign-in?next=${encodeURIComponent(ctx.url)}` : '/sign-in');
    }
  };
}

/** The longest form is an import of 500 addresses. */
const FORM_LIMIT = '64kb';

/** Reads the fields of a form (`application/x-www-form-urlencoded`). A body of another type is not read. */
function parseForms(): Middleware<WebState> {
  const parse = bodyParser({
    enableTypes: ['form'],
    formLimit: FORM_LIMIT,
    onerror: (error) => {
      throw new ServiceError('status' in error && error.status === 413 ? 'payload_too_large' : 'bad_request');
    },
  });
  // Loads the parser's encoding tables now: later, no file descriptor may be left.
  void parse(emptyFormContext(), async () => undefined);
  return async (ctx, next) => {
    // No browser compresses a form, and the parser would not catch an error after its limit, which would end the process.
    if (ctx.get('Content-Encoding') !== '') throw new ServiceError('bad_request');
    try {
      await Promise.race([parse(ctx, async () => undefined), rejectWhenBroken(ctx.req)]);
    } finally {
      // The parser leaves the rest of a large body unread, which would block the connection.
      ctx.req.resume();
    }
    await next();
  };
}

function emptyFormContext(): Parameters<ReturnType<typeof bodyParser>>[0] {
  const req = Object.assign(Readable.from([]), { headers: {} });
  return { req, request: { is: () => true } } as unknown as Parameters<ReturnType<typeof bodyParser>>[0];
}

/** Refuses unknown paths and methods. The router only sets the status and Allow. */
const refuseUnrouted: Middleware<WebState> = async (ctx, next) => {
  try {
    await next();
  } finally {
    const { _matchedRoute: route } = ctx as unknown as { readonly _matchedRoute?: string | RegExp };
    if (route !== undefined) ctx.state.route = String(route);
  }
  const { status } = ctx;
  if (status === 404 && (ctx.state.body ?? ctx.body ?? null) === null) throw new ServiceError('not_found');
  // The router answers 501 to an unknown method.
  if (status === 405 || status === 501) throw new ServiceError('method_not_allowed');
};

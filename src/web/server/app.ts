import Router from '@koa/router';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import { ServiceError } from '../../platform/errors.js';
import { createHttpApp } from '../../platform/http/app.js';
import { sendAsset } from './assets.js';
import { createSendRefusal } from './errors.js';
import type { PagesDeps, Part, WebState } from './page.js';
import { forms, sameOriginOnly } from './form.js';
import { authenticate, createSessionCookie } from './session.js';
import { createSendPage } from './send-page.js';

/** The web app: pages and documents for agents. */
export function createWeb(deps: PagesDeps, parts: readonly Part[]): Koa<WebState> {
  const { logger, lifecycle, observeRequest, publicUrl, trustProxy } = deps;
  const sessionCookie = createSessionCookie(publicUrl);
  const send = createSendPage(deps);
  const router = new Router<WebState>({ exclusive: 'specificity', strict: true, sensitive: true });
  for (const addPart of parts) addPart(router, { ...deps, sessionCookie, ...send });

  const app = createHttpApp<WebState>({
    name: 'web',
    observeRequest,
    logger,
    lifecycle,
    trustProxy,
    initialState: { viewer: null },
    headers: securityHeaders(publicUrl),
    sendRefusal: createSendRefusal(send.sendPage),
  });
  app.use(serveAssets);
  app.use(sameOriginOnly(publicUrl));
  app.use(authenticate(sessionCookie, deps.signIn));
  app.use(forms());
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

/** Two years, as the preload list asks. Subdomains are not ours to speak for. */
const STRICT_TRANSPORT_SECURITY = 'max-age=63072000';

/** Headers of every response (OWASP Secure Headers Project). */
function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': STRICT_TRANSPORT_SECURITY }),
  };
}

/** Served at the root as well: browsers and phones look there. */
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

/** Answers unknown paths and methods. The router sets Allow, and leaves the body to us. */
const refuseUnrouted: Middleware<WebState> = async (ctx, next) => {
  try {
    await next();
  } finally {
    const { _matchedRoute: route } = ctx as unknown as { readonly _matchedRoute?: string | RegExp };
    if (route !== undefined) ctx.state.route = String(route);
  }
  const { status } = ctx;
  if (status === 404 && (ctx.state.body ?? ctx.body ?? null) === null) throw new ServiceError('not_found');
  // 501 is the router's answer to a method that it never heard of.
  if (status === 405 || status === 501) throw new ServiceError('method_not_allowed');
};

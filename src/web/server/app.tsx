import Router from '@koa/router';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import { ServiceError } from '../../platform/errors.js';
import { createHttpApp } from '../../platform/http/app.js';
import { sendAsset } from './assets.js';
import { createSendRefusal } from './errors.js';
import {
  type Page,
  type PagesDeps,
  type AddRoutes,
  type SendConstantPage,
  type SendPage,
  type WebContext,
  type WebState,
} from './page.js';
import { forms, sameOriginOnly, queryOf } from './form.js';
import { authenticate, createSessionCookie } from './session.js';
import { renderToString } from 'preact-render-to-string';
import { answer, cacheCodings, entityTagOf } from '../../platform/http/answer.js';
import { Layout } from '../html/layout.js';
import { Now } from '../html/text.js';

/** The web app: pages and documents for agents. */
export function createWeb(deps: PagesDeps, parts: readonly AddRoutes[]): Koa<WebState> {
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
    initialState: { session: null },
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

const HTML = 'text/html; charset=utf-8';
/** Pages differ by viewer. */
const VISITOR_CACHE = 'private, no-cache';

interface Constant {
  readonly body: Buffer;
  readonly etag: string;
}

/** Creates the functions that render and send pages. */
function createSendPage({ publicUrl, isSignUpOpen, clock }: Pick<PagesDeps, 'publicUrl' | 'isSignUpOpen' | 'clock'>): {
  readonly sendPage: SendPage;
  readonly sendConstantPage: SendConstantPage;
} {
  /** By canonical path. */
  const constants = new Map<string, Constant>();

  /** Returns bytes: of a string, Koa computes the length and Node the encoding separately. */
  const render = (ctx: WebContext, page: Page): Buffer => {
    const { status = 200, notices = {} } = page;
    const code = queryOf(ctx, 'notice');
    const html = renderToString(
      <Now.Provider value={clock.now()}>
        <Layout
          page={page}
          notice={status < 400 && Object.hasOwn(notices, code) ? notices[code] : null}
          path={ctx.path}
          canonicalUrl={publicUrl + ctx.path}
          email={ctx.state.session?.account.email ?? null}
          isSignUpOpen={isSignUpOpen}
        />
      </Now.Provider>,
    );
    return Buffer.from(`<!doctype html>${html}`);
  };

  const sendPage: SendPage = (ctx, page) => {
    if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', ctx.state.session ? 'no-store' : VISITOR_CACHE);
    ctx.vary('Cookie');
    ctx.state.hasSecret = page.hasSecret ?? false;
    answer(ctx, page.status ?? 200, HTML, render(ctx, page));
  };

  const sendConstantPage: SendConstantPage = (ctx, path, make) => {
    // Another spelling of the path, such as with percent signs, is not cached: there is no end of them.
    if (ctx.path !== path || ctx.state.session !== null || queryOf(ctx, 'notice') !== '') {
      sendPage(ctx, make());
      return;
    }
    let constant = constants.get(path);
    if (!constant) {
      const body = render(ctx, make());
      cacheCodings(body, 'best');
      constant = { body, etag: entityTagOf(body) };
      constants.set(path, constant);
    }
    ctx.set('ETag', constant.etag);
    ctx.set('Cache-Control', VISITOR_CACHE);
    ctx.vary('Cookie');
    answer(ctx, 200, HTML, constant.body);
  };

  return { sendPage, sendConstantPage };
}

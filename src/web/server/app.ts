import Router from '@koa/router';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import { ServiceError } from '../../platform/errors.js';
import { createHttpApp } from '../../platform/http/app.js';
import { Assets, OWN_ASSETS } from './assets.js';
import { createSendRefusal } from './errors.js';
import type { WebState } from './context.js';
import { forms, sameOriginOnly } from './form.js';
import type { Navigation } from '../html/layout.js';
import type { PagesDeps, Part } from './page-part.js';
import { authenticate, createSessionCookie } from './session.js';
import { createSendConstantPage, createSendPage } from './send-page.js';
import { securityHeaders } from './security-headers.js';

/** The pages and the navigation. */
export interface WebContent {
  readonly parts: readonly Part[];
  readonly navigation: Navigation;
}

/** The web app: pages and documents for agents. */
export function createWeb(deps: PagesDeps, { parts, navigation }: WebContent): Koa<WebState> {
  const { logger, lifecycle, observeRequest, publicUrl, trustProxy } = deps;
  const assets = new Assets(OWN_ASSETS);
  const sessionCookie = createSessionCookie(publicUrl);
  const frame = { assets, publicUrl, navigation };
  const sendPage = createSendPage(frame);
  const sendConstantPage = createSendConstantPage(frame, sendPage);
  const router = new Router<WebState>({ exclusive: 'specificity', strict: true, sensitive: true });
  for (const addPart of parts) addPart(router, { ...deps, sessionCookie, sendPage, sendConstantPage, assets });

  const app = createHttpApp<WebState>({
    name: 'web',
    observeRequest,
    logger,
    lifecycle,
    trustProxy,
    initialState: { viewer: null },
    headers: securityHeaders(publicUrl),
    sendRefusal: createSendRefusal(sendPage, navigation),
  });
  app.use(serveAssets(assets));
  app.use(sameOriginOnly(publicUrl));
  app.use(authenticate(sessionCookie, deps.signIn));
  app.use(forms());
  app.use(refuseUnrouted());
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}

/** Served at the root as well: browsers and phones look there. */
const AT_ROOT = new Set(['/favicon.ico', '/apple-touch-icon.png']);

function serveAssets(assets: Assets): Middleware<WebState> {
  const prefix = '/assets/';
  return async (ctx, next) => {
    const { path, method, state } = ctx;
    const name = AT_ROOT.has(path) ? path.slice(1) : path.startsWith(prefix) ? path.slice(prefix.length) : null;
    if (name !== null && (method === 'GET' || method === 'HEAD')) {
      state.route = '/assets/*';
      if (assets.send(ctx, name)) return;
    }
    await next();
  };
}

/** Answers unknown paths and methods. The router sets Allow, and leaves the body to us. */
function refuseUnrouted(): Middleware<WebState> {
  return async (ctx, next) => {
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
}

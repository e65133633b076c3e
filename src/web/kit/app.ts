import Router from '@koa/router';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import { ServiceError } from '../../platform/errors.js';
import { createApp } from '../../platform/http/app.js';
import { actAs, holderAt } from '../../app/audit/actor.js';
import { UNLIMITED } from '../../platform/http/places.js';
import { Assets, ownAsset } from './assets.js';
import type { WebDeps } from './deps.js';
import { createSendRefusal } from './errors.js';
import type { WebState } from './context.js';
import { forms } from './form.js';
import { createStreamEvents } from './live.js';
import type { Part } from './part.js';
import { addDiscoveryRoutes } from '../site/discovery/routes.js';
import { addPublicRoutes } from '../site/public/routes.js';
import { addReferenceRoutes } from '../site/reference/routes.js';
import { sameOriginOnly } from './same-origin.js';
import { createSendPage } from './send-page.js';
import { securityHeaders } from './security-headers.js';
import { authenticate, createCookie } from './session-cookie.js';

/** The parts that are of no feature, in the order of their routes. */
const SHELL: readonly Part[] = [addDiscoveryRoutes, addPublicRoutes, addReferenceRoutes];

/**
 * The dashboard, the public pages, and what agents look for: everything but the API and the MCP endpoint.
 * @param features the pages of each feature
 */
export function createWeb(deps: WebDeps, features: readonly Part[]): Koa<WebState> {
  const { logger, lifecycle, observeRequest, publicUrl, trustProxy, streams = UNLIMITED } = deps;
  const assets = new Assets({
    'style.css': ownAsset('style.css'),
    'app.js': ownAsset('app.js'),
    'logo.svg': ownAsset('logo.svg'),
    'api-reference.js': ownAsset('api-reference.js'),
    'api-reference.css': ownAsset('api-reference.css'),
  });
  const sendPage = createSendPage(assets, publicUrl);
  const streamEvents = createStreamEvents(streams);
  const sessionCookie = createCookie(publicUrl, 'session');
  const deviceCookie = createCookie(publicUrl, 'device');
  const router = new Router<WebState>({ exclusive: 'specificity', strict: true, sensitive: true });
  for (const addPart of [...SHELL, ...features])
    addPart(router, { ...deps, sendPage, streamEvents, assets, sessionCookie, deviceCookie });

  const app = createApp<WebState>({
    ...{ name: 'web', observeRequest, logger, lifecycle, trustProxy },
    initialState: { session: null },
    headers: securityHeaders(publicUrl),
    sendRefusal: createSendRefusal(sendPage),
  });
  app.use((ctx, next) => actAs(holderAt(ctx.ip), next));
  app.use(serveAssets(assets));
  app.use(sameOriginOnly(publicUrl));
  app.use(authenticate(sessionCookie, deps.signIn));
  app.use(forms());
  app.use(refuseUnrouted());
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}

function serveAssets(assets: Assets): Middleware<WebState> {
  const prefix = '/assets/';
  return async (ctx, next) => {
    const { path, method, state } = ctx;
    if (path.startsWith(prefix) && (method === 'GET' || method === 'HEAD')) {
      state.route = '/assets/*';
      if (assets.send(ctx, path.slice(prefix.length))) return;
    }
    await next();
  };
}

/** What no route answered: the router sets Allow and leaves the body to us. */
function refuseUnrouted(): Middleware<WebState> {
  return async (ctx, next) => {
    try {
      await next();
    } finally {
      const { _matchedRoute: route } = ctx as unknown as { readonly _matchedRoute?: string | RegExp };
      if (route !== undefined) ctx.state.route = String(route);
    }
    const { status } = ctx;
    if (status === 404 && (ctx.body ?? null) === null) throw new ServiceError('not_found');
    // 501 is the router's answer to a method that it never heard of.
    if (status === 405 || status === 501) throw new ServiceError('method_not_allowed');
  };
}
